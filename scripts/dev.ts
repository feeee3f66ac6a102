// npm run dev              start everything and stay; Ctrl-C stops the API and the worker
// npm run dev -- --once    start everything, leave it running, exit 0 after a health check
// npm run dev -- --image   run API and worker from the image of `scripts/image build`, not from the checkout
// npm run dev -- --stop    stop what --once left running
import { execFileSync, spawn } from 'node:child_process'
import { hash } from 'node:crypto'
import { existsSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import {
  describeInstallation,
  prepareInstallation,
  repository,
  type Settings,
  seedDemo,
  startEntry,
  waitUntilReady,
} from './installation.ts'

const folder = `${repository}.dev`
const pidFile = `${folder}/pids.json`
const { values: options } = parseArgs({
  options: { once: { type: 'boolean' }, image: { type: 'boolean' }, stop: { type: 'boolean' } },
})

await stopRunning()
if (options.stop) {
  console.log('Stopped. The engines and their data stay; `scripts/engines down` stops the engines.')
} else {
  await start(options.once === true, options.image === true)
}

async function start(once: boolean, fromImage: boolean): Promise<void> {
  // Each checkout has its own database and streams, so that two do not interfere.
  const name = `scholiast_dev_${hash('sha256', repository).slice(0, 8)}`
  const port = Number(process.env['SCHOLIAST_PORT'] ?? 8420)
  const installation = describeInstallation({ name, folder, port })
  await refuseTakenPort(installation.baseUrl)
  prepareInstallation(installation)
  const metricsPort = (offset: number) => ({ METRICS_PORT: String(port + offset) })
  const detached = once
  // The container sees no folder of this machine.
  const headsFile = fromImage ? { AUDIT_HEADS_FILE: '/tmp/audit-heads.jsonl' } : {}
  const startProcess = (entry: 'api' | 'worker', offset: number) =>
    startEntry(installation, entry, entry, {
      detached,
      fromImage,
      settings: { ...metricsPort(offset), ...headsFile },
    })
  const api = startProcess('api', 1000)
  const worker = startProcess('worker', 1001)
  writeFileSync(pidFile, JSON.stringify([api.pid, worker.pid]), { mode: 0o600 })
  await waitUntilReady(installation.baseUrl, api, `${folder}/api.log`)
  const { baseUrl, settings } = installation
  seedDemo({ baseUrl, out: `${folder}/demo.json` }, settings)
  if (!fromImage) buildSite()
  printDashboard(settings)
  printExamples(baseUrl)
  if (once) return
  console.log('\nRunning. Press Ctrl-C to stop.')
  process.once('SIGINT', () => void stopRunning())
  process.once('SIGTERM', () => void stopRunning())
}

/** In the background, by the first start only: it takes a while, and /docs shows Markdown meanwhile. */
function buildSite(): void {
  if (existsSync(`${repository}site/.vitepress/dist`)) return
  const log = openSync(`${folder}/site.log`, 'w')
  const words = [`${repository}scripts/build-site.ts`]
  spawn(process.execPath, words, { detached: true, stdio: ['ignore', log, log] }).unref()
}

async function refuseTakenPort(baseUrl: string): Promise<void> {
  const response = await fetch(`${baseUrl}/healthz`).catch(() => null)
  if (response === null) return
  console.error(
    `Something else already answers at ${baseUrl}. End it, or choose another port: SCHOLIAST_PORT=8500 npm run dev`,
  )
  process.exit(1)
}

async function stopRunning(): Promise<void> {
  if (!existsSync(pidFile)) return
  const pids = (JSON.parse(readFileSync(pidFile, 'utf8')) as number[]).filter(isOurs)
  for (const pid of pids) process.kill(pid, 'SIGTERM')
  for (let waited = 0; pids.some(isOurs); waited += 100) {
    if (waited > 25_000) for (const pid of pids.filter(isOurs)) process.kill(pid, 'SIGKILL')
    await sleep(100)
  }
  rmSync(pidFile)
}

/** A process id may have been reused since. Only processes of this checkout are stopped. */
function isOurs(pid: number): boolean {
  try {
    const commandLine = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
    // `scripts/image` names a container after its process.
    return commandLine.includes(repository) || commandLine.includes(`scholiast-run-${pid}`)
  } catch {
    return existsSync('/proc/self') ? false : isAlive(pid)
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** A link for an admin of the demo: nobody has a password, and no identity provider is set up. */
function printDashboard(settings: Settings): void {
  const words = ['person', 'sign-in-link', 'amara.okafor@example.com', '--root', 'Meridian Freight']
  const output = execFileSync(process.execPath, [`${repository}server/src/admin.ts`, ...words, '--json'], {
    encoding: 'utf8',
    env: { ...process.env, ...settings },
  })
  const { url } = JSON.parse(output) as { url: string }
  const command = `npm run admin -- ${words.slice(0, 4).join(' ')} '${words[4]}'`
  console.log(`
Dashboard: ${url}  (one use, 10 minutes; a new one: ${command})`)
}

function printExamples(baseUrl: string): void {
  const key = `$(node -p 'require("./.dev/demo.json").keys.KIND')`
  const curl = (kind: string, path: string) =>
    `  curl -s -H "x-service-api-key: ${key.replace('KIND', kind)}" "${baseUrl}${path}"`
  const repositories = `/v1/organizations/$(node -p 'require("./.dev/demo.json").organizations[0].id')/repositories`
  const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)
  const reviewComments = `/v1/metrics/review-comments?start_date=${day(30)}&end_date=${day(1)}&limit=2`
  console.log(`
Scholiast answers at ${baseUrl}  (documentation: ${baseUrl}/docs)
Demo tenants and their keys: .dev/demo.json   logs: .dev/api.log, .dev/worker.log

Try:
${curl('workspace', '/v1/organizations')}
${curl('user', repositories)}
${curl('instance', '/v1/organizations?limit=1')}
${curl('workspace', reviewComments)}
${curl('user', '/v1/learnings?search=retry+a+payment&limit=2')}`)
}
