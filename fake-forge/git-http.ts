// Git over smart HTTP: runs `git http-backend` as a CGI program. Fetches only.
import { spawn } from 'node:child_process'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { basename, dirname } from 'node:path'

export interface GitPath {
  readonly fullName: string
  readonly rest: string
}

/** `/owner/name.git/info/refs` → the full name and the rest; null = not a path of git. */
export function parseGitPath(path: string): GitPath | null {
  const match = /^\/(.+?)(?:\.git)?\/(info\/refs|git-upload-pack|git-receive-pack)$/.exec(path)
  return match === null ? null : { fullName: match[1] ?? '', rest: `/${match[2]}` }
}

export function serveGit(
  request: IncomingMessage,
  response: ServerResponse,
  directory: string,
  rest: string,
  query: string,
): void {
  const { headers, method = 'GET' } = request
  const environment = {
    PATH: process.env.PATH,
    GIT_PROJECT_ROOT: dirname(directory),
    GIT_HTTP_EXPORT_ALL: '1',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'safe.directory',
    GIT_CONFIG_VALUE_0: '*',
    PATH_INFO: `/${basename(directory)}${rest}`,
    QUERY_STRING: query,
    REQUEST_METHOD: method,
    CONTENT_TYPE: headers['content-type'] ?? '',
    ...(headers['content-encoding'] === undefined
      ? {}
      : { HTTP_CONTENT_ENCODING: headers['content-encoding'] }),
    ...(headers['git-protocol'] === undefined ? {} : { GIT_PROTOCOL: String(headers['git-protocol']) }),
  }
  const backend = spawn('git', ['http-backend'], { env: environment, stdio: ['pipe', 'pipe', 'ignore'] })
  backend.stdin.on('error', () => request.unpipe())
  request.pipe(backend.stdin)
  let head = Buffer.alloc(0)
  const readHead = (chunk: Buffer): void => {
    head = Buffer.concat([head, chunk])
    const end = head.indexOf('\r\n\r\n')
    if (end === -1) return
    backend.stdout.off('data', readHead)
    writeHead(response, head.subarray(0, end).toString())
    response.write(head.subarray(end + 4))
    backend.stdout.pipe(response)
  }
  backend.stdout.on('data', readHead)
  // A client that left reads nothing more, and the backend would wait for it forever.
  response.on('close', () => backend.kill())
  backend.on('close', () => {
    if (!response.headersSent) response.writeHead(500)
    response.end()
  })
}

function writeHead(response: ServerResponse, head: string): void {
  let status = 200
  for (const line of head.split('\r\n')) {
    const [name = '', value = ''] = line.split(/: (.*)/s)
    if (name.toLowerCase() === 'status') status = Number.parseInt(value, 10)
    else response.setHeader(name, value)
  }
  response.writeHead(status)
}
