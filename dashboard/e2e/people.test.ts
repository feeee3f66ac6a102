import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { press, ways, write } from './hands.ts'
import { openDashboard, runAdmin, url } from './open.ts'
import { addPerson, createEmptyTenant, type TestTenant } from './tenants.ts'

function openPeople({ admin, root, organizationIds }: TestTenant, organization = organizationIds[0] ?? '') {
  return openDashboard({ person: admin, root, organization, screen: 'people' })
}

/** People of the tests have the part before the @ as their name. */
function nameOf(email: string): string {
  return email.replace(/@.*/, '')
}

function createKey({ rootId, organizationIds }: TestTenant, owner: string, name: string) {
  const words = ['--root', rootId, '--organization', organizationIds[0] ?? '', '--owner', owner]
  return runAdmin<{ value: string }>('key', 'create', '--kind', 'user', ...words, '--name', name)
}

/** Somebody to offboard, with a key that is in use and another one. The service stores the use of a key up to a minute late. */
async function addKeyOwner() {
  const tenant = await createEmptyTenant(['Harbour', 'Depot'])
  const email = await addPerson(tenant.rootId, tenant.organizationIds)
  const used = await createKey(tenant, email, 'nightly job')
  await createKey(tenant, email, 'laptop')
  const readStatus = async () => {
    const response = await fetch(`${url}/v1/keys/self`, { headers: { 'x-service-api-key': used.value } })
    await response.text()
    return response.status
  }
  assert.equal(await readStatus(), 200)
  await waitUntilUseIsStored(tenant, email)
  return { tenant, name: nameOf(email), readStatus }
}

async function waitUntilUseIsStored(tenant: TestTenant, email: string): Promise<void> {
  const { value } = await createKey(tenant, tenant.admin, 'admin')
  const preview = async () => {
    const response = await fetch(`${url}/v1/users/offboarding`, {
      method: 'POST',
      headers: { 'x-service-api-key': value, 'content-type': 'application/json' },
      body: JSON.stringify({ member: { email } }),
    })
    return (await response.json()) as { keys: { last_used_at: string | null }[] }
  }
  const isStored = async () => (await preview()).keys.some(({ last_used_at }) => last_used_at !== null)
  for (let attempt = 0; !(await isStored()); attempt++) {
    assert.ok(attempt < 90, 'the use of the key is listed')
    await sleep(1000)
  }
}

// Begun first, because it waits.
const keyOwners = ways.map((way) => [way, addKeyOwner()] as const)

describe('the last seat', { concurrency: true }, () => {
  for (const way of ways)
    test(`is given once, and the conflict is shown for each person, by ${way}`, async () => {
      const tenant = await createEmptyTenant(['Quay'], 1)
      const [first, second] = [
        nameOf(await addPerson(tenant.rootId, tenant.organizationIds)),
        nameOf(await addPerson(tenant.rootId, tenant.organizationIds)),
      ].sort((a, b) => a.localeCompare(b)) as [string, string]
      const visit = await openPeople(tenant)
      const { page, problems } = visit
      await page.getByText('0 used, 1 free').waitFor()

      await press(way, page.getByRole('checkbox', { name: `Select ${first}` }))
      await press(way, page.getByRole('checkbox', { name: `Select ${second}` }))
      await press(way, page.getByRole('button', { name: 'Assign seats' }))
      const report = page.getByRole('alert')
      await report.waitFor()
      assert.match(await report.innerText(), new RegExp(`${first}: has a seat\\.`))
      const failed = report.getByRole('row').filter({ hasText: second })
      assert.match(await failed.innerText(), /NO_SEATS_AVAILABLE/)
      await page.getByText('1 used, 0 free').waitFor()

      // The seat moves on: it is released after a look at who loses it, and the other person gets it.
      await press(way, page.getByRole('checkbox', { name: `Select ${second}` }))
      await press(way, page.getByRole('button', { name: 'Release seats…' }))
      await press(way, page.getByRole('button', { name: 'Release 1 seat' }))
      await page.getByText('0 used, 1 free').waitFor()
      await press(way, page.getByRole('button', { name: `Assign a seat to ${second}` }))
      await page.getByText(`${second}: has a seat.`).waitFor()
      await page.getByRole('button', { name: `Release the seat of ${second}` }).waitFor()

      assert.deepEqual(problems, [])
      await visit.close()
    })
})

describe('offboarding', { concurrency: true }, () => {
  for (const [way, owner] of keyOwners)
    test(`shows what ends, asks for keys in use, and returns a receipt, by ${way}`, async () => {
      const { tenant, name, readStatus } = await owner
      const visit = await openPeople(tenant, 'all')
      const { page, problems } = visit
      await write(way, page.getByRole('searchbox', { name: 'Search' }), name)
      await press(way, page.getByRole('button', { name, exact: true }))
      await press(way, page.getByRole('button', { name: 'Offboard…' }))
      const dialog = page.getByRole('dialog', { name: `Offboard ${name}` })
      const offboard = dialog.getByRole('button', { name: `Offboard ${name}` })
      await offboard.waitFor()
      assert.match(await dialog.innerText(), /Nothing was changed yet/)
      assert.equal(await dialog.getByRole('table', { name: 'Roles that end' }).getByRole('row').count(), 3)
      assert.match(
        await dialog.getByRole('row').filter({ hasText: 'laptop' }).innerText(),
        /never\s+is revoked/,
      )
      assert.equal(await offboard.getAttribute('aria-disabled'), 'true')
      assert.equal(await readStatus(), 200)

      await press(way, dialog.getByRole('checkbox', { name: 'Revoke nightly job even though it is in use' }))
      await press(way, offboard)
      await dialog.getByText(`${name} was offboarded`).waitFor()
      assert.equal(await readStatus(), 401)

      // The receipt is not stored anywhere: only a button closes it.
      await page.keyboard.press('Escape')
      await page.mouse.click(5, 5)
      const download = page.waitForEvent('download')
      await press(way, dialog.getByRole('button', { name: 'Save the receipt (JSON)' }))
      const saved = await download
      const { executed, receipt } = JSON.parse(await readFile(await saved.path(), 'utf8')) as {
        executed: boolean
        receipt: { rows: { hash: string }[]; head: { hash: string } }
      }
      assert.equal(executed, true)
      assert.equal(receipt.rows.at(-1)?.hash, receipt.head.hash)
      assert.match(
        await dialog.getByText('scholiast audit verify').innerText(),
        new RegExp(`--receipt ${saved.suggestedFilename()}`),
      )
      await press(way, dialog.getByRole('button', { name: 'Done' }))
      await dialog.waitFor({ state: 'detached' })

      assert.deepEqual(problems, [])
      await visit.close()
    })

  test('says that the last admin cannot be offboarded, and changes nothing', async () => {
    const tenant = await createEmptyTenant(['Pier'])
    const name = nameOf(tenant.admin)
    const visit = await openPeople(tenant)
    const { page } = visit
    await press('mouse', page.getByRole('button', { name, exact: true }))
    await press('mouse', page.getByRole('button', { name: 'Offboard…' }))
    const alert = page.getByRole('dialog').getByRole('alert')
    assert.match(await alert.innerText(), /last admin of Pier[\s\S]*409 LAST_ADMIN/)
    await visit.close()
  })
})

test('a dialog of one organization does not stay open in another', async () => {
  const tenant = await createEmptyTenant(['Mole', 'Basin'])
  const visit = await openPeople(tenant)
  const { page } = visit
  await page.getByRole('combobox', { name: 'Organization' }).selectOption({ label: 'Basin' })
  await page.waitForURL(new RegExp(tenant.organizationIds[1] ?? ''))
  await page.getByRole('button', { name: nameOf(tenant.admin), exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Change role…' }).click()
  await page.goBack()
  await page.waitForURL(new RegExp(tenant.organizationIds[0] ?? ''))
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await visit.close()
})
