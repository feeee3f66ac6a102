import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { startIdentityProvider, type TestProvider } from '../../server/test/identity-provider.ts'
import { press, ways } from './hands.ts'
import {
  createSignInLink,
  findOrganization,
  openBrowser,
  runAdmin,
  signInByLink,
  url,
  waitUntilLoaded,
} from './open.ts'
import { addPerson, createEmptyTenant, type TestTenant } from './tenants.ts'

// How people get in, stay in, and are refused: each flow by mouse and by keyboard alone.

let provider: TestProvider
let bound: TestTenant
let tenant: TestTenant

before(async () => {
  ;[bound, tenant] = await Promise.all([
    createEmptyTenant(['Bound Yard']),
    createEmptyTenant(['North Yard', 'South Yard']),
  ])
  provider = await startIdentityProvider('client-of-yard', { redirect_uris: [`${url}/auth/callback/yard`] })
  writeFileSync(
    process.env['SCHOLIAST_PROVIDERS_FILE'] ?? '',
    JSON.stringify({
      providers: [
        {
          id: 'yard',
          name: 'Yard',
          issuer: provider.issuer,
          client_id: provider.clientId,
          client_secret: provider.clientSecret,
          roots: [bound.rootId],
          domains: ['yard.example.com'],
        },
      ],
    }),
  )
})
after(() => provider.close())

for (const way of ways)
  describe(`by ${way}`, () => {
    test('signs in with the identity provider and returns to the screen that was opened', async () => {
      const email = await addPerson(bound.rootId, bound.organizationIds, {
        role: 'cr_admin',
        domain: 'yard.example.com',
      })
      provider.signInAs(email, { email, email_verified: true, name: 'Yard Admin' })
      const visit = await openBrowser()
      const { page } = visit
      await page.goto(`${url}/app/${bound.organizationIds[0]}/people?seat_filter=assigned`)
      await press(way, page.getByRole('link', { name: 'Sign in' }).first())
      await press(way, page.getByRole('link', { name: /Yard/ }).first())
      await page.getByRole('heading', { level: 1, name: 'People and seats' }).waitFor()
      assert.equal(new URL(page.url()).search, '?seat_filter=assigned')
      assert.deepEqual(visit.problems, [])
      await visit.close()
    })

    test('registers a passkey after a link, signs out, and signs in with it', async () => {
      const email = await addPerson(tenant.rootId, tenant.organizationIds, { role: 'cr_admin' })
      const visit = await openBrowser()
      const { page } = visit
      await page.goto(await createSignInLink(email, tenant.rootId))
      await press(way, page.getByRole('button', { name: 'Continue' }).first())
      await page.waitForURL(/\/app\b/)
      await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
      await page.goto(`${url}/auth/passkeys/new`)
      await press(way, page.getByRole('button', { name: 'Add a passkey' }).first())
      await page.getByRole('listitem').first().waitFor()
      await page.goto(`${url}/app/`)
      await press(way, page.getByRole('button', { name: 'Sign out' }).first())
      await page.getByRole('heading', { name: 'Sign in' }).waitFor()
      await press(way, page.getByRole('button', { name: 'Sign in with a passkey' }).first())
      await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
      assert.deepEqual(visit.problems, [])
      await visit.close()
    })

    test('opens the link of a new installation and sees the first step', async () => {
      const visit = await openBrowser()
      const { page } = visit
      const link = await createSignInLink(tenant.admin, tenant.rootId)
      await page.goto(link)
      await press(way, page.getByRole('button', { name: 'Continue' }).first())
      await page.getByRole('heading', { name: 'No findings in this period' }).waitFor()
      // It works once.
      const second = await openBrowser()
      await second.page.goto(link)
      assert.equal(await second.page.getByRole('button', { name: 'Continue' }).count(), 0)
      await Promise.all([visit.close(), second.close()])
    })

    test('a person who is deactivated is refused at the next click', async () => {
      const email = await addPerson(tenant.rootId, tenant.organizationIds, { role: 'cr_admin' })
      const visit = await openBrowser()
      const { page } = visit
      await signInByLink(page, email, tenant.rootId)
      await page.goto(`${url}/app/${tenant.organizationIds[0]}/overview`)
      await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
      await runAdmin('person', 'deactivate', '--person', email, '--root', tenant.rootId)
      await press(way, page.getByRole('link', { name: 'People and seats' }).first())
      await page.getByRole('heading', { name: 'You are signed out.' }).first().waitFor()
      assert.equal(await page.getByRole('table').count(), 0)
      await visit.close()
    })

    test('switches organizations without showing anything of the other', async () => {
      const visit = await openBrowser()
      const { page } = visit
      await signInByLink(page, 'ingrid.solheim@example.com', 'Meridian Freight')
      const [platform, terminals] = [
        findOrganization('Meridian Platform'),
        findOrganization('Meridian Terminals'),
      ]
      await page.goto(`${url}/app/${platform}/learnings`)
      const repository = page.locator('main').getByText(/booking-api|route-planner|design-tokens/)
      await repository.first().waitFor()
      const select = page.getByRole('combobox', { name: 'Organization' })
      if (way === 'mouse') await select.selectOption({ label: 'Meridian Terminals' })
      else {
        await select.focus()
        await page.keyboard.type('Meridian Terminals')
      }
      // From the first frame on that names the other one, also while it loads.
      const firstFrame = await page.waitForFunction((id) => {
        const shown = document.querySelector<HTMLSelectElement>('select[aria-label=Organization]')?.value
        return shown === id ? { text: document.querySelector('main')?.innerText ?? '' } : null
      }, terminals)
      const { text } = (await firstFrame.jsonValue()) ?? assert.fail()
      assert.doesNotMatch(text, /booking-api|route-planner|design-tokens/)
      await page.waitForURL(`${url}/app/${terminals}/learnings`)
      await waitUntilLoaded(page)
      assert.doesNotMatch(await page.locator('main').innerText(), /booking-api|route-planner|design-tokens/)
      await page.goBack()
      await page.waitForURL(`${url}/app/${platform}/learnings`)
      await repository.first().waitFor()
      await visit.close()
    })
  })

test('an organization that the person is not a member of is refused', async () => {
  const visit = await openBrowser()
  await signInByLink(visit.page, tenant.admin, tenant.rootId)
  await visit.page.goto(`${url}/app/${findOrganization('Meridian Platform')}/overview`)
  await visit.page.getByRole('heading', { name: 'This is not one of your organizations' }).waitFor()
  const own = visit.page.getByRole('main').getByRole('link').first()
  const name = await own.innerText()
  await own.click()
  const current = visit.page.getByRole('combobox', { name: 'Organization' }).locator('option:checked')
  assert.equal(await current.innerText(), name)
  await visit.close()
})
