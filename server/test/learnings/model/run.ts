import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { IngestEvent } from '../../../src/bus/ingest-event.ts'
import type { LearningId } from '../../../src/ids.ts'
import { compareState } from './compare.ts'
import type { Command, Said } from './history.ts'
import type { Ground, Lane } from './lane.ts'
import { Model, type Text } from './model.ts'
import { contents, type Wording } from './texts.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
/** Longer than the worker ever waits before it tries to index again. */
const PATIENCE = 15 * MINUTE

/** What has happened so far, to the service and to the model alike. */
interface Course {
  readonly lane: Lane
  readonly ground: Ground
  readonly model: Model
  /** Of every learning that ever was. */
  readonly ids: LearningId[]
  batch: Extract<Command, { do: 'create' }> | null
  event: IngestEvent | null
}

/** Runs a history through the doors and beside it through the model; throws at the first difference. */
export async function runHistory(lane: Lane, history: readonly Command[]): Promise<void> {
  const ground = await lane.newGround()
  const model = new Model(ground.id)
  const course: Course = { lane, ground, model, ids: [], batch: null, event: null }
  setClock(course, Date.parse('2026-11-01T00:00:00.000Z'))
  setFailing(course, false)
  try {
    for (const command of history) {
      setClock(course, model.now + SECOND)
      await step(course, command)
      for (const id of model.live.keys()) if (!course.ids.includes(id)) course.ids.push(id)
    }
    await compareState(lane, ground, model)
    setFailing(course, false)
    await repair(course)
    await compareState(lane, ground, model)
    await compareExport(course)
  } finally {
    await lane.clear(ground)
  }
}

async function step(course: Course, command: Command): Promise<void> {
  switch (command.do) {
    case 'create':
      course.batch = command
      return create(course, command)
    case 'retry':
      return retry(course)
    case 'patch':
      return patch(course, command)
    case 'delete':
      return remove(course, command)
    case 'decide':
      return decide(course, command)
    case 'propose':
      return propose(course, command)
    case 'close':
      return close(course, command)
    case 'use':
      return use(course, command)
    case 'redeliver':
    case 'delay':
    case 'wait':
    case 'break':
    case 'mend':
    case 'repair':
      return happen(course, command)
  }
}

type Happening = Extract<Command, { do: 'redeliver' | 'delay' | 'wait' | 'break' | 'mend' | 'repair' }>

/** What nobody asks for. */
async function happen(course: Course, command: Happening): Promise<void> {
  const { lane, model } = course
  switch (command.do) {
    case 'redeliver':
      return course.event ? lane.tell(course.event) : undefined
    case 'delay': {
      const repository = command.repository === null ? '' : repositoryOf(course, command.repository)
      model.delays.set(repository, command.days)
      return lane.setDelay(course.ground, repository, command.days)
    }
    case 'wait':
      setClock(course, model.now + command.hours * HOUR)
      model.tick()
      return lane.tick()
    case 'break':
    case 'mend':
      return setFailing(course, command.do === 'break')
    case 'repair':
      return repair(course)
  }
}

async function retry(course: Course): Promise<void> {
  if (course.batch !== null) await create(course, course.batch)
}

async function create(course: Course, { items }: Extract<Command, { do: 'create' }>): Promise<void> {
  const given = items.map((item) => ({
    repository: repositoryOf(course, item.repository),
    wording: wordingOf(item),
    text: textOf(item),
  }))
  const data = given.map(({ repository, wording }) => ({ repository_id: repository, learning: wording.sent }))
  const { orgId } = course.ground
  const { status, body } = await course.lane.call('/v1/learnings', {
    method: 'POST',
    body: { org_id: orgId, data },
  })
  const expected = course.model.create(given)
  const results = (body['results'] ?? []) as { status: string; id?: string; error?: { code: string } }[]
  assert.equal(status, 200)
  assert.deepEqual(
    results.map((result) => ({
      status: result.status,
      ...(result.id && { id: result.id }),
      ...(result.error && { code: result.error.code }),
    })),
    expected,
  )
}

async function patch(course: Course, command: Extract<Command, { do: 'patch' }>): Promise<void> {
  const id = idOf(course, command.learning)
  const text = textOf(command)
  const body = { org_id: course.ground.orgId, learning: wordingOf(command).sent }
  const answer = await course.lane.call(`/v1/learnings/${id}`, { method: 'PATCH', body })
  assert.equal(answer.status, course.model.patch(id, text))
  if (answer.status !== 200) return
  const found = course.model.live.get(id)
  const { learning, usage_count } = answer.body as unknown as { learning: string; usage_count: number }
  assert.deepEqual([learning, usage_count], [text.stored, found?.uses])
}

async function remove(course: Course, command: Extract<Command, { do: 'delete' }>): Promise<void> {
  const id = idOf(course, command.learning)
  const answer = await course.lane.call(`/v1/learnings/${id}?org_id=${course.ground.orgId}`, {
    method: 'DELETE',
  })
  course.model.delete(id)
  assert.equal(answer.status, 204)
}

async function decide(
  course: Course,
  { learning, decision }: Extract<Command, { do: 'decide' }>,
): Promise<void> {
  const id = idOf(course, learning)
  const body = { org_id: course.ground.orgId, decision }
  const answer = await course.lane.call(`/v1/learnings/${id}/approval`, { method: 'POST', body })
  const status = course.model.decide(id, decision)
  assert.equal(answer.status, status)
  if (status === 200) assert.deepEqual(answer.body, { id, state: course.model.live.get(id)?.state })
}

async function propose(course: Course, command: Extract<Command, { do: 'propose' }>): Promise<void> {
  const { source, number, late } = command
  const at = course.model.now - late * MINUTE
  const repository = repositoryOf(course, command.repository)
  await tell(course, 'learning.proposed', at, {
    repository_id: repository,
    learning: wordingOf(command).sent,
    source,
    pull_request: number === null ? null : { number },
  })
  course.model.propose({ repository, text: textOf(command), source, number, at })
}

async function close(course: Course, command: Extract<Command, { do: 'close' }>): Promise<void> {
  const { number, merged, late } = command
  const at = course.model.now - late * MINUTE
  const repository = repositoryOf(course, command.repository)
  await tell(course, 'pull_request.closed', at, { repository_id: repository, number, merged })
  course.model.close(repository, number, merged, at)
}

async function use(course: Course, { learnings, late }: Extract<Command, { do: 'use' }>): Promise<void> {
  const at = course.model.now - late * MINUTE
  const ids = learnings.map((place) => idOf(course, place))
  await tell(course, 'learning.used', at, { learning_ids: ids })
  course.model.use(ids, at)
}

function tell(course: Course, type: string, at: number, fields: object): Promise<void> {
  const organization = { provider: 'github', id: course.ground.orgId }
  const payload = { organization, ...fields }
  course.event = { id: randomUUID(), type, version: 1, occurred_at: new Date(at).toISOString(), payload }
  return course.lane.tell(course.event)
}

async function repair(course: Course): Promise<void> {
  setClock(course, course.model.now + PATIENCE)
  course.model.repair()
  await course.lane.repair()
}

/** What is shared, in the order in which it came to be. */
async function compareExport({ lane, ground, model }: Course): Promise<void> {
  const answer = await lane.call(`/v1/learnings?org_id=${ground.orgId}`, {})
  const shared = [...model.live.values()].filter(({ state }) => state === 'shared')
  const records = answer.body['data'] as { id: string; learning: string }[] | undefined
  assert.deepEqual(
    records?.map(({ id, learning }) => [id, learning]),
    shared
      .toSorted((one, other) => (one.place ?? 0) - (other.place ?? 0))
      .map(({ id, text }) => [id, text.stored]),
  )
}

function setClock({ lane, model }: Course, now: number): void {
  lane.now = now
  model.now = now
}

function setFailing({ lane, model }: Course, failing: boolean): void {
  lane.failing = failing
  model.failing = failing
}

function repositoryOf({ ground }: Course, place: number): string {
  return ground.repositories[place] ?? ''
}

/** One that never was, where there is none yet. */
function idOf({ ids }: Course, place: number): LearningId {
  return ids[place % Math.max(1, ids.length)] ?? ('11111111-1111-5111-8111-111111111111' as LearningId)
}

function wordingOf({ content, wording }: Said): Wording {
  const found = contents[content]?.wordings[wording]
  if (found === undefined) throw new Error('A history speaks of a text that there is not.')
  return found
}

function textOf(said: Said): Text {
  return { identity: contents[said.content]?.identity ?? '', stored: wordingOf(said).stored }
}
