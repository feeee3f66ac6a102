import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { IngestEvent } from '../../../src/bus/ingest-event.ts'
import type { LearningId } from '../../../src/ids.ts'
import { compareState } from './compare.ts'
import type { Command, TextChoice } from './history.ts'
import type { HistoryOrganization, LearningsInstallation } from './installation.ts'
import { type ItemResult, Model, type ModelText } from './model.ts'
import { contents, type Wording } from './texts.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
/** Longer than the maximum retry delay of index tasks. */
const MAX_RETRY_DELAY_MS = 15 * MINUTE

/** The state of a run, of the server and of the model. */
interface HistoryRun {
  readonly installation: LearningsInstallation
  readonly organization: HistoryOrganization
  readonly model: Model
  /** Ids of all Learnings that ever existed. */
  readonly ids: LearningId[]
  batch: Extract<Command, { do: 'create' }> | null
  event: IngestEvent | null
}

/** Applies a history to the server and to the model, and throws at the first difference. */
export async function runHistory(
  installation: LearningsInstallation,
  history: readonly Command[],
): Promise<void> {
  const organization = await installation.newOrganization()
  const model = new Model(organization.id)
  const run: HistoryRun = { installation, organization, model, ids: [], batch: null, event: null }
  setClock(run, Date.parse('2026-11-01T00:00:00.000Z'))
  setFailing(run, false)
  try {
    for (const command of history) {
      setClock(run, model.now + SECOND)
      await applyCommand(run, command)
      for (const id of model.live.keys()) if (!run.ids.includes(id)) run.ids.push(id)
    }
    await compareState(installation, organization, model)
    setFailing(run, false)
    await repair(run)
    await compareState(installation, organization, model)
    await compareExport(run)
  } finally {
    await installation.clear(organization)
  }
}

async function applyCommand(run: HistoryRun, command: Command): Promise<void> {
  switch (command.do) {
    case 'create':
      run.batch = command
      return create(run, command)
    case 'retry':
      return retry(run)
    case 'patch':
      return patch(run, command)
    case 'delete':
      return remove(run, command)
    case 'decide':
      return decide(run, command)
    case 'propose':
      return propose(run, command)
    case 'close':
      return close(run, command)
    case 'use':
      return use(run, command)
    case 'redeliver':
    case 'delay':
    case 'wait':
    case 'break':
    case 'mend':
    case 'repair':
      return applySystemCommand(run, command)
  }
}

type SystemCommand = Extract<Command, { do: 'redeliver' | 'delay' | 'wait' | 'break' | 'mend' | 'repair' }>

/** Commands that no request triggers. */
async function applySystemCommand(run: HistoryRun, command: SystemCommand): Promise<void> {
  const { installation, model } = run
  switch (command.do) {
    case 'redeliver':
      return run.event ? installation.applyEvent(run.event) : undefined
    case 'delay': {
      const repository = command.repository === null ? '' : getRepository(run, command.repository)
      model.delays.set(repository, command.days)
      return installation.setDelay(run.organization, repository, command.days)
    }
    case 'wait':
      setClock(run, model.now + command.hours * HOUR)
      model.tick()
      return installation.tick()
    case 'break':
    case 'mend':
      return setFailing(run, command.do === 'break')
    case 'repair':
      return repair(run)
  }
}

async function retry(run: HistoryRun): Promise<void> {
  if (run.batch !== null) await create(run, run.batch)
}

async function create(run: HistoryRun, { items }: Extract<Command, { do: 'create' }>): Promise<void> {
  const given = items.map((item) => ({
    repository: getRepository(run, item.repository),
    wording: getWording(item),
    text: toModelText(item),
  }))
  const data = given.map(({ repository, wording }) => ({ repository_id: repository, learning: wording.sent }))
  const rehearsed = await postItems(run, { data, dry_run: true })
  const results = await postItems(run, { data })
  assert.deepEqual(results, run.model.create(given))
  // A dry run does not embed: it cannot know that the index will fail.
  const isIndexed = ({ code }: ItemResult) => code !== 'INDEX_FAILED'
  assert.deepEqual(
    rehearsed.map((result, index) => (isIndexed(results[index] ?? result) ? result : result.id)),
    results.map((result) => (isIndexed(result) ? result : result.id)),
  )
}

async function postItems(run: HistoryRun, fields: object): Promise<ItemResult[]> {
  const { status, body } = await run.installation.call('/v1/learnings', {
    method: 'POST',
    body: { org_id: run.organization.orgId, ...fields },
  })
  assert.equal(status, 200)
  const results = (body['results'] ?? []) as (ItemResult & {
    error?: { code: 'DISAPPROVED' | 'INDEX_FAILED' }
  })[]
  return results.map(({ status: outcome, id, matched, ignored, error }) => ({
    status: outcome,
    ...(id && { id }),
    ...(error && { code: error.code }),
    ...(matched && { matched }),
    ...(ignored && { ignored }),
  }))
}

async function patch(run: HistoryRun, command: Extract<Command, { do: 'patch' }>): Promise<void> {
  const id = getLearningId(run, command.learning)
  const text = toModelText(command)
  const body = { org_id: run.organization.orgId, learning: getWording(command).sent }
  const response = await run.installation.call(`/v1/learnings/${id}`, { method: 'PATCH', body })
  assert.equal(response.status, run.model.patch(id, text))
  if (response.status !== 200) return
  const found = run.model.live.get(id)
  const { learning, usage_count } = response.body as unknown as { learning: string; usage_count: number }
  assert.deepEqual([learning, usage_count], [text.stored, found?.uses])
}

async function remove(run: HistoryRun, command: Extract<Command, { do: 'delete' }>): Promise<void> {
  const id = getLearningId(run, command.learning)
  const response = await run.installation.call(`/v1/learnings/${id}?org_id=${run.organization.orgId}`, {
    method: 'DELETE',
  })
  run.model.delete(id)
  assert.equal(response.status, 204)
}

async function decide(
  run: HistoryRun,
  { learning, decision }: Extract<Command, { do: 'decide' }>,
): Promise<void> {
  const id = getLearningId(run, learning)
  const body = { org_id: run.organization.orgId, decision }
  const response = await run.installation.call(`/v1/learnings/${id}/approval`, { method: 'POST', body })
  const status = run.model.decide(id, decision)
  assert.equal(response.status, status)
  if (status === 200) assert.deepEqual(response.body, { id, state: run.model.getState(id) })
}

async function propose(run: HistoryRun, command: Extract<Command, { do: 'propose' }>): Promise<void> {
  const { source, number, late } = command
  const at = run.model.now - late * MINUTE
  const repository = getRepository(run, command.repository)
  await sendEvent(run, 'learning.proposed', at, {
    repository_id: repository,
    learning: getWording(command).sent,
    source,
    pull_request: number === null ? null : { number },
  })
  run.model.propose({ repository, text: toModelText(command), source, number, at })
}

async function close(run: HistoryRun, command: Extract<Command, { do: 'close' }>): Promise<void> {
  const { number, merged, late } = command
  const at = run.model.now - late * MINUTE
  const repository = getRepository(run, command.repository)
  await sendEvent(run, 'pull_request.closed', at, { repository_id: repository, number, merged })
  run.model.close(repository, number, merged, at)
}

async function use(run: HistoryRun, { learnings, late }: Extract<Command, { do: 'use' }>): Promise<void> {
  const at = run.model.now - late * MINUTE
  const ids = learnings.map((index) => getLearningId(run, index))
  await sendEvent(run, 'learning.used', at, { learning_ids: ids })
  run.model.use(ids, at)
}

function sendEvent(run: HistoryRun, type: string, at: number, fields: object): Promise<void> {
  const organization = { provider: 'github', id: run.organization.orgId }
  const payload = { organization, ...fields }
  run.event = { id: randomUUID(), type, version: 1, occurred_at: new Date(at).toISOString(), payload }
  return run.installation.applyEvent(run.event)
}

async function repair(run: HistoryRun): Promise<void> {
  setClock(run, run.model.now + MAX_RETRY_DELAY_MS)
  run.model.repair()
  await run.installation.repair()
}

/** Compares the export: shared Learnings in the order of sharing. */
async function compareExport({ installation, organization, model }: HistoryRun): Promise<void> {
  const response = await installation.call(`/v1/learnings?org_id=${organization.orgId}`, {})
  const shared = [...model.live.values()].filter(({ state }) => state === 'shared')
  const records = response.body['data'] as { id: string; learning: string }[] | undefined
  assert.deepEqual(
    records?.map(({ id, learning }) => [id, learning]),
    shared
      .toSorted((a, b) => (a.sharePosition ?? 0) - (b.sharePosition ?? 0))
      .map(({ id, text }) => [id, text.stored]),
  )
}

function setClock({ installation, model }: HistoryRun, now: number): void {
  installation.now = now
  model.now = now
}

function setFailing({ installation, model }: HistoryRun, failing: boolean): void {
  installation.failing = failing
  model.failing = failing
}

function getRepository({ organization }: HistoryRun, index: number): string {
  return organization.repositories[index] ?? ''
}

/** A random id if there is no Learning yet. */
function getLearningId({ ids }: HistoryRun, index: number): LearningId {
  return ids[index % Math.max(1, ids.length)] ?? ('11111111-1111-5111-8111-111111111111' as LearningId)
}

function getWording({ content, wording }: TextChoice): Wording {
  const found = contents[content]?.wordings[wording]
  if (found === undefined) throw new Error('The history refers to an unknown text.')
  return found
}

function toModelText(choice: TextChoice): ModelText {
  return { identity: contents[choice.content]?.identity ?? '', stored: getWording(choice).stored }
}
