import { makeDatabase, type TestDatabase } from '../server/test/database.ts'
import { type Canaries, makeCanaries } from '../server/test/planted/canaries.ts'
import { startApi } from '../server/test/process.ts'
import { learningsScope, statementScope } from './isolation/statement-scope.ts'
import type { ProofOptions } from './run.ts'
import { get, inParallel, postJson } from './tools/client.ts'
import { copyWithout } from './tools/copy.ts'
import { report } from './tools/report.ts'

const organizations = '/v1/organizations'
const repositories = '/v1/organizations/{organization_id}/repositories'
const reviewComments = '/v1/metrics/review-comments'
const changes = '/v1/metrics/review-comments/changes'
const learnings = '/v1/learnings'
const reviewContext = '/v1/review-context'
const endpoints = [organizations, repositories, reviewComments, changes, learnings, reviewContext] as const
type Path = (typeof endpoints)[number]

interface Outcome {
  /** Answers with the word of an organization out of scope. */
  readonly foreign: Readonly<Record<Path, number>>
  readonly served: number
}

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
    const found = endpoints.reduce((sum, path) => sum + foreign[path], 0)
    findings.push({
      measure: `${round.name}: foreign words in ${round.requests} answers (${served} served)`,
      goal: '0',
      result: found,
      met: found === 0 && served > round.requests / 4,
    })
  }
  if (!withoutCure) {
    const { foreign } = await runRound(both)
    for (const path of endpoints) {
      findings.push({
        measure: `both layers off: the words are found at ${path}`,
        goal: '> 0',
        result: foreign[path],
        met: foreign[path] > 0,
      })
    }
  }
  report('isolation: canary fuzz over every endpoint', findings)
}

async function runRound(round: Round): Promise<Outcome> {
  const database = await makeDatabase()
  const copy = round.withoutStatementScope ? await copyWithout([...statementScope, ...learningsScope]) : null
  const limits = {
    LIMIT_ORGANIZATIONS: 'off',
    LIMIT_REPOSITORIES: 'off',
    LIMIT_METRICS: 'off',
    LIMIT_REVIEW_CONTEXT: 'off',
  }
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

async function fuzz(round: Round, urls: readonly string[], canaries: Canaries): Promise<Outcome> {
  const foreign = Object.fromEntries(endpoints.map((path) => [path, 0])) as Record<Path, number>
  let served = 0
  const cursors: string[] = []
  await inParallel(round.requests, 32, round.name, async (index) => {
    const caller = pick(canaries.callers)
    const path = pick(endpoints)
    const url = urls[index % urls.length] ?? ''
    const { status, text } =
      path === reviewContext
        ? await postJson(`${url}${path}`, caller.key, randomSituation(canaries))
        : await get(`${url}${randomUrl(path, canaries, cursors)}`, caller.key)
    if (status === 500) throw new Error(`A request failed: ${text}`)
    if (status === 200) served += 1
    const words = text.match(/canary-[0-9a-f]{16}/g) ?? []
    if (words.some((word) => !caller.words.has(word))) foreign[path] += 1
    const cursor = /"next_cursor":"([^"]{1,2000})"/.exec(text)?.[1]
    if (cursor !== undefined) cursors[index % Math.min(cursors.length + 1, 200)] = cursor
  })
  return { foreign, served }
}

/** An endpoint with any organization, page size and anybody's cursor. */
function randomUrl(path: Path, canaries: Canaries, cursors: readonly string[]): string {
  const parameters = []
  if (path === reviewComments) parameters.push(...randomWindow(canaries), ...randomSelector(canaries))
  if (path === changes) parameters.push(...randomOrgId(canaries))
  if (path === learnings) parameters.push(...randomLearnings(canaries), ...randomSelector(canaries))
  if (Math.random() < 0.6) parameters.push(`limit=${pick([1, 1, 2, 3, 100, 101])}`)
  const cursor = cursors.length > 0 && Math.random() < 0.3 ? pick(cursors) : undefined
  if (cursor !== undefined) parameters.push(`cursor=${cursor}`)
  if (Math.random() < 0.02) parameters.push(`org_id=${pick(canaries.organizations)}`)
  return `${path.replace('{organization_id}', pick(canaries.organizations))}?${parameters.join('&')}`
}

/** Of a day, a month, a year and of all times, with filters that fit everybody's pull requests. */
function randomWindow(canaries: Canaries): string[] {
  const parameters = pick([
    ['start_date=2026-01-15', 'end_date=2026-01-15'],
    ['start_date=2026-03-01', 'end_date=2026-03-31'],
    ['start_date=2026-01-01', 'end_date=2026-12-31'],
    ['start_date=2000-01-01', 'end_date=2099-12-31'],
  ])
  const filters = [`repository_ids=${canaries.repositoryId}`, `user_ids=8,${canaries.authorId}`]
  return [...parameters, ...filters.filter(() => Math.random() < 0.2)]
}

/** Filters that fit everybody's Learnings, and searches that everybody's answer. */
function randomLearnings({ repositoryId, authorId, file }: Canaries): string[] {
  const filters = [`repository_ids=${repositoryId}`, `user_ids=${authorId}`, `files=${file}`]
  const search = Math.random() < 0.3 ? ['search=retry+with+a+delay'] : []
  return [...filters.filter(() => Math.random() < 0.2), ...search]
}

function randomSituation({ repositoryId, file, orgIds }: Canaries): string {
  return JSON.stringify({
    repository_id: repositoryId,
    ...(Math.random() < 0.5 ? { org_id: pick(orgIds) } : {}),
    ...(Math.random() < 0.5 ? { files: [file] } : {}),
    text: 'Retry with a delay when the connection is closed.',
    record_use: false,
  })
}

function randomSelector(canaries: Canaries): string[] {
  const { orgIds } = canaries
  return Math.random() < 0.15 ? [`organization_ids=${pick(orgIds)},${pick(orgIds)}`] : randomOrgId(canaries)
}

function randomOrgId({ orgIds }: Canaries): string[] {
  return Math.random() < 0.25 ? [`org_id=${pick(orgIds)}`] : []
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
