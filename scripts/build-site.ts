// npm run build:site   build the documentation site into site/.vitepress/dist
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const repository = fileURLToPath(new URL('..', import.meta.url))
const dist = `${repository}site/.vitepress/dist`
mkdirSync(`${repository}.dev`, { recursive: true })
// The server loads the site as soon as it has an index page, so it must appear whole.
const folder = mkdtempSync(`${repository}.dev/site-`)
try {
  const words = ['run', '--silent', 'build', '--workspace', 'site', '--', '--outDir', folder]
  const { status } = spawnSync('npm', words, { cwd: repository, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
  rmSync(dist, { recursive: true, force: true })
  renameSync(folder, dist)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
