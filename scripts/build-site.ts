// npm run build:site   build the documentation site into site/.vitepress/dist
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { generateSitePages } from './site-pages.ts'

const repository = fileURLToPath(new URL('..', import.meta.url))
const dist = `${repository}site/.vitepress/dist`
mkdirSync(`${repository}.dev`, { recursive: true })
// The server loads the site as soon as it has an index page, so it must appear whole.
const folder = mkdtempSync(`${repository}.dev/site-`)
try {
  const pages = `${folder}/pages`
  cpSync(`${repository}docs`, pages, { recursive: true })
  for (const { name, text } of await generateSitePages()) writeFileSync(`${pages}/${name}.md`, text)
  const words = ['run', '--silent', 'build', '--workspace', 'site', '--', '--outDir', `${folder}/dist`]
  const env = { ...process.env, SITE_PAGES: pages }
  const { status } = spawnSync('npm', words, { cwd: repository, env, stdio: 'inherit' })
  if (status !== 0) {
    process.exitCode = status ?? 1
  } else {
    rmSync(dist, { recursive: true, force: true })
    renameSync(`${folder}/dist`, dist)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
