import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openDashboard } from './open.ts'
import { failReads, isScreenRead } from './screens.ts'

test('Ctrl K goes to a screen by typing a part of its name', async () => {
  const visit = await openDashboard({ screen: 'overview' })
  const { page } = visit
  await page.keyboard.press('Control+k')
  const input = page.getByRole('combobox', { name: 'Screen or organization' })
  await input.waitFor()
  await page.waitForFunction(() => document.activeElement?.getAttribute('role') === 'combobox')
  await page.keyboard.type('audit')
  assert.equal(await input.inputValue(), 'audit')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Audit and health' }).waitFor()
  assert.deepEqual(visit.problems, [])
  await visit.close()
})

test('a screen shows 90 days if none are chosen, and says that the first week is cut off', async () => {
  const visit = await openDashboard({ screen: 'overview' })
  const { page } = visit
  const period = page.getByRole('button', { name: / \d{4} ▾$/ })
  const first = new Date()
  first.setUTCDate(first.getUTCDate() - 89)
  const cutOff = page.getByText('The first week is cut off')
  await period.click()
  assert.equal(await page.getByLabel('From').inputValue(), first.toISOString().slice(0, 10))
  assert.equal(await page.getByLabel('To').inputValue(), new Date().toISOString().slice(0, 10))
  assert.equal(await cutOff.count(), first.getUTCDay() === 1 ? 0 : 1)

  await page.getByRole('button', { name: '52 weeks' }).click()
  await cutOff.waitFor({ state: 'detached' })
  assert.equal(new Date(new URL(page.url()).searchParams.get('from') ?? '').getUTCDay(), 1)
  await period.click()
  await page.getByRole('button', { name: '90 days' }).click()
  await page.waitForURL((address) => address.search === '')
  await visit.close()
})

test('repositories that are chosen quickly, one after the other, are all checked at once and all kept', async () => {
  const visit = await openDashboard({ screen: 'overview' })
  const { page } = visit
  await page.getByRole('button', { name: 'All repositories' }).click()
  const boxes = page.getByRole('dialog').getByRole('checkbox')
  await boxes.first().waitFor()
  const checked = await boxes.evaluateAll((inputs) =>
    inputs.slice(0, 2).map((input) => {
      ;(input as HTMLInputElement).click()
      return (input as HTMLInputElement).checked
    }),
  )
  assert.deepEqual(checked, [true, true])
  await page.getByRole('button', { name: '2 repositories' }).waitFor()
  assert.equal(new URL(page.url()).searchParams.get('repository_ids')?.split(',').length, 2)
  await visit.close()
})

test('a limit of the plan is named as one, not as a missing right of the person', async () => {
  const failure = { status: 403, code: 'ENTERPRISE_REQUIRED', message: 'The plan does not include it.' }
  const visit = await openDashboard({
    screen: 'overview',
    prepare: (page) => failReads(page, (call) => (isScreenRead(call) ? failure : null)),
  })
  const alert = visit.page.getByRole('alert').first()
  assert.match(await alert.innerText(), /^Your plan does not include the acceptance figures\.\n/)
  await visit.close()
})
