// npm run bench -- startup [--quick]
// Start-up of the command line beside Node.js alone and curl. Needs a service: `npm run dev -- --once`, or SCHOLIAST_DEMO.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'

const repository = fileURLToPath(new URL('..', import.meta.url))
const demo = JSON.parse(
  readFileSync(process.env['SCHOLIAST_DEMO'] ?? `${repository}.dev/demo.json`, 'utf8'),
) as {
  base_url: string
  keys: { ingest: string }
}
const home = mkdtempSync(`${tmpdir()}/scholiast-`)
const env = {
  PATH: process.env['PATH'] ?? '',
  HOME: home,
  SCHOLIAST_URL: demo.base_url,
  SCHOLIAST_INGEST_KEY: demo.keys.ingest,
}
const cli = `${repository}cli/dist/scholiast.js`
const address = `${demo.base_url.replace(/\/$/, '')}/ingest/v1/status`
const commands = {
  node: [process.execPath, '--eval', '0'],
  help: [process.execPath, cli, '--help'],
  curl: ['curl', '--silent', '--fail', '--header', `x-service-api-key: ${demo.keys.ingest}`, address],
  request: [process.execPath, cli, 'events', 'status'],
}

/** In turns, so that a busy moment of the machine hits all of them. */
function measure(rounds: number): Record<keyof typeof commands, number[]> {
  const times: Record<keyof typeof commands, number[]> = { node: [], help: [], curl: [], request: [] }
  for (let round = 0; round <= rounds; round++) {
    for (const [name, [program = '', ...words]] of Object.entries(commands)) {
      const start = performance.now()
      const { status, stderr } = spawnSync(program, words, { env, encoding: 'utf8' })
      if (status !== 0) throw new Error(`${name} failed: ${stderr}`)
      // The first round fills the caches.
      if (round > 0) times[name as keyof typeof commands].push(performance.now() - start)
    }
  }
  return times
}

try {
  const times = measure(process.argv.includes('--quick') ? 10 : 40)
  const median = (name: keyof typeof commands) =>
    times[name].toSorted((a, b) => a - b)[times[name].length >> 1] ?? 0
  const format = (milliseconds: number) => `${milliseconds.toFixed(0)} ms`
  const over = median('request') - median('curl')
  console.log(`Node.js alone                       ${format(median('node'))}`)
  console.log(`scholiast --help                    ${format(median('help'))}  (goal: at most 100 ms)`)
  console.log(`curl, one request                   ${format(median('curl'))}`)
  console.log(
    `scholiast events status, the same   ${format(median('request'))}  (curl + ${format(over)}; goal: at most 100 ms)`,
  )
} finally {
  rmSync(home, { recursive: true })
}
