import { execFile } from 'node:child_process'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { connect, type Pool } from '../db/connect.ts'
import { pluralize } from '../plural.ts'
import { compareRestored } from '../resources/restore-points/drill.ts'
import { insertDrillUnscoped, readDataUntilUnscoped } from '../resources/restore-points/drill-sql.ts'
import { defineCommand, IncompleteError, option, UsageError } from './command.ts'
import type { AdminContext } from './context.ts'

const runProgram = promisify(execFile)
const POLL_MS = 500
const isNever: Scratch['isStarting'] = () => Promise.resolve(false)

export const drillCommand = defineCommand({
  name: 'restore drill',
  summary: 'Restore the last backup into a folder, compare it with the database, delete it',
  environment: ['WORKER_DATABASE_URL'],
  options: {
    folder: option.text('DIRECTORY', 'Where to restore with pgBackRest: empty, with room for the database', {
      maxLength: 4096,
    }),
    stanza: option.text('NAME', 'The stanza of pgBackRest (default: main)'),
    restored: option.text('URL', 'Compare this database, which was restored by other means', {
      maxLength: 4096,
    }),
  },
  example: '--folder /var/lib/postgresql/drill',
  async run(admin, { folder, stanza = 'main', restored }) {
    if ((folder === undefined) === (restored === undefined))
      throw new UsageError('Give --folder, or --restored if you have restored the backup already.')
    const started = performance.now()
    if (restored !== undefined) return compare(admin, restored, started)
    const scratch = await restoreInto(admin, String(folder), stanza)
    try {
      return await compare(admin, scratch.url, started, scratch.isStarting)
    } finally {
      await scratch.remove()
    }
  },
})

async function compare(admin: AdminContext, url: string, started: number, isStarting = isNever) {
  const { pool: live, now } = await admin.operator()
  const copy = connect({ url, name: 'admin', connections: 2 })
  try {
    while (await isStarting(copy)) await sleep(POLL_MS)
    const dataUntil = await readDataUntilUnscoped(copy)
    const { problems, ...found } = await compareRestored(live, copy, admin.reportProgress)
    if (problems.length > 0) {
      const output = { rows: problems.map((problem) => ({ problem })), emptyMessage: '' }
      throw new IncompleteError(
        `The backup is not sound: ${pluralize(problems.length, 'problem')}. Make a full backup, and find out why.`,
        output,
      )
    }
    const seconds = Math.round((performance.now() - started) / 1000)
    await insertDrillUnscoped(live, dataUntil, seconds)
    const age = dataUntil && Math.round((now().getTime() - dataUntil.getTime()) / 60_000)
    const fields = {
      roots: found.roots,
      audit_rows: found.auditRows,
      learnings: found.learnings,
      pull_requests: found.pullRequests,
      pull_requests_compared: found.sampled,
      data_until: dataUntil?.toISOString() ?? null,
      seconds,
    }
    const how = age === null ? '' : ` Its data is ${pluralize(age, 'minute')} old.`
    return { message: `The backup is sound.${how}`, fields }
  } finally {
    await copy.end()
  }
}

interface Scratch {
  readonly url: string
  /** Whether it still reads the log. Throws if it has stopped. */
  readonly isStarting: (copy: Pool) => Promise<boolean>
  remove(): Promise<void>
}

/** Needs pgbackrest and pg_ctl on the path, and the user that owns the files of the database. */
async function restoreInto(
  { env, reportProgress }: AdminContext,
  folder: string,
  stanza: string,
): Promise<Scratch> {
  if (!isAbsolute(folder)) throw new UsageError('--folder must be an absolute path.')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  if ((await readdir(folder)).length > 0)
    throw new UsageError(`${folder} is not empty. Choose another folder.`)
  const data = join(folder, 'data')
  const remove = async () => {
    await runProgram('pg_ctl', ['--pgdata', data, '--mode=immediate', 'stop']).catch(() => undefined)
    for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true, force: true })
  }
  try {
    reportProgress(`restoring the last backup of ${stanza} into ${folder}`)
    await runProgram('pgbackrest', [
      `--stanza=${stanza}`,
      `--pg1-path=${data}`,
      '--archive-mode=off',
      'restore',
    ])
    reportProgress('starting PostgreSQL on it; it reads the archived log first')
    // Only who may enter the folder can connect.
    await writeFile(join(folder, 'hba'), 'local all all trust\n', { mode: 0o644 })
    await writeFile(join(folder, 'settings'), '', { mode: 0o644 })
    const settings = Object.entries({
      config_file: join(folder, 'settings'),
      hba_file: join(folder, 'hba'),
      unix_socket_directories: folder,
      listen_addresses: '',
      port: '5432',
      archive_mode: 'off',
      shared_preload_libraries: '',
      synchronous_standby_names: '',
      ssl: 'off',
    }).map(([name, value]) => `-c ${name}='${value}'`)
    const start = ['--pgdata', data, '--log', join(folder, 'log'), '--wait', '--timeout=86400']
    await runProgram('pg_ctl', [...start, '--options', settings.join(' '), 'start'])
  } catch (error) {
    await remove()
    throw error
  }
  const { username, pathname } = new URL(env['WORKER_DATABASE_URL'] ?? '')
  return {
    url: `postgres://${username}@localhost${pathname}?host=${encodeURIComponent(folder)}&port=5432`,
    async isStarting(copy) {
      try {
        await readDataUntilUnscoped(copy)
        return false
      } catch {
        await runProgram('pg_ctl', ['--pgdata', data, 'status'])
        return true
      }
    },
    remove,
  }
}
