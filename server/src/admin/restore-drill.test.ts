import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type pg from 'pg'
import { copyDatabase, createDatabase, type TestDatabase } from '../../test/database.ts'
import { plantOrganizationLearnings } from '../../test/planted/learnings.ts'
import { plantPullRequest } from '../../test/planted/pull-request.ts'
import { createTestWriter } from '../../test/pull-requests.ts'
import { createTenant, type TestOrganization } from '../../test/tenant.ts'
import { commands } from '../commands.ts'
import { IncompleteError } from './command.ts'
import { createAdminContext } from './context.ts'
import { explainFailure } from './output.ts'
import { runCommand } from './program.ts'

// `prove -- restore` runs the command with pgBackRest; here the copy is made by PostgreSQL.

const folder = mkdtempSync(`${tmpdir()}/scholiast-`)
let live: TestDatabase
let copy: TestDatabase
let organization: TestOrganization
let superuser: pg.Pool

before(async () => {
  live = await createDatabase()
  const tenant = await createTenant(live)
  organization = tenant.workspace.organizations[0]
  await tenant.close()
  await write('before', 3)
  copy = await copyDatabase(live)
  await write('after', 2)
  superuser = copy.superuser()
})
after(async () => {
  await superuser.end()
  await Promise.all([live.drop(), copy.drop()])
  rmSync(folder, { recursive: true })
})

async function write(word: string, count: number): Promise<void> {
  const writer = createTestWriter(live)
  for (let number = 1; number <= count; number++) {
    await plantPullRequest(writer, organization, { day: '2026-01-15', word, number, repositoryId: word })
    await plantOrganizationLearnings(writer.database, organization, [{ text: `${word} ${number}` }])
  }
  await writer.close()
}

async function drill(...options: readonly string[]): Promise<string> {
  const env = { WORKER_DATABASE_URL: live.urls.worker, PATH: folder }
  const admin = createAdminContext(env, () => {})
  const chosen = options.length > 0 ? options : ['--restored', copy.urls.worker]
  try {
    return await runCommand(admin, commands, ['restore', 'drill', ...chosen])
  } catch (error) {
    return `${explainFailure(error)}\n${error instanceof IncompleteError ? error.rendered : ''}`
  } finally {
    await admin.close()
  }
}

async function countDrills(): Promise<number> {
  const pool = live.superuser()
  const { rowCount } = await pool.query('select from restore_drill')
  await pool.end()
  return rowCount ?? 0
}

test('a copy from before is sound while the live database goes on, and the drill is recorded', async () => {
  const output = await drill()
  assert.match(output, /The backup is sound/)
  assert.match(output, /pull_requests +3\n +pull_requests_compared +3\n/)
  assert.equal(await countDrills(), 1)
})

const damage: Readonly<Record<string, readonly [statement: string, undo: string | null, said: RegExp]>> = {
  'a pull request with other content': [
    `update pull_request set author_username = 'another' where repository_id = 'before' and number = 2`,
    null,
    /different in the copy: 1 of 3 pull requests of the week of 2026-01-12\./,
  ],
  'a missing pull request': [
    `delete from pull_request where repository_id = 'before' and number = 1`,
    null,
    /missing in the copy: 1 pull request of the week of 2026-01-12\./,
  ],
  'a missing Learning': [
    `delete from learning where text = 'before 1'`,
    null,
    /missing in the copy: 1 Learning\./,
  ],
  'a rewritten row of the audit log': [
    `update audit_log set metadata = '{"name": "another"}' where position = 1`,
    null,
    /the audit log of the copy does not verify\. Row 1/,
  ],
  'positions beyond those of the live database': [
    'update learning_head set position = position + 1000',
    'update learning_head set position = position - 1000',
    /the copy is at position 10\d\d of learnings, the live database at \d+\./,
  ],
}

for (const [what, [statement, undo, said]] of Object.entries(damage)) {
  test(`${what} is named, and no drill is recorded`, async () => {
    assert.ok(((await superuser.query(statement)).rowCount ?? 0) > 0)
    const recorded = await countDrills()
    assert.match(await drill(), said)
    assert.equal(await countDrills(), recorded)
    if (undo !== null) await superuser.query(undo)
  })
}

test('a program that is missing or fails is named with what it printed, and nothing is left in the folder', async () => {
  const scratch = join(folder, 'scratch')
  assert.match(
    await drill('--folder', scratch),
    /pgbackrest was not found\. Run this where the database runs/,
  )
  const failing = '#!/bin/sh\necho "ERROR: [055]: unable to load info file"\nexit 55\n'
  writeFileSync(join(folder, 'pgbackrest'), failing, { mode: 0o755 })
  assert.match(
    await drill('--folder', scratch),
    /pgbackrest failed: ERROR: \[055\]: unable to load info file/,
  )
  assert.deepEqual(readdirSync(scratch), [])
  writeFileSync(join(scratch, 'precious'), '')
  assert.match(await drill('--folder', scratch), /is not empty\. Choose another folder/)
  assert.deepEqual(readdirSync(scratch), ['precious'])
})
