import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { openDashboard } from './open.ts'
import { screens } from './screens.ts'

const assets = fileURLToPath(new URL('../dist/assets/', import.meta.url))
const index = readFileSync(new URL('../dist/index.html', import.meta.url), 'utf8')

const KILOBYTE = 1000
const MAX_INITIAL = 150 * KILOBYTE
const MAX_SCREEN = 40 * KILOBYTE
const MAX_CHARTS = 120 * KILOBYTE

test('the size of the scripts is within its budget', async (t) => {
  const initial = listScripts(index)
  const sizes = new Map(
    readdirSync(assets)
      .filter((name) => name.endsWith('.js'))
      .map((name) => [name, measure(name)]),
  )
  const sum = (names: Iterable<string>) =>
    [...names].reduce((total, name) => total + (sizes.get(name) ?? 0), 0)
  const loadedFirst = sum(initial)
  t.diagnostic(`initial JavaScript: ${toKilobytes(loadedFirst)} of 150 kB gzip (${initial.size} files)`)
  assert.ok(loadedFirst <= MAX_INITIAL)
  const charts = new Set<string>()
  for (const screen of screens) {
    const visit = await openDashboard({ screen })
    const loaded: string[] = await visit.page.evaluate(() =>
      performance.getEntriesByType('resource').map(({ name }) => name),
    )
    const own = loaded
      .map((name) => name.split('/').at(-1) ?? '')
      .filter((name) => sizes.has(name) && !initial.has(name))
    for (const name of own.filter((file) => file.startsWith('charts-'))) charts.add(name)
    const chunks = own.filter((name) => !name.startsWith('charts-'))
    const size = sum(chunks)
    t.diagnostic(`${screen}: ${toKilobytes(size)} of 40 kB gzip (${chunks.join(', ')})`)
    assert.ok(size <= MAX_SCREEN, `${screen} loads ${size} bytes`)
    await visit.close()
  }
  t.diagnostic(`charts: ${toKilobytes(sum(charts))} of 120 kB gzip`)
  assert.ok(charts.size > 0 && sum(charts) <= MAX_CHARTS)
})

function listScripts(html: string): ReadonlySet<string> {
  return new Set([...html.matchAll(/assets\/([\w.-]+\.js)/g)].map(([, name = '']) => name))
}

function measure(name: string): number {
  return gzipSync(readFileSync(`${assets}${name}`)).length
}

function toKilobytes(bytes: number): string {
  return (bytes / KILOBYTE).toFixed(1)
}
