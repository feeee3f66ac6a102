import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTenant } from '../../test/fixture.ts'
import { applyEvents, createEventFactory, createTestWorker } from '../../test/learnings/events.ts'
import { localEmbedder } from '../../test/local-embedder.ts'
import { commands } from '../commands.ts'
import { createAdminContext } from './context.ts'
import { explainFailure } from './output.ts'
import { runCommand } from './program.ts'

const { database, superuser, tenant } = await openTenant()

async function run(...args: string[]): Promise<string> {
  const [organization] = tenant.workspace.organizations
  const admin = createAdminContext({ WORKER_DATABASE_URL: database.urls.worker }, () => {})
  const targetArgs = ['--root', tenant.workspace.root, '--organization', organization.orgId]
  try {
    return await runCommand(admin, commands, [...args, ...targetArgs])
  } catch (error) {
    return `rejected: ${explainFailure(error)}`
  } finally {
    await admin.close()
  }
}

async function readStoredSettings() {
  const { rows } = await superuser.query<{
    repository_id: string
    scope: string | null
    approval_delay: number | null
  }>('select repository_id, scope, approval_delay from learning_setting order by repository_id')
  return rows
}

test('settings are set for organizations and repositories; the repository overrides [S-state-5 P7-life-2]', async () => {
  const [{ id, repositories }] = tenant.workspace.organizations
  const [repository] = repositories
  const repository_id = repository?.repositoryId ?? ''
  assert.match(await run('settings', 'show'), /KNOWLEDGE_BASE\.LEARNINGS\.SCOPE[\s\S]*auto\s+0/)
  assert.match(
    await run('settings', 'set', '--approval-delay', '7', '--dry-run'),
    /would be: .*approval_delay 7/,
  )
  assert.deepEqual(await readStoredSettings(), [])
  assert.match(await run('settings', 'set', '--approval-delay', '7'), /now: .*approval_delay 7/)
  assert.match(await run('settings', 'set', '--approval-delay', '7'), /Nothing to change/)
  await run('settings', 'set', '--repository', repository_id, '--scope', 'local')
  assert.match(
    await run('settings', 'show', '--repository', repository_id),
    /scope\s+local\s+.*approval_delay\s+7/,
  )
  await run('settings', 'set', '--repository', repository_id, '--approval-delay', '0')
  assert.match(
    await run('settings', 'show', '--repository', repository_id),
    /scope\s+local\s+.*approval_delay\s+0/,
  )
  assert.deepEqual(await readStoredSettings(), [
    { repository_id: '', scope: null, approval_delay: 7 },
    { repository_id, scope: 'local', approval_delay: 0 },
  ])
  await run('settings', 'set', '--repository', repository_id, '--scope', 'unset', '--unset-approval-delay')
  assert.equal((await readStoredSettings()).length, 1)
  const { rows } = await superuser.query<{ metadata: object }>(
    `select metadata from audit_log where action = 'learning_setting_changed' and organization_id = $1 order by position`,
    [id],
  )
  assert.equal(rows.length, 4)
  assert.deepEqual(rows[0]?.metadata, {
    scope: null,
    approval_delay: 7,
    scope_before: null,
    approval_delay_before: null,
    before: { scope: null, approval_delay: null },
    after: { scope: null, approval_delay: 7 },
  })
})

test('invalid settings are rejected', async () => {
  assert.match(await run('settings', 'set'), /rejected: .*Nothing to set/)
  assert.match(await run('settings', 'set', '--scope', 'local', '--repository', 'none'), /rejected: .*none/)
})

test('an approval delay is 0 to 30 whole days, for an organization and for a repository [S-state-5 S-limit-10 P7-life-2]', async () => {
  const repository = tenant.workspace.organizations[0].repositories[1]?.repositoryId ?? assert.fail()
  for (const target of [[], ['--repository', repository]]) {
    const readDelay = async () =>
      (await readStoredSettings()).find(({ repository_id }) => repository_id === (target[1] ?? ''))
        ?.approval_delay
    for (const days of [30, 0, 1]) {
      assert.match(await run('settings', 'set', '--approval-delay', `${days}`, ...target), /approval_delay/)
      assert.equal(await readDelay(), days)
    }
    for (const days of ['31', '-1', '1.5', '1e1', '', 'two', '365']) {
      assert.match(
        await run('settings', 'set', `--approval-delay=${days}`, ...target),
        /rejected: .*approval-delay.*0 to 30/,
        days,
      )
      assert.equal(await readDelay(), 1, `"${days}" changes nothing`)
    }
  }
})

test('pending Learnings are listed, with their text only if --text is given', async () => {
  const [organization] = tenant.workspace.organizations
  const worker = createTestWorker(database, { embedders: [localEmbedder] })
  const { proposed } = createEventFactory(organization)
  assert.match(await run('learnings', 'pending'), /no Learnings/)
  await applyEvents(worker, organization, [
    proposed({ source: 'agent', author: { id: '5', username: 'ada' }, learning: 'Mind\nthe gap.' }),
  ])
  await worker.close()
  const listed = await run('learnings', 'pending')
  assert.match(listed, /agent\s+-\s+ada/)
  assert.doesNotMatch(listed, /gap/)
  assert.match(await run('learnings', 'pending', '--text'), /Mind the gap\./)
})

test('the status says what searches use, and how far a reindex is', async () => {
  const readStatus = async (...options: string[]) => {
    const admin = createAdminContext({ WORKER_DATABASE_URL: database.urls.worker }, () => {})
    try {
      return await runCommand(admin, commands, ['learnings', 'status', ...options])
    } finally {
      await admin.close()
    }
  }
  await superuser.query('delete from learning_model')
  await superuser.query(`insert into learning_calibration values ('next', 1, 0.4, 0.3, 0.4, 0.5)`)
  assert.match(await readStatus(), /^Searches use words only\. To search by meaning, install the local model/)
  assert.match(await readStatus('--json'), /"searches_use": ?"words"/)

  await superuser.query(`insert into learning_model values ('next', 32, 'filling')`)
  assert.match(
    await readStatus(),
    /^Searches use words only\. The worker reindexes with next: 0 of \d+ Learnings\./,
  )

  await superuser.query(`update learning_model set state = 'active'`)
  assert.match(await readStatus(), /^Searches use next\.\s/)
  assert.match(await readStatus('--json'), /"searches_use": ?"next"/)

  await superuser.query(`insert into learning_model values ('later', 32, 'filling')`)
  assert.match(await readStatus(), /^Searches use next\. Reindexing with later is not finished/)
})
