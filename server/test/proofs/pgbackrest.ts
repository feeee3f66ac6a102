import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type EngineFolder, enginesScript, runAs, runOnce } from './own-engines.ts'

/** pgBackRest for a PostgreSQL of createOwnEngines, with the configuration of deploy/backup. */
export interface Backups {
  /** Makes a full backup; returns the bytes of the database and of the backup. */
  full(): { readonly database: number; readonly stored: number }
  /** Deletes what PostgreSQL has, which must be stopped, and restores it to the point; null = the end of the archive. */
  restore(point: Date | null): void
}

const configuration = fileURLToPath(new URL('../../../deploy/backup/pgbackrest.conf', import.meta.url))

/** Adds it to the private root, unless it is there. */
export function installPgBackRest(): void {
  execFileSync(enginesScript, ['up'], {
    env: { ...process.env, SCHOLIAST_ENGINES_EXTRA: 'pgbackrest' },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

/** The settings of docs/backup.md; a segment of the log is archived every second. */
export function toBackupSettings({ inside }: EngineFolder): string {
  const command = `pgbackrest --config=${inside}/backup/pgbackrest.conf --stanza=main archive-push %p`
  return `unix_socket_directories = '/tmp'
archive_mode = on
archive_timeout = 1
archive_command = '${command}'
`
}

export function createBackups({ inside, outside }: EngineFolder, url: string): Backups {
  const folder = `${inside}/backup`
  runOnce('install', '-d', '-o', 'postgres', '-g', 'postgres', '-m', '700', folder)
  const settings = readFileSync(configuration, 'utf8')
    .replace(/^repo1-path=.*$/m, `repo1-path=${folder}/repository\nlock-path=${folder}`)
    .replace(/^repo1-cipher-pass=.*$/m, 'repo1-cipher-pass=proof')
    .replace(/^pg1-path=.*$/m, `pg1-path=${inside}/pg\npg1-port=${new URL(url).port}\npg1-socket-path=/tmp`)
    .replace(/^log-level-console=.*$/m, 'log-level-console=warn')
  writeFileSync(`${outside}/backup/pgbackrest.conf`, settings, { mode: 0o644 })
  const run = (...args: readonly string[]) =>
    runOnce(
      ...runAs('postgres'),
      'pgbackrest',
      `--config=${folder}/pgbackrest.conf`,
      '--stanza=main',
      ...args,
    )
  run('stanza-create')
  return {
    full() {
      run('--type=full', 'backup')
      const [stanza] = JSON.parse(run('info', '--output=json')) as [
        { backup: { info: { size: number; repository: { size: number } } }[] },
      ]
      const info = stanza.backup.at(-1)?.info
      return { database: info?.size ?? 0, stored: info?.repository.size ?? 0 }
    },
    restore(point) {
      runOnce('find', `${inside}/pg`, '-mindepth', '1', '-delete')
      const target = point?.toISOString().replace('T', ' ').replace('Z', '+00')
      const toPoint = ['--type=time', `--target=${target}`, '--target-action=promote']
      run(...(point === null ? [] : toPoint), 'restore')
    },
  }
}
