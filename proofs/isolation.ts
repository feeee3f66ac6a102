import { type Canaries, makeCanaries } from '../server/test/canaries.ts'
import { makeDatabase, type TestDatabase } from '../server/test/database.ts'
import { startApi } from '../server/test/process.ts'
import { get, inParallel } from './client.ts'
import { copyWithout, type Edit } from './copy.ts'
import { report } from './report.ts'
import type { ProofOptions } from './run.ts'

/** The upper layer: every predicate by which a statement keeps to its scope. */
const statementScope: readonly Edit[] = [
  {
    file: 'access/sql.ts',
    find: 'where root_id = $1 and id = $2 and active and ($3::uuid is null or instance_id = $3)\n     and ($4::uuid[] is null or id = any ($4))',
    replace:
      'where $1::uuid is not null and id = $2 and active and ($3::uuid is null or $4::uuid[] is null or true)',
  },
  {
    file: 'resources/organizations/sql.ts',
    find: 'where root_id = $1 and id > $2',
    replace: 'where $1::uuid is not null and id > $2',
  },
  {
    file: 'resources/organizations/sql.ts',
    find: 'and instance_id = $4 and ($5::uuid[] is null or id = any ($5))',
    replace: 'and ($4::uuid is null or $5::uuid[] is null or true)',
  },
  {
    file: 'resources/organizations/sql.ts',
    find: 'and id = any ($4::uuid[])',
    replace: 'and $4::uuid[] is not null',
  },
  {
    file: 'resources/organizations/sql.ts',
    find: 'and organization_id = $4',
    replace: 'and $4::uuid is not null',
  },
]

interface Round {
  readonly name: string
  readonly withoutStatementScope: boolean
  readonly withoutRowSecurity: boolean
  readonly requests: number
}

/** Every organization's rows carry a word of its own; no answer may hold the word of an organization out of scope. */
export async function prove({ withoutCure, quick }: ProofOptions): Promise<void> {
  const requests = quick ? 4_000 : 100_000
  const both = {
    name: 'both layers off',
    withoutStatementScope: true,
    withoutRowSecurity: true,
    requests: 2_000,
  }
  const rounds: Round[] = [
    { name: 'both layers on', withoutStatementScope: false, withoutRowSecurity: false, requests },
    { name: "the statements' scope off", withoutStatementScope: true, withoutRowSecurity: false, requests },
    { name: 'row-level security off', withoutStatementScope: false, withoutRowSecurity: true, requests },
  ]
  const findings = []
  for (const round of withoutCure ? [both] : rounds) {
    const { foreign, served } = await runRound(round)
    findings.push({
      measure: `${round.name}: foreign words in ${round.requests} answers (${served} served)`,
      goal: '0',
      result: foreign,
      met: foreign === 0 && served > round.requests / 4,
    })
  }
  if (!withoutCure) {
    const { foreign } = await runRound(both)
    findings.push({
      measure: 'both layers off: the words are found',
      goal: '> 0',
      result: foreign,
      met: foreign > 0,
    })
  }
  report('isolation: canary fuzz over every endpoint', findings)
}

async function runRound(round: Round): Promise<{ foreign: number; served: number }> {
  const database = await makeDatabase()
  const copy = round.withoutStatementScope ? await copyWithout(statementScope) : null
  const limits = { LIMIT_ORGANIZATIONS: 'off', LIMIT_REPOSITORIES: 'off' }
  // Two processes: the machine has two processors, and a cursor of one must be good on the other.
  const nodes = await Promise.all([1, 2].map(() => startApi(database, limits, copy?.entry)))
  const canaries = await makeCanaries(database)
  try {
    if (round.withoutRowSecurity) await switchRowSecurityOff(database)
    return await fuzz(
      round,
      nodes.map(({ url }) => url),
      canaries,
    )
  } finally {
    await canaries.close()
    await Promise.all(nodes.map((node) => node.stop()))
    await copy?.remove()
    await database.drop()
  }
}

async function fuzz(
  round: Round,
  urls: readonly string[],
  canaries: Canaries,
): Promise<{ foreign: number; served: number }> {
  let foreign = 0
  let served = 0
  const cursors: string[] = []
  await inParallel(round.requests, 32, round.name, async (index) => {
    const caller = pick(canaries.callers)
    const { status, text } = await get(
      `${urls[index % urls.length]}${randomPath(canaries, cursors)}`,
      caller.key,
    )
    if (status === 500) throw new Error(`A request failed: ${text}`)
    if (status === 200) served += 1
    const words = text.match(/canary-[0-9a-f]{16}/g) ?? []
    if (words.some((word) => !caller.words.has(word))) foreign += 1
    const cursor = /"next_cursor":"([^"]{1,2000})"/.exec(text)?.[1]
    if (cursor !== undefined) cursors[index % Math.min(cursors.length + 1, 200)] = cursor
  })
  return { foreign, served }
}

/** Any endpoint with any organization, page size and anybody's cursor. */
function randomPath(canaries: Canaries, cursors: readonly string[]): string {
  const path =
    Math.random() < 0.4
      ? '/v1/organizations'
      : `/v1/organizations/${pick(canaries.organizations)}/repositories`
  const parameters = []
  if (Math.random() < 0.6) parameters.push(`limit=${pick([1, 1, 2, 3, 100, 101])}`)
  const cursor = cursors.length > 0 && Math.random() < 0.3 ? pick(cursors) : undefined
  if (cursor !== undefined) parameters.push(`cursor=${cursor}`)
  if (Math.random() < 0.02) parameters.push(`org_id=${pick(canaries.organizations)}`)
  return `${path}?${parameters.join('&')}`
}

async function switchRowSecurityOff(database: TestDatabase): Promise<void> {
  const client = database.superuser()
  const { rows } = await client.query<{ name: string }>(
    `select oid::regclass::text as name from pg_class where relrowsecurity and relnamespace = 'public'::regnamespace`,
  )
  for (const { name } of rows) await client.query(`alter table ${name} disable row level security`)
  await client.end()
}

function pick<Item>(items: readonly Item[]): Item {
  const item = items[Math.floor(Math.random() * items.length)]
  if (item === undefined) throw new Error('There is nothing to pick from.')
  return item
}
