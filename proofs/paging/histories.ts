import { isDeepStrictEqual } from 'node:util'
import { createDatabase } from '../../server/test/database.ts'
import { startApi } from '../../server/test/process.ts'
import { loadStoreEvents } from '../../server/test/proofs/metrics-writer.ts'
import { createTestWriter, storeEvents, toReviewTarget } from '../../server/test/pull-requests.ts'
import { createTenant, type Tenant } from '../../server/test/tenant.ts'
import { copyWithout, type SourceEdit } from '../tools/copy.ts'
import type { Measurement } from '../tools/report.ts'
import {
  type CursorTally,
  createCursorReader,
  followChanges,
  readAllPages,
  type View,
  visibleEntry,
} from './cursor-readers.ts'
import { createModel, type Entry, type Model, type ReviewEvent } from './model.ts'
import { createRandomHistory } from './random-history.ts'

const HISTORIES_PER_BATCH = 250

// A rewritten row stays at its position, so that a reader that has passed it does not see the change.
const rewrittenInPlace: SourceEdit = {
  file: 'resources/metrics/write/decide.ts',
  name: 'writePullRequest',
  wrap: `(write, plan, event, before, sent) => {
    write(plan, event, before, sent)
    if (before === undefined) return
    const rewritten = plan.rewritten.pop()
    plan.rewritten.push({ ...rewritten, row: { ...rewritten.row, position: before.row.position } })
  }`,
}

/** Reopened, merged again, backfilled, repeated, moved: readers with a stored cursor see what a model predicts. */
export async function proveHistories(histories: number, withCure: boolean): Promise<Measurement[]> {
  const database = await createDatabase()
  const copy = withCure ? null : await copyWithout([rewrittenInPlace])
  const tenant = await createTenant(database)
  const writer = createTestWriter(database)
  const api = await startApi(database, { LIMIT_METRICS: 'off' }, copy?.apiEntry)
  try {
    const storeBatch = copy === null ? storeEvents : await loadStoreEvents(copy.apiEntry)
    const { root, organizations } = tenant.workspace
    const targets = organizations.map((organization) => toReviewTarget(organization))
    const model = createModel()
    const tally: CursorTally = { again: 0, notOnce: 0, differences: 0 }
    const views = await createViews(tenant)
    const readers = views.map((view) => createCursorReader(api.url, view, model, tally))
    const followers = wholeViews(views).map((view) => ({ view, ...followChanges(api.url, view) }))
    let events = 0
    for (let first = 0; first < histories; first += HISTORIES_PER_BATCH) {
      const count = Math.min(HISTORIES_PER_BATCH, histories - first)
      const items = Array.from({ length: count }, (_, index) =>
        createRandomHistory(Math.random, targets, first + index + 1),
      )
      for (const batch of interleave(items)) {
        events += batch.length
        const deferred = await storeBatch(writer, root, batch)
        if (deferred.length > 0) throw new Error('An event of a history was not stored.')
        const written = model.apply(batch)
        await Promise.all([
          ...readers.map((check) => check(written)),
          ...followers.map((follower) => follower.catchUp()),
        ])
      }
      console.error(`  histories: ${first + count} of ${histories}`)
    }
    const unequal = await compareFollowers(api.url, model, followers)
    return toMeasurements(histories, events, tally, unequal)
  } finally {
    await api.stop()
    await Promise.all([writer.close(), tenant.close()])
    await copy?.remove()
    await database.drop()
  }
}

/** Each batch contains some of the next events of each history. */
function* interleave(histories: readonly ReviewEvent[][]): Generator<ReviewEvent[]> {
  const rest = histories.map((history) => [...history])
  while (rest.some(({ length }) => length > 0)) {
    const batch = rest.flatMap((history) => history.splice(0, Math.floor(Math.random() * 4)))
    if (batch.length > 0) yield batch
  }
}

async function createViews(tenant: Tenant): Promise<View[]> {
  const { organizations } = tenant.workspace
  const ids = organizations.map(({ orgId }) => orgId)
  const [workspace, organization] = await Promise.all([
    tenant.createKey('workspace'),
    tenant.createKey('organization'),
  ])
  const whole = { startDate: '2020-01-01', endDate: '2039-12-31' }
  const narrow = { startDate: '2026-02-01', endDate: '2026-03-15' }
  return [
    { key: workspace.value, organizations: ids, ...whole },
    { key: organization.value, organizations: ids.slice(0, 1), ...whole },
    { key: workspace.value, organizations: ids, ...narrow },
  ]
}

function wholeViews(views: readonly View[]): View[] {
  return views.slice(0, 2)
}

interface Follower {
  readonly view: View
  catchUp(): Promise<void>
  entries(): Map<string, Entry>
}

/** Compares readers that followed from the start, and new ones, with the pages and the model. */
async function compareFollowers(
  baseUrl: string,
  model: Model,
  followers: readonly Follower[],
): Promise<number> {
  let unequal = 0
  for (const follower of followers) {
    const { view } = follower
    const late = followChanges(baseUrl, view)
    await late.catchUp()
    const modelled = new Map(
      [...model.names()].flatMap((name) => {
        const entry = visibleEntry(model, view, name)
        return entry === null ? [] : [[entry.pr_url, entry] as const]
      }),
    )
    const pages = await readAllPages(baseUrl, view)
    for (const items of [pages, follower.entries(), late.entries()]) unequal += countUnequal(items, modelled)
  }
  return unequal
}

function countUnequal(one: ReadonlyMap<string, Entry>, other: ReadonlyMap<string, Entry>): number {
  const addresses = new Set([...one.keys(), ...other.keys()])
  return [...addresses].filter((url) => !isDeepStrictEqual(one.get(url), other.get(url))).length
}

function toMeasurements(
  histories: number,
  events: number,
  tally: CursorTally,
  unequal: number,
): Measurement[] {
  const { again, notOnce, differences } = tally
  return [
    {
      measure: `${histories} histories of ${events} events: (re)written and not seen exactly once (seen ${again})`,
      goal: '0',
      result: notOnce,
      met: notOnce === 0 && again > histories,
    },
    {
      measure: 'pages after a stored cursor that differ from the model',
      goal: '0',
      result: differences,
      met: differences === 0,
    },
    {
      measure: 'pull requests in which followers of the changes, pages and model differ',
      goal: '0',
      result: unequal,
      met: unequal === 0,
    },
  ]
}
