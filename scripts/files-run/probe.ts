// Loaded with --import into an entry point of the server. It answers each connection to a socket in FILES_RUN_FOLDER with the
// files of server/src whose functions were called since the connection before.
import { type Profiler, Session } from 'node:inspector'
import { createServer } from 'node:net'
import { basename } from 'node:path'
import { isMainThread } from 'node:worker_threads'

const SOURCES = '/server/src/'
const folder = process.env['FILES_RUN_FOLDER']
const entry = basename(process.argv[1] ?? '', '.ts')

if (folder !== undefined && isMainThread && (entry === 'api' || entry === 'worker')) {
  const session = new Session()
  session.connect()
  session.post('Profiler.enable')
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  const server = createServer((socket) => {
    // Counts since the last time, which start again at zero.
    session.post('Profiler.takePreciseCoverage', (error, { result }) => {
      socket.end(JSON.stringify(error === null ? listCalledFiles(result) : []))
    })
  })
  server.listen(`${folder}/${entry}.sock`).unref()
}

function listCalledFiles(scripts: readonly Profiler.ScriptCoverage[]): string[] {
  return scripts
    .filter(({ url, functions }) => url.includes(SOURCES) && functions.some(isCalled))
    .map(({ url }) => url.slice(url.indexOf(SOURCES) + SOURCES.length))
    .sort()
}

/** The evaluation of the module itself is a function without a name that begins with the file. */
function isCalled({ functionName, ranges }: Profiler.FunctionCoverage): boolean {
  const [range] = ranges
  if (range === undefined || range.count === 0) return false
  return functionName !== '' || range.startOffset > 0
}
