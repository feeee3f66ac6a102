// npm run build:dashboard            build the dashboard into dashboard/dist, beside the assets of the previous build
// node scripts/build-dashboard.ts --if-changed   only if its sources have changed since the last build
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { hashSources, isBuilt, publishBuild } from './dashboard-builds.ts'

const repository = fileURLToPath(new URL('..', import.meta.url))
const dist = join(repository, 'dashboard/dist')
const { values: options } = parseArgs({ options: { 'if-changed': { type: 'boolean' } } })

const sources = hashSources(repository, [
  'package-lock.json',
  'sdk/src/**',
  'cli/src/rules-files/**',
  'dashboard/{index.html,package.json,vite.config.ts}',
  'dashboard/{src,public}/**',
])
if (!options['if-changed'] || !isBuilt(dist, sources)) build()

function build(): void {
  const folder = mkdtempSync(join(tmpdir(), 'scholiast-dashboard-'))
  try {
    const words = ['run', '--silent', 'build', '--workspace', 'dashboard', '--', '--outDir', folder]
    const quiet = options['if-changed'] ? ['--logLevel', 'warn'] : []
    const { status } = spawnSync('npm', [...words, ...quiet], { cwd: repository, stdio: 'inherit' })
    if (status === 0) publishBuild(folder, dist, sources)
    else process.exitCode = status ?? 1
  } finally {
    rmSync(folder, { recursive: true })
  }
}
