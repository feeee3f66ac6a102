import { setTimeout as sleep } from 'node:timers/promises'
import type { TestDatabase } from '../../server/test/database.ts'
import type { Installation } from '../ingest/installation.ts'
import { type HttpResult, sendJson } from '../tools/client.ts'
import { readLearningState } from './verify.ts'

/** Counts of responses, and of responses that were wrong. */
export interface WriterTally {
  created: number
  duplicate: number
  indexFailed: number
  patched: number
  deleted: number
  /** Requests that were repeated because there was no response, or a 5xx. */
  resent: number
  falseResponses: string[]
}

export function emptyTally(): WriterTally {
  return { created: 0, duplicate: 0, indexFailed: 0, patched: 0, deleted: 0, resent: 0, falseResponses: [] }
}

interface ItemResult {
  readonly index: number
  readonly status: 'created' | 'duplicate' | 'failed'
  readonly id?: string
  readonly error?: { readonly code: string }
}

interface IndexWriter {
  readonly installation: Installation
  readonly superuser: ReturnType<TestDatabase['superuser']>
  readonly tally: WriterTally
  /** Its own texts: no other lane changes their Learnings. */
  readonly ownLearnings: Map<string, string>
  readonly number: number
  next: number
}

const RETRY_DELAY_MS = 50
const MAX_ITEMS = 8

/** Creates, repeats, changes and deletes Learnings, and compares each response with the database immediately. */
export async function runWriter(
  installation: Installation,
  superuser: IndexWriter['superuser'],
  tally: WriterTally,
  number: number,
  shouldContinue: () => boolean,
): Promise<void> {
  const writer: IndexWriter = { installation, superuser, tally, ownLearnings: new Map(), number, next: 0 }
  while (shouldContinue()) {
    const roll = Math.random()
    if (roll < 0.7 || writer.ownLearnings.size === 0) await post(writer)
    else if (roll < 0.9) await patch(writer)
    else await remove(writer)
  }
}

async function post(writer: IndexWriter): Promise<void> {
  const count = 1 + Math.floor(Math.random() * MAX_ITEMS)
  const texts = new Set<string>()
  while (texts.size < count)
    texts.add(
      Math.random() < 0.3 && writer.ownLearnings.size > 0
        ? pickRandom(writer.ownLearnings.values())
        : newText(writer),
    )
  const sent = [...texts]
  const repository = writer.installation.root.organizations[0].repositories[0]?.repositoryId
  const data = sent.map((learning) => ({ repository_id: repository, learning }))
  const response = await sendWithRetry(writer, 'POST', '/v1/learnings', { data, org_id: orgId(writer) })
  if (response.status !== 200) return recordFalseResponse(writer, `POST was answered ${response.status}`)
  const { results } = JSON.parse(response.text) as { readonly results: readonly ItemResult[] }
  for (const result of results) {
    const text = sent[result.index] ?? ''
    if (result.id !== undefined) writer.ownLearnings.set(result.id, text)
    await checkResult(writer, result, text)
  }
}

async function checkResult(
  writer: IndexWriter,
  { status, id, error }: ItemResult,
  text: string,
): Promise<void> {
  const found = id === undefined ? null : await readLearningState(writer.superuser, id)
  const stored = found !== null && found.shared && found.text === text
  if (status === 'failed' && error?.code === 'INDEX_FAILED') {
    writer.tally.indexFailed++
    if (!stored) recordFalseResponse(writer, 'INDEX_FAILED, but nothing is stored')
  } else if (status === 'failed') {
    recordFalseResponse(writer, `failed: ${error?.code}`)
  } else {
    writer.tally[status]++
    if (!stored) recordFalseResponse(writer, `${status}, but not stored`)
    else if (!found.indexed) recordFalseResponse(writer, `${status}, but not indexed`)
  }
}

async function patch(writer: IndexWriter): Promise<void> {
  const id = pickRandom(writer.ownLearnings.keys())
  const learning = newText(writer)
  const response = await sendWithRetry(writer, 'PATCH', `/v1/learnings/${id}`, {
    learning,
    org_id: orgId(writer),
  })
  const unindexed = isIndexFailed(response)
  if (response.status !== 200 && !unindexed)
    return recordFalseResponse(writer, `PATCH was answered ${response.status}`)
  writer.tally[unindexed ? 'indexFailed' : 'patched']++
  writer.ownLearnings.set(id, learning)
  const found = await readLearningState(writer.superuser, id)
  if (found?.text !== learning) recordFalseResponse(writer, 'changed, but not stored')
  else if (!unindexed && !found.indexed) recordFalseResponse(writer, 'changed, but not indexed')
}

async function remove(writer: IndexWriter): Promise<void> {
  const id = pickRandom(writer.ownLearnings.keys())
  const { status } = await sendWithRetry(writer, 'DELETE', `/v1/learnings/${id}?org_id=${orgId(writer)}`)
  if (status !== 204) return recordFalseResponse(writer, `DELETE was answered ${status}`)
  writer.tally.deleted++
  writer.ownLearnings.delete(id)
  if ((await readLearningState(writer.superuser, id)) !== null)
    recordFalseResponse(writer, 'deleted, but stored')
}

async function sendWithRetry(
  { installation, tally }: IndexWriter,
  method: 'POST' | 'PATCH' | 'DELETE',
  path: string,
  body?: object,
): Promise<HttpResult> {
  for (;;) {
    const json = body && JSON.stringify(body)
    const response = await sendJson(method, installation.url() + path, installation.key, json).catch(
      () => null,
    )
    if (response !== null && (response.status < 500 || isIndexFailed(response))) return response
    tally.resent++
    await sleep(RETRY_DELAY_MS)
  }
}

/** The text was replaced, but its index was not. */
function isIndexFailed({ status, text }: HttpResult): boolean {
  return status === 503 && text.includes('INDEX_FAILED')
}

function recordFalseResponse({ tally }: IndexWriter, what: string): void {
  tally.falseResponses.push(what)
}

function orgId({ installation }: IndexWriter): string {
  return installation.root.organizations[0].orgId
}

function newText(writer: IndexWriter): string {
  return `Writer ${writer.number} asks to look at rule ${writer.next++} whenever module ${Math.floor(Math.random() * 90)} changes.`
}

function pickRandom(values: Iterable<string>): string {
  const all = [...values]
  return all[Math.floor(Math.random() * all.length)] ?? ''
}
