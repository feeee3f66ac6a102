import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openDashboard, waitUntilLoaded } from './open.ts'
import { type Failure, failReads, isScreenRead, refused, screens } from './screens.ts'

const failures: readonly (Failure & { readonly says: RegExp })[] = [
  {
    status: 429,
    code: 'RATE_LIMIT_EXCEEDED',
    message: 'The rate limit is reached.',
    says: /Too many requests/,
  },
  {
    status: 503,
    code: 'OVERLOADED',
    message: 'The server is overloaded.',
    says: /busy, or part of it is unavailable/,
  },
  { status: 500, code: 'INTERNAL_ERROR', message: 'An internal error.', says: /The service failed/ },
  // Last, because it offers no retry.
  { ...refused, says: /You do not have access to/ },
]

for (const screen of screens)
  describe(`failures of ${screen}`, () => {
    test('each call in turn fails, is explained, and recovers', async (t) => {
      const calls = await listReads(screen)
      assert.ok(
        calls.length >= 1 && calls.length <= 4,
        `${screen} makes ${calls.length} calls: ${calls.join(' ')}`,
      )
      t.diagnostic(`${calls.length} calls`)
      let failing: { readonly call: string; readonly failure: Failure } | null = null
      const visit = await openDashboard({
        screen,
        prepare: (page) =>
          failReads(page, (path) => (nameCall(path) === failing?.call ? failing.failure : null)),
      })
      const { page } = visit
      for (const call of calls) {
        for (const [index, { says, ...failure }] of failures.entries()) {
          failing = { call, failure }
          // A refusal, the last failure of the call before, does not pass by itself: the page is opened again.
          if (index === 0) await page.reload()
          else await page.getByRole('button', { name: 'Retry now' }).first().click()
          const alert = page.getByRole('alert').filter({ hasText: says }).first()
          await alert.waitFor()
          assert.match(await alert.innerText(), new RegExp(`${failure.status} ${failure.code}`))
          const refusals = await page.getByRole('alert').getByText(refused.code).count()
          assert.equal(refusals > 0, failure.code === refused.code)
        }
      }
      failing = null
      await page.reload()
      await waitUntilLoaded(page)
      assert.equal(await page.getByRole('alert').count(), 0)
      assert.deepEqual(visit.problems, [])
      await visit.close()
    })
  })

test('a failure that passes by itself is retried without a click', async () => {
  let isFailing = true
  const failure = { status: 503, code: 'OVERLOADED', message: 'The server is overloaded.' }
  const visit = await openDashboard({
    screen: 'overview',
    prepare: (page) => failReads(page, (path) => (isFailing && isScreenRead(path) ? failure : null)),
  })
  await visit.page
    .getByText(/Retrying automatically/)
    .first()
    .waitFor()
  isFailing = false
  await visit.page.getByText(/of what reviewers found was acted on/).waitFor()
  await visit.close()
})

test('permissions that could not be read are one failure above the screen, and no control is allowed meanwhile', async () => {
  let isFailing = true
  const failure = { status: 500, code: 'INTERNAL_ERROR', message: 'An internal error.' }
  const visit = await openDashboard({
    screen: 'keys',
    prepare: (page) => failReads(page, (path) => (isFailing && path === '/v1/keys/self' ? failure : null)),
  })
  const { page } = visit
  const create = page.getByRole('button', { name: 'Create a key' })
  await page.getByRole('alert').first().waitFor()
  assert.equal(await page.getByRole('alert').count(), 1)
  assert.match((await create.getAttribute('title')) ?? '', /could not be loaded/)
  isFailing = false
  await page.getByRole('button', { name: 'Retry now' }).click()
  await page.locator('button:not([title])', { hasText: 'Create a key' }).waitFor()
  assert.equal(await page.getByRole('alert').count(), 0)
  await visit.close()
})

test('without the list of permissions, no role can be created or changed', async () => {
  const failure = { status: 500, code: 'INTERNAL_ERROR', message: 'An internal error.' }
  const visit = await openDashboard({
    screen: 'keys',
    prepare: (page) => failReads(page, (path) => (path === '/v1/roles/permissions' ? failure : null)),
  })
  const create = visit.page.getByRole('button', { name: 'Create a role' })
  assert.equal(await create.getAttribute('aria-disabled'), 'true')
  assert.match((await create.getAttribute('title')) ?? '', /list of permissions is not loaded/)
  await visit.close()
})

/** Which part of the chain is read depends on the newest row, and other tests write rows. */
function nameCall(call: string): string {
  return call.replace(/\/chain\?.*/, '/chain')
}

/** The reads of a screen besides those of the frame. */
async function listReads(screen: string): Promise<readonly string[]> {
  const reads = new Set<string>()
  const visit = await openDashboard({
    screen,
    prepare: async (page) => {
      page.on('request', (request) => {
        const { pathname, search } = new URL(request.url())
        if (pathname.startsWith('/v1/') && isScreenRead(pathname + search))
          reads.add(nameCall(pathname + search))
      })
    },
  })
  await visit.close()
  return [...reads]
}
