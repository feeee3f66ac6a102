import assert from 'node:assert/strict'
import type { Reply } from '../cli/src/conformance/http.ts'
import { learningsPath } from './learnings-data.ts'
import { call, demo, type KeyName } from './service.ts'

export type Result = {
  index: number
  status: 'created' | 'duplicate' | 'failed'
  id?: string
  matched?: string
  ignored?: string[]
  state?: 'pending' | 'private'
  flags?: string[]
  flag_excerpts?: string[]
  similar?: { id: string; similarity: number }[]
  error?: { code: string; message: string }
}
export type Batch = {
  status: string
  created_count: number
  duplicate_count: number
  failed_count: number
  results: Result[]
}

type Sending = { key?: KeyName; org_id?: string; base?: string; idempotencyKey?: string }

/** A write with a JSON body, as the user key sends it unless it says otherwise. */
export function sendJson(
  method: string,
  path: string,
  fields: object,
  { key = 'user', org_id, base, idempotencyKey }: Sending = {},
): Promise<Reply> {
  return call(path, {
    key: demo.keys[key],
    method,
    headers: {
      'content-type': 'application/json',
      ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
    },
    body: JSON.stringify({ ...fields, ...(org_id === undefined ? {} : { org_id }) }),
    ...(base === undefined ? {} : { base }),
  })
}

export function post(data: unknown, sending?: Sending): Promise<Reply> {
  return sendJson('POST', learningsPath, { data }, sending)
}

/** What a batch would become. */
export async function rehearse(data: unknown[], sending?: Sending): Promise<Batch> {
  const reply = await sendJson('POST', learningsPath, { data, dry_run: true }, sending)
  assert.equal(reply.status, 200, reply.text)
  return reply.body as Batch
}

export async function postBatch(data: unknown[], sending?: Sending): Promise<Batch> {
  const reply = await post(data, sending)
  assert.equal(reply.status, 200, reply.text)
  return reply.body as Batch
}

export function patch(id: string, learning: unknown, sending?: Sending): Promise<Reply> {
  return sendJson('PATCH', `${learningsPath}/${id}`, { learning }, sending)
}

export function decide(id: string, decision: string, sending?: Sending): Promise<Reply> {
  return sendJson('POST', `${learningsPath}/${id}/approval`, { decision }, sending)
}

export function remove(id: string, { key = 'user', org_id, base }: Sending = {}): Promise<Reply> {
  const query = org_id === undefined ? '' : `?org_id=${org_id}`
  return call(`${learningsPath}/${id}${query}`, {
    key: demo.keys[key],
    method: 'DELETE',
    ...(base === undefined ? {} : { base }),
  })
}

/** A response without the close Learnings that it names: other tests write close texts at the same time. */
export function withoutSimilar<Body>(body: Body): Body {
  return JSON.parse(
    JSON.stringify(body, (name, value: unknown) => (name === 'similar' ? undefined : value)),
  ) as Body
}

/** What became of each item: its status, or the code of its failure. */
export function outcomes({ results }: Batch): string[] {
  return results.map(({ status, error }) => error?.code ?? status)
}
