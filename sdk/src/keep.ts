import type { IngestEvent } from './event.ts'
import { readJson, type Send } from './request.ts'
import { ignoreTransient } from './retry.ts'
import type { RequestOptions, Result } from './types.ts'

/** Where events are kept until the service has stored them. `openEventFile` of `@scholiast/sdk/event-file` keeps them in a file. */
export interface EventStore {
  /** What was kept before and is not removed yet, oldest first. */
  readonly events: readonly IngestEvent[]
  /** Resolves to whether there was room. An event whose id is kept already is not kept again. */
  add(id: string, json: string): Promise<boolean>
  remove(ids: readonly string[]): Promise<void>
}

export interface KeepOptions extends Pick<RequestOptions, 'signal' | 'timeoutMs'> {
  /** Called for an event that the service accepted and then gave up. It is kept no longer. */
  readonly onRefused?: ((event: IngestEvent) => void) | undefined
  /** An event that the service does not know so long after it was accepted is sent again. Default: 60 s. */
  readonly resendAfterMs?: number | undefined
}

/** Asks the service what became of kept events. */
export interface Keeper {
  keep(event: IngestEvent, json: string): Promise<void>
  noteSent(ids: readonly string[]): void
  /** The service will never store these. */
  drop(ids: readonly string[]): Promise<void>
  /** Asks at once. Returns the number of events that are still kept. */
  check(): Promise<number>
  /** Asks if that was not done for some seconds. A failure is left to the next time. */
  checkIfDue(): Promise<void>
}

const STATUS_PATH = '/ingest/v1/events/status'
const MAX_IDS = 500
const CHECK_EVERY_MS = 5000
const RESEND_AFTER_MS = 60_000

export function createKeeper(
  send: Send,
  store: EventStore,
  options: KeepOptions,
  sendAgain: (event: IngestEvent, json: string) => void,
): Keeper {
  const { signal, timeoutMs, onRefused, resendAfterMs = RESEND_AFTER_MS } = options
  const kept = new Map<string, { event: IngestEvent; json: string; sentAt: number | null }>()
  let checkedAt = Date.now()
  let checking: Promise<void> | undefined

  for (const event of store.events) {
    const json = JSON.stringify(event)
    kept.set(event.id, { event, json, sentAt: null })
    sendAgain(event, json)
  }

  async function ask(ids: readonly string[]): Promise<void> {
    const request = { body: { ids }, signal, timeoutMs }
    const reply = await send('POST', STATUS_PATH, request, readJson)
    const { data } = reply as Result<'post', typeof STATUS_PATH>
    const settled: string[] = []
    for (const { id, status } of data) {
      const one = kept.get(id)
      if (one === undefined) continue
      if (status === 'stored' || status === 'refused') settled.push(id)
      if (status === 'refused') onRefused?.(one.event)
      if (status !== 'unknown' || one.sentAt === null || Date.now() - one.sentAt < resendAfterMs) continue
      one.sentAt = null
      sendAgain(one.event, one.json)
    }
    await drop(settled)
  }

  async function askForAll(): Promise<void> {
    const sent = [...kept].filter(([, { sentAt }]) => sentAt !== null).map(([id]) => id)
    for (let from = 0; from < sent.length; from += MAX_IDS) await ask(sent.slice(from, from + MAX_IDS))
    checkedAt = Date.now()
  }

  async function check(): Promise<number> {
    checking ??= askForAll().finally(() => {
      checking = undefined
    })
    await checking
    return kept.size
  }

  async function drop(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return
    await store.remove(ids)
    for (const id of ids) kept.delete(id)
  }

  return {
    async keep(event, json) {
      if (!(await store.add(event.id, json))) {
        await check().catch(ignoreTransient)
        if (!(await store.add(event.id, json)))
          throw new Error(
            'There is no room to keep another event. Wait until the service has stored the others, or allow more bytes.',
          )
      }
      kept.set(event.id, { event, json, sentAt: null })
    },
    noteSent(ids) {
      for (const id of ids) {
        const one = kept.get(id)
        if (one !== undefined) one.sentAt = Date.now()
      }
    },
    drop,
    check,
    async checkIfDue() {
      if (Date.now() - checkedAt < CHECK_EVERY_MS) return
      checkedAt = Date.now()
      await check().catch(() => undefined)
    },
  }
}
