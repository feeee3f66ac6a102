import pg from 'pg'
import { repeatUntilAborted } from '../time.ts'

const POLL_MS = 100
const REPORT_MS = 10_000

/** Watches a migrating session from a second connection: how far it is, and which sessions it waits for. */
export interface ProgressWatch {
  begin(migration: string): void
  end(): void
  /** The sessions that blocked last, since this was called before: `process 4711 (scholiast-worker)`. */
  takeBlockers(): string
  stop(): Promise<void>
}

// Other roles' statements are hidden from the owner, and must be: they may contain what a log must not.
const readProgress = `
  select array(
      select concat('process ', a.pid, ' (', coalesce(nullif(a.application_name, ''), a.usename, 'unknown'), ')')
      from pg_stat_activity a where a.pid = any (pg_blocking_pids($1)) order by a.pid) as blockers,
    (select concat_ws(', ', phase,
        case when blocks_total > 0 then concat(100 * blocks_done / blocks_total, ' % of the blocks') end)
      from pg_stat_progress_create_index where pid = $1) as index`

interface Progress {
  readonly blockers: readonly string[]
  readonly index: string | null
}

export async function startProgressWatch(
  ownerUrl: string,
  watched: pg.Client,
  say: (line: string) => void,
): Promise<ProgressWatch> {
  const { rows } = await watched.query<{ pid: number }>('select pg_backend_pid() as pid')
  const pid = rows[0]?.pid
  const client = new pg.Client({ connectionString: ownerUrl, application_name: 'scholiast-migrate-watch' })
  // Without the watch, migrating works as well, only silently.
  client.on('error', () => {})
  await client.connect()
  let current: { readonly migration: string; readonly since: number } | null = null
  let reportAt = 0
  let blockers: readonly string[] = []

  async function poll(): Promise<void> {
    if (current === null) return
    const [progress] = (await client.query<Progress>(readProgress, [pid])).rows
    if (progress === undefined || current === null) return
    if (progress.blockers.length > 0) blockers = progress.blockers
    if (Date.now() < reportAt) return
    reportAt = Date.now() + REPORT_MS
    const seconds = Math.round((Date.now() - current.since) / 1000)
    const waits = progress.blockers.length > 0 ? `waits for ${progress.blockers.join(', ')}` : null
    say(
      [`still applying ${current.migration} after ${seconds} s`, progress.index, waits]
        .filter(Boolean)
        .join(': '),
    )
  }

  const stopping = new AbortController()
  const stopped = repeatUntilAborted(stopping.signal, async () => {
    await poll().catch(() => {})
    return POLL_MS
  })
  return {
    begin(migration) {
      current = { migration, since: Date.now() }
      reportAt = Date.now() + REPORT_MS
      blockers = []
    },
    end() {
      current = null
    },
    takeBlockers() {
      const taken = blockers.slice(0, 5).join(', ')
      blockers = []
      return taken
    },
    async stop() {
      stopping.abort()
      await stopped
      await client.end().catch(() => {})
    },
  }
}
