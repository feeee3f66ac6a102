import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { connectorRing } from '../../../../test/connectors/test-sync.ts'
import { createDatabase } from '../../../../test/database.ts'
import { disabledQueue } from '../../../bus/queue/queue.ts'
import { connect, type Pool } from '../../../db/connect.ts'
import { createLog } from '../../../observe/log.ts'
import { createMetrics } from '../../../observe/metrics.ts'
import { createEmbedderSet } from '../../../text/embed/embedder.ts'
import { GitWorkspaces } from '../git/workspaces.ts'
import { startConnectors } from './start.ts'

let pool: Pool
let directory: string

before(async () => {
  const database = await createDatabase()
  pool = connect({ url: database.urls.worker, name: 'test', connections: 2 })
  // The folder for temporary files of this process.
  const temporary = mkdtempSync(join(tmpdir(), 'scholiast-start-test-'))
  process.env['TMPDIR'] = temporary
  directory = join(temporary, 'scholiast-git')
  return async () => {
    await pool.end()
    await database.drop()
    rmSync(temporary, { recursive: true, force: true })
  }
})

function start(keys: typeof connectorRing) {
  const context = {
    database: pool,
    embedders: createEmbedderSet([]),
    log: createLog('test', 'silent'),
    metrics: createMetrics(),
    now: () => new Date(),
  }
  const options = { keys, hosts: new Map(), queue: disabledQueue }
  const check = () => Promise.resolve({ text: '' })
  return startConnectors(context, options, { check, findLearnings: () => Promise.resolve([]) })
}

test('without keys nothing runs and nothing is written', async () => {
  assert.equal(await start([]), null)
  assert.equal(existsSync(directory), false)
})

test('clones that a killed process left are removed at the start, its own when it stops', async () => {
  const running = await GitWorkspaces.open({ directory })
  const [other = ''] = readdirSync(directory)
  const [namespace = '', pid = '', started = '', ...rest] = other.split('-')
  // The same process id, started at another time.
  const left = join(directory, [namespace, pid, String(Number(started) - 1), ...rest].join('-'))
  mkdirSync(join(left, 'tenant', 'repository'), { recursive: true })
  const task = await start(connectorRing)
  assert.equal(existsSync(left), false)
  assert.equal(readdirSync(directory).length, 2)
  await task?.stop()
  assert.deepEqual(readdirSync(directory), [other])
  await running.close()
})
