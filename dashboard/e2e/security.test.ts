import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { pressUntil } from './hands.ts'
import { demo, openDashboard, runAdmin, url } from './open.ts'
import { createEmptyTenant } from './tenants.ts'

const run = promisify(execFile)

test('says what is open and for how long, with two reads', async () => {
  const visit = await openDashboard({ screen: 'security' })
  const { page, calls, problems } = visit
  const { data } = (await read('/v1/security/summary')) as { data: { findings: number }[] }
  const answer = await page.getByText('The oldest has been open for').innerText()
  assert.match(
    answer,
    new RegExp(`^${data[0]?.findings} findings are open: .* The oldest has been open for \\d+ days`),
  )
  assert.equal(calls.filter((call) => call.includes('/v1/security/')).length, 2)
  assert.deepEqual(problems, [])
  await visit.close()
})

test('two filters changed at once both count, and survive a reload', async () => {
  const visit = await openDashboard({ screen: 'security' })
  const { page } = visit
  // In one task, so that the second does not see the address of the first.
  await page
    .locator('section')
    .last()
    .evaluate((section) => {
      for (const [label, text] of [
        ['State', 'Fixed'],
        ['Repository', 'booking-api'],
      ] as const) {
        const labels = [...section.querySelectorAll('label')]
        const select = labels.find((one) => one.innerText.startsWith(label))?.querySelector('select')
        const option = [...(select?.options ?? [])].find((one) => one.text === text)
        if (!select || !option) throw new Error(`There is no ${text} in ${label}.`)
        select.value = option.value
        select.dispatchEvent(new Event('change', { bubbles: true }))
      }
    })
  await page.waitForURL(/state=fixed&repository=\d+/)
  await page.reload()
  await page.getByRole('heading', { name: 'Fixed findings' }).waitFor()
  await page.getByText(/findings? shown; that is all/).waitFor()
  assert.equal(await page.getByLabel('State').inputValue(), 'fixed')
  const places = await page.locator('tbody tr td:nth-child(3)').allInnerTexts()
  assert.ok(places.length > 0)
  for (const place of places) assert.match(place, /^booking-api/)
  await visit.close()
})

test('the table of ages and a finding, by keyboard', async () => {
  const visit = await openDashboard({ screen: 'security' })
  const { page } = visit
  await page.locator('tbody tr').first().waitFor()
  await pressUntil(page, 'Tab', 'Show as table')
  await page.keyboard.press('Enter')
  await page.getByRole('table', { name: 'Open findings by age and severity' }).waitFor()
  const name = (await page.locator('section').last().locator('tbody th button').first().innerText()).trim()
  await pressUntil(page, 'Tab', name)
  await page.keyboard.press('Enter')
  await page.getByText('Scans and dismissals in the audit log').waitFor()
  await visit.close()
})

for (const format of ['csv', 'sarif'] as const)
  test(`the ${format} file is what the API returns`, async () => {
    const visit = await openDashboard({ screen: 'security', search: '?state=all' })
    const { page } = visit
    const saved = await download(page, format.toUpperCase())
    const expected = await fetchBytes(`/v1/security/scans/code?state=all&format=${format}`)
    assert.ok(saved.length > 100)
    assert.ok(saved.equals(expected))
    await visit.close()
  })

test('without a scan, shows an upload command that works', async () => {
  const { admin, root, organizationIds } = await createEmptyTenant()
  const visit = await openDashboard({
    person: admin,
    root,
    organization: organizationIds[0] ?? '',
    screen: 'security',
  })
  const { page } = visit
  await page.getByRole('heading', { name: 'No security scan has arrived yet' }).waitFor()
  const command = await page.locator('pre').innerText()
  const folder = mkdtempSync(join(tmpdir(), 'scholiast-'))
  writeFileSync(join(folder, 'scan.sarif'), JSON.stringify(sarif))
  const words = ['--root', root, '--kind', 'ingest', '--name', 'Scanner']
  const created = await runAdmin<{ value: string }>('key', 'create', ...words)
  const { stdout } = await run('sh', ['-c', command], {
    cwd: folder,
    env: { ...process.env, SCHOLIAST_INGEST_KEY: created.value },
  })
  assert.match(stdout, /"scans":\[\{"scan_id":".*"tool":"Lintel".*"findings":1/)
  rmSync(folder, { recursive: true })
  await visit.close()
})

const sarif = {
  version: '2.1.0',
  runs: [
    {
      tool: { driver: { name: 'Lintel' } },
      results: [
        {
          ruleId: 'sql-from-input',
          level: 'error',
          message: { text: 'SQL is built from input.' },
          locations: [
            { physicalLocation: { artifactLocation: { uri: 'src/orders.ts' }, region: { startLine: 7 } } },
          ],
        },
      ],
    },
  ],
}

async function download(page: Page, name: string): Promise<Buffer> {
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name, exact: true }).click(),
  ])
  return readFileSync(await file.path())
}

async function fetchBytes(path: string): Promise<Buffer> {
  const response = await fetch(url + path, {
    headers: { 'x-service-api-key': demo.keys['organization'] ?? '' },
  })
  assert.equal(response.status, 200)
  return Buffer.from(await response.arrayBuffer())
}

async function read(path: string): Promise<unknown> {
  return JSON.parse((await fetchBytes(path)).toString('utf8'))
}
