import pg from 'pg'
import { CliError, exitCodes } from '../exit.ts'
import { type Copy, type CopySource, findDifference, type Review } from './copy.ts'
import { copyLines } from './lines.ts'
import { type ColumnType, reviewsTable } from './tables.ts'

// A schema of its own: the tables are not mixed with others.
const SCHEMA = 'scholiast'
const LINES_PER_INSERT = 2_000

const columnTypes: Readonly<Record<ColumnType, string>> = {
  text: 'text',
  integer: 'bigint',
  number: 'double precision',
  boolean: 'boolean',
  timestamp: 'timestamptz',
  date: 'date',
}
const reviewColumns = reviewsTable.columns.map(({ name, type }) => `${name} ${columnTypes[type]}`).join(', ')
const reviewNames = reviewsTable.columns.map(({ name }) => name).join(', ')

const createTables = `
  create schema if not exists ${SCHEMA};
  create table if not exists ${SCHEMA}.pull_request (
    pull_request_key uuid primary key,
    pr_url text not null,
    organization_id text not null,
    organization_name text,
    repository_id text not null,
    repository_name text,
    number bigint,
    author_id text,
    merged_at timestamptz,
    counted_on date not null
  );
  create table if not exists ${SCHEMA}.finding (
    pull_request_key uuid references ${SCHEMA}.pull_request on delete cascade,
    finding_id text,
    url text,
    severity text,
    category text,
    accepted boolean,
    reviewer text,
    primary key (pull_request_key, finding_id)
  );
  create table if not exists ${SCHEMA}.review (${reviewColumns}, primary key (organization_id, pr_url));
  create table if not exists ${SCHEMA}.sync_state (
    only_row boolean primary key default true check (only_row),
    source jsonb not null,
    cursor text,
    synced_at timestamptz not null default now()
  )`

// What a page makes of each pull request is its last write or removal, and the outcomes after that.
const applyChanges = `
  create temp table latest on commit drop as
    select distinct on (key) key, n, kind, change from staged
    where kind in ('written', 'removed') order by key, n desc;
  delete from ${SCHEMA}.pull_request p using latest l where p.pull_request_key = l.key;
  insert into ${SCHEMA}.pull_request
    select p.* from latest, jsonb_to_record(change) p (pull_request_key uuid, pr_url text, organization_id text,
      organization_name text, repository_id text, repository_name text, number bigint, author_id text,
      merged_at timestamptz, counted_on date)
    where kind = 'written';
  insert into ${SCHEMA}.finding
    select l.key, f.* from latest l, jsonb_to_recordset(change -> 'findings') f (finding_id text, url text, severity text,
      category text, accepted boolean, reviewer text)
    where kind = 'written';
  update ${SCHEMA}.finding f set accepted = o.accepted
    from (
      select distinct on (s.key, s.change ->> 'finding_id')
        s.key, s.change ->> 'finding_id' as finding_id, (s.change ->> 'accepted')::boolean as accepted
      from staged s left join latest l on l.key = s.key
      where s.kind = 'outcome' and s.n > coalesce(l.n, 0)
      order by s.key, s.change ->> 'finding_id', s.n desc
    ) o
    where f.pull_request_key = o.key and f.finding_id = o.finding_id`

// Rows that did not change stay, so that a run leaves few dead ones.
const replaceReviews = `
  begin;
  create temp table latest_review on commit drop as
    select distinct on (organization_id, pr_url) ${reviewNames} from staged_review
    order by organization_id, pr_url, n desc;
  delete from ${SCHEMA}.review r where not exists (
    select from latest_review l where l.organization_id = r.organization_id and l.pr_url = r.pr_url
      and l.* is not distinct from r.*
  );
  insert into ${SCHEMA}.review (${reviewNames}) select * from latest_review on conflict do nothing;
  commit`

export interface PostgresCopyOptions {
  readonly url: string
  readonly source: CopySource
  readonly restart: boolean
}

export async function openPostgresCopy({ url, source, restart }: PostgresCopyOptions): Promise<Copy> {
  const client = new pg.Client({ connectionString: url, application_name: 'scholiast metrics sync' })
  await client.connect().catch((error: Error) => {
    throw new CliError(`PostgreSQL cannot be reached: ${error.message}.`, {
      next: 'Check the URL after --to, and that the server accepts connections from here.',
    })
  })
  try {
    // Waits for the connection of a killed run, which PostgreSQL ends with its statement.
    await client.query(`set lock_timeout = '30s'`)
    await client.query(`select pg_advisory_lock(hashtext('${SCHEMA} metrics sync'))`).catch(() => {
      throw new CliError('Another run syncs into this database.', {
        next: 'Wait until it has ended.',
        exitCode: exitCodes.conflict,
      })
    })
    await client.query(createTables)
    await client.query('create temp table staged (n bigserial, key uuid, kind text, change jsonb)')
    await client.query(`create temp table staged_review (n bigserial, ${reviewColumns})`)
    if (restart)
      await client.query(
        `truncate ${SCHEMA}.pull_request, ${SCHEMA}.finding, ${SCHEMA}.review, ${SCHEMA}.sync_state`,
      )
    return new PostgresCopy(client, source, await readCursor(client, source))
  } catch (error) {
    await client.end()
    throw error
  }
}

class PostgresCopy implements Copy {
  readonly location = `the schema "${SCHEMA}"`
  readonly #client: pg.Client
  readonly #source: CopySource
  #cursor: string | null

  constructor(client: pg.Client, source: CopySource, cursor: string | null) {
    this.#client = client
    this.#source = source
    this.#cursor = cursor
  }

  cursor(): string | null {
    return this.#cursor
  }

  async apply(body: AsyncIterable<Uint8Array>, onLines: (lines: Uint8Array) => void) {
    await this.#client.query('begin')
    try {
      await this.#client.query('truncate staged')
      const staging = new Staging(this.#client)
      const end = await copyLines(body, (lines) => {
        onLines(lines)
        return staging.add(lines)
      })
      await staging.flush()
      await this.#client.query(applyChanges)
      await this.#storeCursor(end.next_cursor)
      await this.#client.query('commit')
      this.#cursor = end.next_cursor
      return end
    } catch (error) {
      await this.#client.query('rollback').catch(() => undefined)
      throw error
    }
  }

  async replaceReviews(pages: AsyncIterable<readonly Review[]>): Promise<void> {
    await this.#client.query('truncate staged_review')
    for await (const page of pages) {
      const rows = page
        .flatMap((record) => reviewsTable.toRows(record))
        .map((cells) =>
          Object.fromEntries(reviewsTable.columns.map(({ name }, index) => [name, cells[index]])),
        )
      await this.#client.query(
        `insert into staged_review (${reviewNames}) select * from jsonb_to_recordset($1) r (${reviewColumns})`,
        [JSON.stringify(rows)],
      )
    }
    await this.#client.query(replaceReviews).catch(async (error: unknown) => {
      await this.#client.query('rollback').catch(() => undefined)
      throw error
    })
  }

  publish(): Promise<void> {
    return Promise.resolve()
  }

  close(): Promise<void> {
    return this.#client.end()
  }

  async #storeCursor(cursor: string | null): Promise<void> {
    await this.#client.query(
      `insert into ${SCHEMA}.sync_state (source, cursor) values ($1, $2)
       on conflict (only_row) do update set source = excluded.source, cursor = excluded.cursor, synced_at = now()`,
      [JSON.stringify(this.#source), cursor],
    )
  }
}

/** Sends the lines of a response to PostgreSQL, which parses them. */
class Staging {
  readonly #client: pg.Client
  #lines: string[] = []

  constructor(client: pg.Client) {
    this.#client = client
  }

  async add(lines: Uint8Array): Promise<void> {
    for (const line of Buffer.from(lines).toString().split('\n')) if (line !== '') this.#lines.push(line)
    if (this.#lines.length >= LINES_PER_INSERT) await this.flush()
  }

  async flush(): Promise<void> {
    if (this.#lines.length === 0) return
    const lines = this.#lines
    this.#lines = []
    await this.#client.query(
      `insert into staged (key, kind, change)
       select (change ->> 'pull_request_key')::uuid, change ->> 'kind', change
       from unnest($1::text[]) with ordinality given (line, index), lateral (select line::jsonb as change) parsed
       where change ->> 'pull_request_key' is not null order by index`,
      [lines],
    )
  }
}

async function readCursor(client: pg.Client, source: CopySource): Promise<string | null> {
  const { rows } = await client.query<{ source: CopySource; cursor: string | null }>(
    `select source, cursor from ${SCHEMA}.sync_state`,
  )
  const [stored] = rows
  if (stored === undefined) return null
  const difference = findDifference(stored.source, source)
  if (difference === null) return stored.cursor
  throw new CliError(difference, {
    next: 'Use the same options or another database, or add --restart to make the copy again.',
    exitCode: exitCodes.usage,
  })
}
