import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { assertErrors, comparable, type Reply } from '../cli/src/conformance/http.ts'
import { firstRepository, learningsPath, ownText } from './learnings-data.ts'
import { decide, patch, postBatch, remove, sendJson } from './learnings-writes.ts'
import { at, call, demo } from './service.ts'

const { repository_id } = firstRepository
const json = { 'content-type': 'application/json' }

function send(
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = json,
): Promise<Reply> {
  return call(learningsPath, { key: demo.keys.user, method: 'POST', headers, body })
}

async function create(): Promise<string> {
  const { results } = await postBatch([{ repository_id, learning: ownText() }])
  return at(results, 0).id ?? assert.fail('not created')
}

test('a body of more than 4 MiB, plain or inflated, is 413 PAYLOAD_TOO_LARGE [P1-bodies-1 P1-code-24]', async () => {
  const body = JSON.stringify({
    data: [{ repository_id, learning: ownText() }],
    pad: ' '.repeat(4 * 1024 * 1024),
  })
  assertErrors(await send(body), 413, 'PAYLOAD_TOO_LARGE')
  const packed = new Uint8Array(gzipSync(body))
  assertErrors(await send(packed, { ...json, 'content-encoding': 'gzip' }), 413, 'PAYLOAD_TOO_LARGE')
})

test('a body may be sent with gzip; another encoding or media type is 415 [S-end-2 P1-bodies-2 P1-code-25]', async () => {
  const body = JSON.stringify({ data: [{ repository_id, learning: ownText() }] })
  const packed = new Uint8Array(gzipSync(body))
  assert.equal((await send(packed, { ...json, 'content-encoding': 'gzip' })).status, 200)
  for (const headers of [
    { 'content-type': 'text/plain' },
    { 'content-type': 'application/x-ndjson' },
    { ...json, 'content-encoding': 'br' },
  ])
    assertErrors(await send(body, headers), 415, 'UNSUPPORTED_MEDIA_TYPE')
})

test('malformed JSON is 400 [P1-bodies-3]', async () => {
  for (const body of ['', '{', '{"data":[}', 'data', '{"data":[{}]} x'])
    assertErrors(await send(body), 400, 'INVALID_REQUEST', body)
})

test('outside of an item NUL, lone surrogates and nesting deeper than 64 are 400 [P1-shape-11 P1-shape-12]', async () => {
  const path = `${learningsPath}/${await create()}`
  const deep = Array.from({ length: 65 }).reduce((inner) => [inner], 'x')
  for (const learning of ['a\0b', 'a\ud800', deep])
    assertErrors(await sendJson('PATCH', path, { learning }), 400, 'INVALID_REQUEST')
  const data = [{ repository_id, learning: ownText() }]
  for (const org_id of ['1\0', '\udc00', deep])
    assertErrors(
      await sendJson('POST', learningsPath, { data, org_id }, { key: 'workspace' }),
      400,
      'INVALID_REQUEST',
    )
})

test('another tenant’s Learning is answered exactly like one that does not exist, whatever is asked of it [P1-exist-1]', async () => {
  const id = await create()
  const sending = { key: 'other_tenant' } as const
  for (const ask of [
    (learning: string) => patch(learning, 'Whatever it says.', sending),
    (learning: string) => remove(learning, sending),
    (learning: string) => decide(learning, 'approve', sending),
  ]) {
    assert.deepEqual(comparable(await ask(id)), comparable(await ask(randomUUID())))
  }
  assert.equal((await patch(id, ownText())).status, 200)
})

test('POST, PATCH and DELETE take an Idempotency-Key of at most 255 characters, and repeat their first answer [P1-idem-1 P1-idem-4 P1-idem-5]', async () => {
  const id = await create()
  const first = ownText()
  const idempotencyKey = randomUUID().padEnd(255, 'x')
  const answers = [await patch(id, first, { idempotencyKey })]
  assert.equal((await patch(id, ownText())).status, 200)
  answers.push(await patch(id, first, { idempotencyKey }))
  assert.equal(answers[0]?.text, answers[1]?.text)
  assert.equal(answers[1]?.headers.get('idempotency-replayed'), 'true')
  assertErrors(await patch(id, ownText(), { idempotencyKey }), 409, 'IDEMPOTENCY_KEY_REUSED')
  assertErrors(await patch(id, first, { idempotencyKey: 'x'.repeat(256) }), 400, 'INVALID_REQUEST')
  const headers = { 'idempotency-key': randomUUID() }
  for (const replayed of [null, 'true']) {
    const reply = await call(`${learningsPath}/${id}`, { key: demo.keys.user, method: 'DELETE', headers })
    assert.deepEqual([reply.status, reply.headers.get('idempotency-replayed')], [204, replayed])
  }
})
