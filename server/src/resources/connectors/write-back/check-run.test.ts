import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readPermissions } from '../../../../../fake-forge/github/apps.ts'
import { mergePullRequest, pushCommit } from '../../../../../fake-forge/pull-request.ts'
import { addComment } from '../../../../../fake-forge/review.ts'
import { runUntilIdle } from '../../../../test/connectors/test-sync.ts'
import { useWriteBack } from '../../../../test/connectors/write-back.ts'
import { DAY_MS } from '../../../time.ts'

const { start } = useWriteBack()
const rounding = 'Prices are rounded half to even.'

test('a check run lists the Learnings that apply, once for each head commit', async (t) => {
  const { forge, repository, pullRequest, bob, addLearning, run, readConnector } = await start(t)
  await addLearning(rounding, 'src/price.ts')
  await run()
  const [first] = repository.checkRuns
  assert.ok(first)
  assert.deepEqual(
    [first.name, first.conclusion, first.headSha],
    ['Scholiast', 'neutral', pullRequest.headSha],
  )
  assert.equal(first.title, '1 Learning applies')
  assert.match(
    first.summary ?? '',
    /`Prices are rounded half to even\.`\n {2}Why: `.*written for src\/price\.ts\.`/,
  )
  addComment(forge, pullRequest, bob, 'Please review.')
  await run()
  assert.equal(repository.checkRuns.length, 1)
  pushCommit(forge, pullRequest, bob, { message: 'Again', changes: { 'src/price.ts': 'one\n' } })
  await run()
  assert.deepEqual(
    repository.checkRuns.map(({ headSha }) => headSha),
    [first.headSha, pullRequest.headSha],
  )
  const { write_back, error } = await readConnector()
  assert.deepEqual({ write_back, error }, { write_back: true, error: null })
})

test('a check run is changed when the list changes, also to an empty one', async (t) => {
  const { forge, repository, pullRequest, bob, addLearning, run, superuser } = await start(t)
  await addLearning(rounding, 'src/price.ts')
  await run()
  await addLearning('Prices have two decimals.', 'src/price.ts')
  addComment(forge, pullRequest, bob, 'One.')
  await run()
  assert.deepEqual(
    repository.checkRuns.map(({ title }) => title),
    ['2 Learnings apply'],
  )
  await superuser.query("update learning set state = 'disapproved', position = null")
  addComment(forge, pullRequest, bob, 'Two.')
  await run()
  assert.deepEqual(
    repository.checkRuns.map(({ title }) => title),
    ['No Learnings apply'],
  )
})

test('pending Learnings and those of other repositories are not listed, and an empty list is not written', async (t) => {
  const { repository, addLearning, run, superuser } = await start(t)
  await addLearning(rounding, 'src/price.ts')
  await superuser.query("update learning set state = 'pending', position = null")
  await addLearning('Round prices in src/price.ts with banker’s rounding.', 'src/price.ts', 1)
  await run()
  assert.deepEqual(repository.checkRuns, [])
})

test('a worker that is killed after it wrote leaves one check run', async (t) => {
  const { repository, addLearning, run, superuser } = await start(t)
  await addLearning(rounding, 'src/price.ts')
  await run()
  await superuser.query('delete from connector_check_run')
  await superuser.query(
    'update connector_pull_request set dirty_since = now(), due_at = now(), marks = marks + 1',
  )
  await run()
  assert.equal(repository.checkRuns.length, 1)
  const { rows } = await superuser.query('select check_run_id from connector_check_run')
  assert.deepEqual(rows, [{ check_run_id: String(repository.checkRuns[0]?.id) }])
})

test('nothing is written without the opt-in', async (t) => {
  const { repository, addLearning, run } = await start(t, { writeBack: false })
  await addLearning(rounding, 'src/price.ts')
  await run()
  assert.deepEqual(repository.checkRuns, [])
})

test('nothing is written to a public repository, nor to one that becomes public after it was read', async (t) => {
  const { forge, clock, repository, pullRequest, bob, addLearning, run, sync } = await start(t)
  await addLearning(rounding, 'src/price.ts')
  repository.isPrivate = false
  await run()
  assert.deepEqual(repository.checkRuns, [])
  repository.isPrivate = true
  addComment(forge, pullRequest, bob, 'Private again.')
  const late: typeof sync = {
    ...sync,
    async writeBack(connector, client, snapshot) {
      assert.ok(snapshot.repository.isPrivate)
      repository.isPrivate = false
      await sync.writeBack?.(connector, client, snapshot)
    },
  }
  clock.advance(2 * 60_000)
  await runUntilIdle(late)
  assert.equal(repository.isPrivate, false, 'it was read while it was private')
  assert.deepEqual(repository.checkRuns, [])
  repository.isPrivate = true
  addComment(forge, pullRequest, bob, 'Private for good.')
  await run()
  assert.equal(repository.checkRuns.length, 1)
})

test('an App without write permissions is reported, and reading goes on', async (t) => {
  const { forge, repository, pullRequest, alice, addLearning, run, sent, app, readConnector } = await start(
    t,
    {
      permissions: readPermissions,
    },
  )
  await addLearning(rounding, 'src/price.ts')
  await run()
  const refused = await readConnector()
  assert.match(String(refused['error']), /does not let the App write\. Give it the permissions/)
  assert.equal(refused['status'], 'active')
  app.permissions = { ...readPermissions, checks: 'write', pull_requests: 'write' }
  mergePullRequest(forge, pullRequest, alice, 'merge')
  await run()
  assert.ok(sent.some(({ type }) => type === 'pull_request.finalized'))
  assert.equal((await readConnector())['error'], null)
  assert.deepEqual(repository.checkRuns, [])
})

test('a pull request that nobody worked on for a week gets no check run', async (t) => {
  const { clock, repository, addLearning, run } = await start(t)
  await addLearning(rounding, 'src/price.ts')
  clock.advance(8 * DAY_MS)
  await run()
  assert.deepEqual(repository.checkRuns, [])
})
