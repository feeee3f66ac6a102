import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client, Item } from '@scholiast/sdk'
import { collect, connect, serve, startProxy, wholeWindow } from './service.ts'

const path = '/v1/metrics/review-comments'

test('rows are the items, read as lines over several responses', async () => {
  const client = connect()
  const items = await collect(client.items(path, { query: wholeWindow }))
  assert.ok(items.length > 10)
  const limit = Math.ceil(items.length / 3)
  assert.deepEqual(await collect(client.rows(path, { query: { ...wholeWindow, limit } })), items)
  assert.deepEqual(await collect(client.rows(path, { query: wholeWindow })), items)
})

test('rows that break off throw', async (t) => {
  const proxy = await startProxy(t)
  proxy.faults.push({ cut: 'after' })
  const rows = connect({ baseUrl: proxy.url }).rows(path, { query: wholeWindow })
  await assert.rejects(collect(rows), { code: 'NETWORK_ERROR' })
  assert.equal(proxy.requests.length, 1)
})

test('rows without their last line throw, although the response ended well', async (t) => {
  const baseUrl = await serve(t, (_, outgoing) => {
    outgoing
      .writeHead(200, { 'content-type': 'application/x-ndjson' })
      .end('{"pr_url":"a"}\n{"pr_url":"b"}\n')
  })
  const seen: Item<typeof path>[] = []
  const read = async () => {
    for await (const row of connect({ baseUrl }).rows(path, { query: wholeWindow })) seen.push(row)
  }
  await assert.rejects(read(), { code: 'NETWORK_ERROR', message: /last line is missing/ })
  assert.equal(seen.length, 1)
})

test('a pause in the rows is a time-out, an abort throws its reason', async (t) => {
  const baseUrl = await serve(t, (_, outgoing) => {
    outgoing.writeHead(200, { 'content-type': 'application/x-ndjson' })
    outgoing.write('{"pr_url":"a"}\n{"pr_url":"b"}\n')
  })
  const read = (client: Client, signal?: AbortSignal) =>
    collect(client.rows(path, { query: wholeWindow, signal }))
  await assert.rejects(read(connect({ baseUrl, timeoutMs: 100 })), { code: 'TIMEOUT', status: 0 })
  const reason = new Error('stop')
  const controller = new AbortController()
  const reading = read(connect({ baseUrl }), controller.signal)
  setImmediate(() => controller.abort(reason))
  await assert.rejects(reading, reason)
})

test('a slow reader slows the sender down, and leaving the loop ends the transfer', async (t) => {
  const line = `${JSON.stringify({ pr_url: 'x'.repeat(10_000) })}\n`
  const total = 20_000
  let sent = 0
  let onClose = () => {}
  const closed = new Promise<void>((resolve) => {
    onClose = resolve
  })
  const baseUrl = await serve(t, (_, outgoing) => {
    outgoing.writeHead(200, { 'content-type': 'application/x-ndjson' })
    outgoing.on('close', onClose)
    const send = () => {
      while (sent < total) {
        sent++
        if (!outgoing.write(line)) {
          outgoing.once('drain', send)
          return
        }
      }
      outgoing.end('{"next_cursor":null}\n')
    }
    send()
  })
  for await (const row of connect({ baseUrl }).rows(path, { query: wholeWindow })) {
    assert.ok(row.pr_url)
    // Until nothing is sent any more: the buffers of the connection are full then.
    for (let before = -1; before !== sent; ) {
      before = sent
      await sleep(300)
    }
    break
  }
  assert.ok(sent < total / 2, `${sent} of ${total} lines were sent to a reader of one line`)
  await closed
})
