import { execFile } from 'node:child_process'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { connect } from '../db/connect.ts'
import { pluralize } from '../plural.ts'
import { compareRestored } from '../resources/restore-points/drill.ts'
import { insertDrillUnscoped, readDataUntilUnscoped } from '../resources/restore-points/drill-sql.ts'
import { defineCommand, IncompleteError, option, UsageError } from './command.ts'
import type { AdminContext } from './context.ts'

const runProgram = promisify(execFile)
const POLL_MS = 500
const MAX_LOG_CHARS = 2_000

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
    // Before the restore, which may take hours.
    await admin.operator()
    if (folder === undefined) return compare(admin, String(restored), started)
    await requireEmpty(folder)
    try {
      return await compare(admin, await restoreInto(admin, folder, stanza), started)
    } finally {
      await remove(admin, folder)
    }
  },
})

async function compare(admin: AdminContext, url: string, started: number) {
  const { pool: live, now } = await admin.operator()
  const copy = connect({ url, name: 'admin', connections: 2 })
  try {
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

async function requireEmpty(folder: string): Promise<void> {
  if (!isAbsolute(folder)) throw new UsageError('--folder must be an absolute path.')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  if ((await readdir(folder)).length > 0)
    throw new UsageError(`${folder} is not empty. Choose another folder.`)
}

async function remove(admin: AdminContext, folder: string): Promise<void> {
  const stop = ['--pgdata', join(folder, 'data'), '--mode=immediate', 'stop']
  await runTool(admin, 'pg_ctl', stop).catch(() => undefined)
  for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true, force: true })
}

/** Needs the user that owns the files of the database. Returns the URL of the running copy. */
async function restoreInto(admin: AdminContext, folder: string, stanza: string): Promise<string> {
  const data = join(folder, 'data')
  admin.reportProgress(`restoring the last backup of ${stanza} into ${folder}`)
  const restore = [`--stanza=${stanza}`, `--pg1-path=${data}`, '--archive-mode=off', 'restore']
  await runTool(admin, 'pgbackrest', restore)
  admin.reportProgress('starting PostgreSQL on it; it reads the archived log first')
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
  const log = join(folder, 'log')
  const options = ['--log', log, '--wait', '--timeout=86400', '--options', settings.join(' ')]
  const { username, pathname } = new URL(admin.env['WORKER_DATABASE_URL'] ?? '')
  const url = `postgres://${username}@localhost${pathname}?host=${encodeURIComponent(folder)}&port=5432`
  try {
    await runTool(admin, 'pg_ctl', ['--pgdata', data, ...options, 'start'])
    // Until all of the archived log is read, the copy is a standby.
    while (!(await isPrimary(url))) {
      await runTool(admin, 'pg_ctl', ['--pgdata', data, 'status'])
      await sleep(POLL_MS)
    }
  } catch (error) {
    const logged = await readFile(log, 'utf8').catch(() => '')
    throw new Error(`The restored copy did not start:\n${logged.slice(-MAX_LOG_CHARS)}`, { cause: error })
  }
  return url
}

async function isPrimary(url: string): Promise<boolean> {
  const copy = connect({ url, name: 'admin', connections: 1 })
  try {
    await readDataUntilUnscoped(copy)
    return true
  } catch {
    return false
  } finally {
    await copy.end()
  }
}

/** A failure says what the program printed. */
async function runTool({ env }: AdminContext, name: 'pgbackrest' | 'pg_ctl', args: readonly string[]) {
  try {
    await runProgram(name, args, { env })
  } catch (error) {
    const { code, stdout = '', stderr = '' } = error as { code?: unknown; stdout?: string; stderr?: string }
    const printed = `${stdout}${stderr}`.trim()
    throw new Error(
      code === 'ENOENT'
        ? `${name} was not found. Run this where the database runs, with ${name} in PATH (docs/backup.md#drill).`
        : `${name} failed: ${printed}`,
      { cause: error },
    )
  }
}
