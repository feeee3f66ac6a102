// Runs command lines in this process as on a terminal, against a service whose every text is hostile: a proxy that adds control
// characters to the responses of the demo's service. Reads command lines as JSON from stdin and prints what each of them wrote.
//   node hostile-service.ts < [["users","list"], …]
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { run } from '../src/program.ts'

/** Sets the title, colours, reorders, and begins a line that looks like one of ours. */
const hostile = '\u001b]0;pwned\u0007\u001b[31m\u202eRED\u009b31m\u2066\u2028\r\nforged'
/** Fields with texts that may look like an id, and values that the command line acts on. */
const textField = /name|email|label|title|learning|file$|reviewer|subtitle/
const machineValue = /^[\w:.+/=-]*$/
const base = process.env['SCHOLIAST_URL'] ?? ''

function poison(value: unknown, field = ''): unknown {
  if (typeof value === 'string')
    return machineValue.test(value) && !textField.test(field) ? value : `${value}${hostile}`
  if (Array.isArray(value)) return value.map((item) => poison(item, field))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, poison(inner, name)]))
}

async function forward(request: IncomingMessage): Promise<Response> {
  const { method = 'GET', url = '', headers } = request
  const {
    host: _host,
    connection: _connection,
    'content-length': _length,
    'accept-encoding': _accepted,
    ...sent
  } = headers
  const body = await text(request)
  return fetch(new URL(url, base), { method, headers: sent as Record<string, string>, body: body || null })
}

const server = createServer((request, response) => {
  void (async () => {
    const reply = await forward(request)
    const type = reply.headers.get('content-type') ?? ''
    const received = await reply.text()
    const poisonLine = (line: string) => (line === '' ? '' : JSON.stringify(poison(JSON.parse(line))))
    const isLines = type.includes('ndjson') || type.includes('jsonl')
    const sent = isLines
      ? received.split('\n').map(poisonLine).join('\n')
      : type.includes('json')
        ? poisonLine(received)
        : received
    const headers = Object.fromEntries(reply.headers)
    for (const name of ['content-length', 'content-encoding', 'transfer-encoding', 'connection'])
      delete headers[name]
    response.writeHead(reply.status, headers).end(sent)
  })().catch(() => response.destroy())
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
process.env['SCHOLIAST_URL'] = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

const lines = JSON.parse(await text(process.stdin)) as string[][]
const write = process.stdout.write.bind(process.stdout)
const results: { words: string[]; code: number; printed: string }[] = []
for (const words of lines) {
  let printed = ''
  const capture = (chunk: string | Uint8Array, ...more: unknown[]) => {
    printed += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString()
    for (const done of more) if (typeof done === 'function') process.nextTick(done)
    return true
  }
  for (const stream of [process.stdout, process.stderr])
    Object.assign(stream, { isTTY: true, columns: 200, write: capture })
  process.exitCode = undefined
  const code = await run(words)
  results.push({ words, code, printed })
}
server.close()
server.closeAllConnections()
write(JSON.stringify(results), () => process.exit(0))
