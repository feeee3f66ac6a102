import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConnectorTest } from '../../../../test/connectors/connector-test.ts'
import { runUntilIdle } from '../../../../test/connectors/test-sync.ts'
import { DAY_MS, HOUR_MS } from '../../../time.ts'

const connector = await ConnectorTest.open()

test('last_event_at moves only when something changed', async () => {
  const repository = connector.forge.addRepository('700')
  const at = connector.forge.now().toISOString()
  connector.forge.write(repository, 1, { state: 'merged', mergedAt: at, closedAt: at })
  await runUntilIdle(connector.createSync())
  const { last_event_at: first } = await connector.readConnector()
  assert.ok(first)
  const reads = () => connector.forge.requests.filter((name) => name === 'read').length
  const earlier = reads()
  connector.clock += DAY_MS
  await runUntilIdle(connector.createSync())
  assert.ok(reads() > earlier)
  assert.equal((await connector.readConnector())['last_event_at'], first)
  connector.forge.write(repository, 1, { url: 'https://github.com/acme/r700/pull/1?changed' })
  connector.clock += HOUR_MS
  await runUntilIdle(connector.createSync())
  assert.notEqual((await connector.readConnector())['last_event_at'], first)
})

test('lag_seconds leaves out pull requests of repositories that are not read any more', async () => {
  await runUntilIdle(connector.createSync())
  await connector.superuser.query(
    `insert into connector_pull_request (root_id, organization_id, connector_id, repository_id, number, dirty_since, marks, due_at)
     select root_id, organization_id, id, '700', 1, now() - interval '1 hour', 1, now() from connector`,
  )
  assert.ok(Number((await connector.readConnector())['lag_seconds']) >= 3600)
  await connector.superuser.query('update connector_repository set active = false')
  assert.equal((await connector.readConnector())['lag_seconds'], 0)
})

test('that git cannot read is shown, and is no failure', async () => {
  const repository = connector.forge.addRepository('700')
  const at = connector.forge.now().toISOString()
  connector.forge.write(repository, 1, { state: 'merged', mergedAt: at, closedAt: at })
  let error: string | null = 'git cannot read a repository.'
  const sync = connector.createSync({
    async detectOutcomes(_, __, ___, ____, { recordGitError }) {
      await recordGitError(error)
      return []
    },
  })
  await runUntilIdle(sync)
  const shown = await connector.readConnector()
  assert.deepEqual([shown['status'], shown['error']], ['active', error])
  error = null
  connector.clock += DAY_MS
  await runUntilIdle(sync)
  assert.equal((await connector.readConnector())['error'], null)
})
