import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { chooseFirst, press, type Way, ways, write } from './hands.ts'
import { openDashboard, url } from './open.ts'

const ORGANIZATION = 'Meridian Platform'
for (const way of ways)
  describe(`by ${way}`, () => {
    test('a key is created, rotated and revoked, and each step acts on the API', async () => {
      const visit = await openDashboard({ organization: ORGANIZATION, screen: 'keys' })
      const { page } = visit
      await visit.context.grantPermissions(['clipboard-read', 'clipboard-write'])
      const keyName = `Nightly export by ${way}`
      const button = (label: string) => page.getByRole('button', { name: label, exact: true })

      await press(way, button('Create a key'))
      await write(way, page.getByLabel('Name', { exact: true }), keyName)
      await press(way, button('Create the key'))
      const first = await takeValue(page, way, keyName)
      assert.deepEqual(await readSelf(first), { status: 200, name: keyName })
      await assertForgotten(page, first)

      await press(way, button(`Rotate ${keyName}`))
      await chooseFirst(way, page.getByLabel('The old key works for'))
      await press(way, button('Rotate the key'))
      const second = await takeValue(page, way, keyName)
      assert.deepEqual(await readSelf(second), { status: 200, name: keyName })
      assert.equal((await readSelf(first)).status, 401)
      await assertForgotten(page, second)

      await press(way, button(`Revoke ${keyName}`))
      await press(way, button('Revoke the key'))
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await button(`Revoke ${keyName}`).waitFor({ state: 'detached' })
      assert.equal((await readSelf(second)).status, 401)
      const memory = await readMemory(page)
      assert.deepEqual([memory.includes(first), memory.includes(second)], [false, false])
      assert.deepEqual(visit.problems, [])
      assert.deepEqual(visit.external, [])
      await visit.close()
    })

    test('a role is created, its name is refused a second time, and it is deleted', async () => {
      const visit = await openDashboard({ organization: ORGANIZATION, screen: 'keys' })
      const { page } = visit
      const role = `Auditor by ${way}`
      const button = (label: string) => page.getByRole('button', { name: label, exact: true })
      const column = page.getByRole('columnheader', { name: role })

      await press(way, button('Create a role'))
      await write(way, page.getByLabel('Name', { exact: true }), role)
      await press(way, button('Create the role'))
      await column.waitFor()

      // The API refuses the second one, and the dialog says why.
      await press(way, button('Create a role'))
      await write(way, page.getByLabel('Name', { exact: true }), role)
      await press(way, button('Create the role'))
      await page.getByRole('alert').getByText('409 ROLE_NAME_TAKEN').waitFor()
      await press(way, button('Cancel'))

      await press(way, button(`Delete ${role}`))
      await press(way, button('Delete the role'))
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await column.waitFor({ state: 'detached' })
      await visit.close()
    })
  })

/** Copies the value that is shown, and closes its dialog. */
async function takeValue(page: Page, way: Way, keyName: string): Promise<string> {
  const dialog = page.getByRole('dialog', { name: `The value of ${keyName}` })
  const value = await dialog.locator('code').first().innerText()
  // No key of the page takes it away.
  for (const key of ['Escape', 'g', 'o', 'Control+k']) await page.keyboard.press(key)
  assert.match(value, /^sch_usr_\w{20,}$/)
  assert.equal((await readMemory(page)).includes(value), true)
  await press(way, dialog.getByRole('button', { name: 'Copy the value' }))
  await dialog.getByText(`Copied the value of ${keyName}.`).waitFor()
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), value)
  await press(way, dialog.getByRole('button', { name: 'I have stored it' }))
  await dialog.waitFor({ state: 'detached' })
  return value
}

/** The value is not in the page, not in what the browser stores for it, and not in its address. */
async function assertForgotten(page: Page, value: string): Promise<void> {
  const places = await page.evaluate(async () => ({
    page: document.documentElement.outerHTML,
    fields: [...document.querySelectorAll<HTMLInputElement>('input, textarea')]
      .map((one) => one.value)
      .join(),
    address: location.href,
    history: JSON.stringify(history.state),
    local: JSON.stringify(localStorage),
    session: JSON.stringify(sessionStorage),
    cookies: document.cookie,
    databases: JSON.stringify(await indexedDB.databases()),
    caches: JSON.stringify(await caches.keys()),
  }))
  const found = Object.entries(places).filter(([, text]) => text.includes(value))
  assert.deepEqual(
    found.map(([where]) => where),
    [],
  )
}

/** All strings that scripts of the page can still reach. */
async function readMemory(page: Page): Promise<string> {
  const session = await page.context().newCDPSession(page)
  const chunks: string[] = []
  session.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => chunks.push(chunk))
  await session.send('HeapProfiler.collectGarbage')
  await session.send('HeapProfiler.takeHeapSnapshot')
  await session.detach()
  return chunks.join('')
}

async function readSelf(key: string): Promise<{ readonly status: number; readonly name?: string }> {
  const response = await fetch(`${url}/v1/keys/self`, { headers: { 'x-service-api-key': key } })
  const { name } = (await response.json()) as { name?: string }
  return name === undefined ? { status: response.status } : { status: response.status, name }
}
