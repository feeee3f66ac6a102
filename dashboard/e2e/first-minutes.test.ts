import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { openDashboard, waitUntilLoaded } from './open.ts'
import { createEmptyTenant } from './tenants.ts'

const run = promisify(execFile)
const MAX_RELOADS = 60
const repository = fileURLToPath(new URL('../..', import.meta.url))

test('in an empty organization, the command of Overview sends a finding that then appears', async () => {
  const { admin, root, organizationIds } = await createEmptyTenant()
  const visit = await openDashboard({ person: admin, root, organization: organizationIds[0] ?? '' })
  const { page } = visit
  await page.getByRole('heading', { name: 'No findings in this period' }).waitFor()
  await page.getByText('npm run admin').waitFor()
  const [command = '', create = ''] = await page.locator('pre').allInnerTexts()
  const created = await run('sh', ['-c', create], { cwd: repository })
  const [value] = /\bsch_ing_[\w.-]+/.exec(created.stdout) ?? assert.fail(created.stdout)
  const { stdout } = await run('sh', ['-c', command], {
    env: { ...process.env, SCHOLIAST_INGEST_KEY: value },
  })
  assert.match(stdout, /"accepted":2/)
  const finding = page.getByText('0 of 1 are still unknown').or(page.getByText('1 of 1 are still unknown'))
  for (let reload = 0; reload < MAX_RELOADS && (await finding.count()) === 0; reload++) {
    await page.reload()
    await waitUntilLoaded(page)
  }
  assert.equal(await finding.count(), 1)
  await visit.close()
})
