import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { TestDatabase } from '../../server/test/database.ts'
import type { Measurement } from '../tools/report.ts'
import type { NumberedEvents } from './events.ts'
import type { Acknowledged } from './sender.ts'

type Superuser = ReturnType<TestDatabase['superuser']>

/** Counts the write positions of a pull request: a second one would show it to readers twice. */
export const createWriteLog = `
  create table write_log (number bigint not null);
  create function note_write() returns trigger language plpgsql security definer set search_path = public as $$
    begin insert into write_log values (new.number); return null; end $$;
  create trigger note_insert after insert on pull_request for each row execute function note_write();
  create trigger note_update after update on pull_request for each row
    when (old.position is distinct from new.position) execute function note_write()`

const selectRepeatedWrites = `select count(*)::int - count(distinct number)::int as found from write_log`
const selectRepeatedOutcomes = `
  select (select count(*) - count(distinct pull_request_key) from outcome)::int
    + (select count(*) - count(distinct (entry::json ->> 'pr_url')) from review_comment_change)::int as found`
const selectStoredCounts = `
  select (select count(*) from pull_request)::int as pull_requests, (select count(*) from outcome)::int as outcomes`
const selectPullRequestChunk = `select number as place, event_id, entry, (
    select json_agg(json_build_object('finding_id', finding_id, 'url', url, 'severity', severity, 'category', category,
      'accepted', accepted, 'reviewer', reviewer) order by ordinal)::text
    from finding f where f.root_id = p.root_id and f.pull_request_key = p.pull_request_key) as findings
  from pull_request p where number > $1 order by number limit $2`
// Also those of pull requests that were not sent, which have no number here.
const selectOutcomeChunk = `select event_id as place, finding_id, accepted, source from outcome
  where event_id > $1 order by event_id limit $2`
const CHUNK_SIZE = 5_000

interface Verdict {
  readonly stored: number
  /** Acknowledged but missing. */
  readonly lost: number
  readonly double: number
  /** Stored with other content than was sent. */
  readonly altered: number
  readonly neverSent: number
}

async function countStored(superuser: Superuser): Promise<{ pullRequests: number; outcomes: number }> {
  const { rows } = await superuser.query<{ pull_requests: number; outcomes: number }>(selectStoredCounts)
  return { pullRequests: rows[0]?.pull_requests ?? 0, outcomes: rows[0]?.outcomes ?? 0 }
}

/** Waits until everything is stored, or no new rows have appeared for a while. */
export async function waitUntilStored(
  superuser: Superuser,
  { pullRequests, outcomes }: Acknowledged,
  maxIdleMs: number,
): Promise<void> {
  let before = -1
  let idleDeadline = Date.now() + maxIdleMs
  for (;;) {
    const stored = await countStored(superuser)
    if (stored.pullRequests >= pullRequests.size && stored.outcomes >= outcomes.size) return
    const now = stored.pullRequests + stored.outcomes
    if (now > before) idleDeadline = Date.now() + maxIdleMs
    else if (Date.now() > idleDeadline) return
    before = now
    await sleep(200)
  }
}

export function measureStored(
  what: string,
  { stored, lost, double, altered, neverSent }: Verdict,
): Measurement {
  return {
    measure: `${stored} ${what} stored: lost, duplicated, altered, never sent`,
    goal: '0, 0, 0, 0',
    result: [lost, double, altered, neverSent].join(', '),
    met: stored > 0 && lost + double + altered + neverSent === 0,
  }
}

/** Call it when every sent event was acknowledged. */
export async function verifyPullRequests(
  superuser: Superuser,
  events: NumberedEvents,
  { pullRequests, outcomes }: Acknowledged,
): Promise<Verdict> {
  let stored = 0
  let altered = 0
  let neverSent = 0
  for await (const row of readChunks<PullRequestRow>(superuser, selectPullRequestChunk)) {
    stored += 1
    if (!pullRequests.has(Number(row.place))) neverSent += 1
    else if (!isAsSent(row, events, outcomes.has(Number(row.place)))) altered += 1
  }
  const lost = pullRequests.size - (stored - neverSent)
  return { stored, lost, altered, neverSent, double: await count(superuser, selectRepeatedWrites) }
}

export async function verifyOutcomes(
  superuser: Superuser,
  events: NumberedEvents,
  { outcomes }: Acknowledged,
): Promise<Verdict> {
  const found = new Set<number>()
  let altered = 0
  let neverSent = 0
  const sent = new Map([...outcomes].map((number) => [events.outcome(number)?.id, number]))
  for await (const { place, ...row } of readChunks<OutcomeRow>(superuser, selectOutcomeChunk)) {
    const number = sent.get(place)
    const event = number === undefined ? null : events.outcome(number)
    if (number === undefined || event === null) neverSent += 1
    else {
      found.add(number)
      const { finding_id, accepted, source } = event.payload
      if (!isDeepStrictEqual(row, { finding_id, accepted, source })) altered += 1
    }
  }
  const lost = [...outcomes].filter((number) => !found.has(number)).length
  return {
    stored: found.size,
    lost,
    altered,
    neverSent,
    double: await count(superuser, selectRepeatedOutcomes),
  }
}

interface PullRequestRow {
  readonly place: string
  readonly event_id: string
  readonly findings: string
  readonly entry: string
}

interface OutcomeRow {
  readonly place: string
  readonly finding_id: string
  readonly accepted: boolean | null
  readonly source: string
}

function isAsSent(row: PullRequestRow, events: NumberedEvents, hasOutcome: boolean): boolean {
  const { id, payload } = events.finalized(Number(row.place))
  const outcome = hasOutcome ? events.outcome(Number(row.place)) : null
  const findings = payload.findings.map(({ id: finding_id, url, severity, category, reviewer }) => {
    const accepted = finding_id === outcome?.payload.finding_id ? outcome.payload.accepted : null
    return { finding_id, url, severity, category, accepted, reviewer }
  })
  const entry = {
    pr_url: payload.url,
    organization_id: payload.organization.id,
    repository_id: payload.repository.id,
    author_id: payload.author?.id ?? null,
    merged_at: payload.merged_at,
    coderabbit_comments: findings.map(({ url, severity, category, accepted }) => ({
      url,
      severity,
      category,
      accepted,
    })),
  }
  return (
    row.event_id === id &&
    isDeepStrictEqual(JSON.parse(row.findings), findings) &&
    isDeepStrictEqual(JSON.parse(row.entry), entry)
  )
}

async function* readChunks<Row extends { readonly place: string }>(
  superuser: Superuser,
  chunk: string,
): AsyncGenerator<Row, void> {
  let after = '0'
  for (;;) {
    const { rows } = await superuser.query<Row & object>(chunk, [after, CHUNK_SIZE])
    yield* rows
    const last = rows.at(-1)
    if (last === undefined) return
    after = last.place
  }
}

async function count(superuser: Superuser, statement: string): Promise<number> {
  const { rows } = await superuser.query<{ found: number }>(statement)
  return rows[0]?.found ?? 0
}
