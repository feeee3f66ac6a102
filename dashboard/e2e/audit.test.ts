import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { pressUntil } from './hands.ts'
import { openDashboard, url } from './open.ts'
import { createEmptyTenant } from './tenants.ts'

interface ChainPage {
  readonly data: { position: number; digest: string; hash: string }[]
}

const chain = `${url}/v1/audit-logs/chain*`

test('answers with at most four reads, and verifies the loaded rows', async () => {
  const visit = await openDashboard({ screen: 'audit' })
  const { page, calls, problems } = visit
  await page.getByText('of the log below are intact').waitFor()
  const own = calls.filter((call) => /audit-logs|ingest/.test(call))
  assert.equal(own.length, 3, own.join('\n'))
  assert.deepEqual(problems, [])
  await visit.close()
})

test('verifies the whole chain, by mouse', async () => {
  const visit = await openDashboard({ screen: 'audit', organization: 'all' })
  const { page, problems } = visit
  await page.getByRole('button', { name: 'Verify the whole chain' }).click()
  await page.getByRole('heading', { name: /^The log is intact: \d+ rows, 1 to \d+$/ }).waitFor()
  await page.getByText('No row is missing, and each hash follows from the row before it.').waitFor()
  // What was verified is not said of other rows.
  await page.getByRole('button', { name: 'Show more' }).click()
  await page.getByText('The rows below have changed since the verification.').waitFor()
  assert.equal(await page.getByRole('heading', { name: /^The log is intact/ }).count(), 0)
  assert.deepEqual(problems, [])
  await visit.close()
})

test('verifies the whole chain and opens a row, by keyboard', async () => {
  const visit = await openDashboard({ screen: 'audit', organization: 'all' })
  const { page } = visit
  await page.locator('tbody tr').first().waitFor()
  const first = (await page.locator('tbody th button').first().innerText()).trim()
  await pressUntil(page, 'Tab', 'Verify the whole chain')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: /^The log is intact/ }).waitFor()
  await pressUntil(page, 'Tab', first)
  await page.keyboard.press('Enter')
  await page.getByText('Hashed text', { exact: true }).waitFor()
  await visit.close()
})

test('names the row that was altered', async () => {
  const visit = await openDashboard({ screen: 'audit', organization: 'all' })
  const { page } = visit
  await page.route(chain, async (route) => {
    const response = await route.fetch()
    const body = (await response.json()) as ChainPage
    const link = body.data[20]
    if (link !== undefined) link.digest = link.hash
    await route.fulfill({ response, json: body })
  })
  await page.getByRole('button', { name: 'Verify the whole chain' }).click()
  const alert = page.getByRole('alert')
  await alert.getByRole('heading', { name: 'The log is not intact' }).waitFor()
  assert.match(await alert.innerText(), /Row 21: its hash does not follow from the row before it\./)
  await visit.close()
})

test('says at once if a loaded row is not what was hashed', async () => {
  const visit = await openDashboard({
    screen: 'audit',
    organization: 'all',
    prepare: alterNewestRow,
  })
  const { page } = visit
  await page.getByText('The log below is not intact.').waitFor()
  await page.getByText(/Row \d+: its content is not what the chain has\./).waitFor()
  await visit.close()
})

async function alterNewestRow(page: Page): Promise<void> {
  await page.route(`${url}/v1/audit-logs?*`, async (route) => {
    const response = await route.fetch()
    const body = (await response.json()) as { data: { content: string }[] }
    const [row] = body.data
    if (row !== undefined) row.content = row.content.replace('"action":"', '"action":"x')
    await route.fulfill({ response, json: body })
  })
}

test('filters survive a reload', async () => {
  const visit = await openDashboard({ screen: 'audit', organization: 'all' })
  const { page } = visit
  await page.getByRole('button', { name: 'All actions' }).click()
  await page.getByRole('checkbox', { name: /^API key created/ }).check()
  await page.getByRole('checkbox', { name: /^Organization created/ }).check()
  await page.keyboard.press('Escape')
  await page.getByLabel('Actor').fill('operator')
  await page.keyboard.press('Enter')
  await page.waitForURL(/search=operator/)
  await page.reload()
  await page.getByText(/rows shown; that is all/).waitFor()
  assert.equal(await page.getByLabel('Actor').inputValue(), 'operator')
  const texts = await page.locator('tbody td:last-child').allInnerTexts()
  assert.ok(texts.length > 0)
  for (const text of texts) assert.match(text, /was created/)
  await page.getByRole('button', { name: '2 actions' }).waitFor()
  await visit.close()
})

test('shows more rows, and never the same one twice', async () => {
  const visit = await openDashboard({ screen: 'audit', organization: 'all' })
  const { page } = visit
  await page.getByRole('button', { name: 'Show more' }).click()
  await page.getByText(/^100 of \d+ rows shown/).waitFor()
  const rows = await page.locator('tbody th').allInnerTexts()
  assert.equal(new Set(rows).size, 100)
  await visit.close()
})

test('saves the rows that are shown as CSV', async () => {
  const visit = await openDashboard({ screen: 'audit' })
  const { page } = visit
  await page.locator('tbody tr').first().waitFor()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'CSV' }).click(),
  ])
  const lines = readFileSync(await download.path(), 'utf8')
    .trimEnd()
    .split('\r\n')
  assert.match(lines[0] ?? '', /^position,time,action,/)
  assert.equal(lines.length - 1, await page.locator('tbody th').count())
  await visit.close()
})

test('a workspace without events says how to send the first', async () => {
  const { admin, root } = await createEmptyTenant()
  const visit = await openDashboard({ person: admin, root, organization: 'all', screen: 'audit' })
  const { page } = visit
  await page.getByText('No event arrived in 30 days').waitFor()
  await page.getByText('/ingest/v1/events').waitFor()
  await visit.close()
})
