import type { ServerResponse } from 'node:http'
import type { RequestFault } from './faults.ts'

/** Faults without a proper response; true = the request is done. A hanging one ends when the server closes. */
export function breakResponse(fault: RequestFault | null, response: ServerResponse): boolean {
  if (fault === 'disconnect') response.destroy()
  else if (fault === 'truncated') {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
    response.write('{"data":', () => response.destroy())
  } else if (fault === 'badGateway')
    response.writeHead(502, { 'content-type': 'text/html' }).end('<html>Bad gateway</html>')
  else if (fault === 'serverTimeout') {
    const message = "We couldn't respond to your request in time. Sorry about that."
    response.writeHead(502, { 'content-type': 'application/json' }).end(JSON.stringify({ message }))
  } else return fault === 'hang'
  return true
}
