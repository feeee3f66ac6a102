import { setTimeout as sleep } from 'node:timers/promises'
import type { TestDatabase } from '../../server/test/database.ts'
import type { World } from '../ingest/world.ts'
import { type Answered, sendJson } from '../tools/client.ts'
import { readStanding } from './verify.ts'

/** What writers were answered, and how often that was not so. */
export interface Tally {
  created: number
  duplicate: number
  indexFailed: number
  patched: number
  deleted: number
  /** Calls that were sent again because nobody answered, or with a 5xx. */
  resent: number
  untrue: string[]
}

export function nothingWritten(): Tally {
  return { created: 0, duplicate: 0, indexFailed: 0, patched: 0, deleted: 0, resent: 0, untrue: [] }
}

interface Result {
  readonly index: number
  readonly status: 'created' | 'duplicate' | 'failed'
  readonly id?: string
  readonly error?: { readonly code: string }
}

interface Lane {
  readonly world: World
  readonly superuser: ReturnType<TestDatabase['superuser']>
  readonly tally: Tally
  /** Its own texts: no other lane touches their Learnings. */
  readonly own: Map<string, string>
  readonly number: number
  next: number
}

const AGAIN_MS = 50
const MOST_ITEMS = 8

/** Creates, repeats, changes and deletes; looks at once whether what it was answered is so. */
export async function write(
  world: World,
  superuser: Lane['superuser'],
  tally: Tally,
  number: number,
  goesOn: () => boolean,
): Promise<void> {
  const lane: Lane = { world, superuser, tally, own: new Map(), number, next: 0 }
  while (goesOn()) {
    const dice = Math.random()
    if (dice < 0.7 || lane.own.size === 0) await post(lane)
    else if (dice < 0.9) await patch(lane)
    else await remove(lane)
  }
}

async function post(lane: Lane): Promise<void> {
  const count = 1 + Math.floor(Math.random() * MOST_ITEMS)
  const texts = new Set<string>()
  while (texts.size < count)
    texts.add(Math.random() < 0.3 && lane.own.size > 0 ? anyOf(lane.own.values()) : newText(lane))
  const sent = [...texts]
  const repository = lane.world.root.organizations[0].repositories[0]?.repositoryId
  const data = sent.map((learning) => ({ repository_id: repository, learning }))
  const answer = await sendPatiently(lane, 'POST', '/v1/learnings', { data, org_id: orgId(lane) })
  if (answer.status !== 200) return untrue(lane, `POST was answered ${answer.status}`)
  const { results } = JSON.parse(answer.text) as { readonly results: readonly Result[] }
  for (const result of results) {
    const text = sent[result.index] ?? ''
    if (result.id !== undefined) lane.own.set(result.id, text)
    await judge(lane, result, text)
  }
}

async function judge(lane: Lane, { status, id, error }: Result, text: string): Promise<void> {
  const found = id === undefined ? null : await readStanding(lane.superuser, id)
  const stored = found !== null && found.shared && found.text === text
  if (status === 'failed' && error?.code === 'INDEX_FAILED') {
    lane.tally.indexFailed++
    if (!stored) untrue(lane, 'INDEX_FAILED, but nothing is stored')
  } else if (status === 'failed') {
    untrue(lane, `failed: ${error?.code}`)
  } else {
    lane.tally[status]++
    if (!stored) untrue(lane, `${status}, but not stored`)
    else if (!found.indexed) untrue(lane, `${status}, but not indexed`)
  }
}

async function patch(lane: Lane): Promise<void> {
  const id = anyOf(lane.own.keys())
  const learning = newText(lane)
  const answer = await sendPatiently(lane, 'PATCH', `/v1/learnings/${id}`, { learning, org_id: orgId(lane) })
  const unindexed = isIndexFailed(answer)
  if (answer.status !== 200 && !unindexed) return untrue(lane, `PATCH was answered ${answer.status}`)
  lane.tally[unindexed ? 'indexFailed' : 'patched']++
  lane.own.set(id, learning)
  const found = await readStanding(lane.superuser, id)
  if (found?.text !== learning) untrue(lane, 'changed, but not stored')
  else if (!unindexed && !found.indexed) untrue(lane, 'changed, but not indexed')
}

async function remove(lane: Lane): Promise<void> {
  const id = anyOf(lane.own.keys())
  const { status } = await sendPatiently(lane, 'DELETE', `/v1/learnings/${id}?org_id=${orgId(lane)}`)
  if (status !== 204) return untrue(lane, `DELETE was answered ${status}`)
  lane.tally.deleted++
  lane.own.delete(id)
  if ((await readStanding(lane.superuser, id)) !== null) untrue(lane, 'deleted, but stored')
}

async function sendPatiently(
  { world, tally }: Lane,
  method: 'POST' | 'PATCH' | 'DELETE',
  path: string,
  body?: object,
): Promise<Answered> {
  for (;;) {
    const json = body && JSON.stringify(body)
    const answer = await sendJson(method, world.url() + path, world.key, json).catch(() => null)
    if (answer !== null && (answer.status < 500 || isIndexFailed(answer))) return answer
    tally.resent++
    await sleep(AGAIN_MS)
  }
}

/** The text was replaced, its index was not. */
function isIndexFailed({ status, text }: Answered): boolean {
  return status === 503 && text.includes('INDEX_FAILED')
}

function untrue({ tally }: Lane, what: string): void {
  tally.untrue.push(what)
}

function orgId({ world }: Lane): string {
  return world.root.organizations[0].orgId
}

function newText(lane: Lane): string {
  return `Writer ${lane.number} asks to look at rule ${lane.next++} whenever module ${Math.floor(Math.random() * 90)} changes.`
}

function anyOf(values: Iterable<string>): string {
  const all = [...values]
  return all[Math.floor(Math.random() * all.length)] ?? ''
}
