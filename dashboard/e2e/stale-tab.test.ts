import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { build } from 'vite'
import { openDashboard, url } from './open.ts'

// A tab of the build that the service serves, and a release of another build while the tab is open.

const folder = mkdtempSync(join(tmpdir(), 'scholiast-release-'))
after(() => rmSync(folder, { recursive: true }))
before(async () => {
  await build({
    root: fileURLToPath(new URL('..', import.meta.url)),
    logLevel: 'error',
    build: {
      outDir: folder,
      rolldownOptions: {
        output: {
          entryFileNames: 'assets/second-[name]-[hash].js',
          chunkFileNames: 'assets/second-[name]-[hash].js',
        },
      },
    },
  })
})

test('a chunk that is gone after a release reloads the page once, at the screen that was to be opened', async () => {
  const visit = await openDashboard({ screen: 'overview', search: '?from=2026-01-05&to=2026-03-29' })
  const loads = await release(visit.page, () => true)
  await visit.page.getByRole('link', { name: 'Findings', exact: true }).click()
  await visit.page.waitForURL(/\/findings/)
  await visit.page.getByRole('heading', { level: 1, name: 'Findings' }).waitFor()
  assert.equal(new URL(visit.page.url()).search, '?from=2026-01-05&to=2026-03-29')
  assert.equal(loads.length, 1)
  const scripts: string[] = await visit.page.evaluate(() =>
    performance.getEntriesByType('resource').map(({ name }) => name),
  )
  assert.ok(scripts.some((name) => name.includes('/assets/second-')))
  await visit.close()
})

test('a chunk that is missing in the new build too is reported and does not reload for ever', async () => {
  const visit = await openDashboard({ screen: 'overview' })
  const loads = await release(visit.page, (name) => !name.includes('findings'))
  await visit.page.getByRole('link', { name: 'Findings', exact: true }).click()
  await visit.page.getByRole('heading', { name: 'This page could not be shown' }).waitFor()
  assert.equal(loads.length, 1)
  await visit.close()
})

/** From now on the service has the second build only. Returns the pages that are loaded. */
async function release(page: Page, isThere: (name: string) => boolean): Promise<string[]> {
  const loads: string[] = []
  await page.route(`${url}/app/**`, (route) => {
    const { pathname } = new URL(route.request().url())
    const asset = /^\/app\/(assets\/.+)$/.exec(pathname)?.[1]
    if (asset === undefined) {
      loads.push(pathname)
      const html = readFileSync(join(folder, 'index.html'), 'utf8').replaceAll('./assets/', '/app/assets/')
      return route.fulfill({ contentType: 'text/html', body: html })
    }
    const file = join(folder, asset)
    return existsSync(file) && isThere(asset) ? route.fulfill({ path: file }) : route.fulfill({ status: 404 })
  })
  return loads
}
