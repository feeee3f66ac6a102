// Sends webhooks as GitHub does: once, never again by itself. Deliveries can be listed and requested again for three days.
import { createHmac, randomUUID } from 'node:crypto'
import { toTime } from '../clock.ts'
import { checkGithubHook } from '../contract.ts'
import type { FaultPlan } from '../faults.ts'
import type { Forge } from '../forge.ts'
import type { ForgeEvent } from '../model.ts'
import type { App, Apps, Installation } from './apps.ts'
import { createInstallationPayload, createPayload } from './hook-payloads.ts'
import type { Json, Urls } from './render.ts'

export interface HookRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Returns the status of the receiver; rejects if it cannot be reached. */
export type SendHook = (request: HookRequest) => Promise<number>

export interface Delivery {
  readonly id: number
  readonly guid: string
  readonly app: App
  readonly event: string
  readonly action: string
  readonly installation: Installation
  readonly repositoryId: number | null
  readonly isRedelivery: boolean
  readonly deliveredAt: number
  readonly request: HookRequest
  statusCode: number
  status: string
}

export interface HookOptions {
  readonly forge: Forge
  readonly apps: Apps
  readonly faults: FaultPlan
  readonly getUrls: () => Urls
  readonly send: SendHook
  readonly reportViolation: (error: unknown) => void
  readonly redeliveryDays: number
}

const RECEIVER_TIMEOUT_MS = 10_000
const DAY_MS = 86_400_000

export function signHook(secret: string, body: string): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
}

export async function sendHookByHttp({ url, headers, body }: HookRequest): Promise<number> {
  const signal = AbortSignal.timeout(RECEIVER_TIMEOUT_MS)
  const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal })
  await response.body?.cancel()
  return response.status
}

export class HookSender {
  /** Newest last. */
  readonly deliveries: Delivery[] = []
  readonly #options: HookOptions
  #nextId = 7_000_001
  /** Deliveries are sent one after the other, in the order of this chain. */
  #sending: Promise<void> = Promise.resolve()
  #reordered: Delivery[] = []
  #late: Delivery[] = []

  constructor(options: HookOptions) {
    this.#options = options
    options.forge.onEvent((event) => this.#handle(event))
    options.apps.onInstallation = (installation, action) => this.#handleInstallation(installation, action)
  }

  /** Resolves when everything that is due was sent. */
  async flush(): Promise<void> {
    this.#releaseReordered()
    await this.#sending
  }

  /** Sends what was held back as late. */
  async releaseLate(): Promise<void> {
    for (const delivery of this.#late.splice(0)) this.#enqueue(delivery)
    await this.flush()
  }

  /** The same id and body once more; false = too old. */
  redeliver(original: Delivery): boolean {
    const now = this.#options.forge.clock.now()
    if (now - original.deliveredAt > this.#options.redeliveryDays * DAY_MS) return false
    this.#enqueue(
      this.#record({ ...original, id: this.#nextId++, isRedelivery: true, deliveredAt: now, statusCode: 0 }),
    )
    return true
  }

  #handle(event: ForgeEvent): void {
    const { apps, getUrls } = this.#options
    for (const installation of apps.installations) {
      if (!isAbout(event, installation) || installation.app.webhookUrl === null) continue
      const payload = createPayload(getUrls(), event, installation)
      if (payload === null || !installation.app.events.includes(payload.event)) continue
      this.#check(payload.event, payload.action, payload.body)
      this.#deliver(installation, payload.event, payload.action, payload.repository?.id ?? null, payload.body)
    }
  }

  /** Every app gets these. */
  #handleInstallation(installation: Installation, action: 'created' | 'deleted'): void {
    const { forge, getUrls } = this.#options
    const { account } = installation
    const repositories = forge.repositories.filter(({ owner }) => owner === account)
    const body = createInstallationPayload(getUrls(), installation, action, repositories)
    this.#check('installation', action, body)
    this.#deliver(installation, 'installation', action, null, body)
  }

  #check(event: string, action: string, body: Json): void {
    try {
      checkGithubHook(event, action, body)
    } catch (error) {
      this.#options.reportViolation(error)
    }
  }

  #deliver(
    installation: Installation,
    event: string,
    action: string,
    repositoryId: number | null,
    body: Json,
  ): void {
    const { app } = installation
    if (app.webhookUrl === null) return
    const fault = this.#options.faults.takeHookFault()
    if (fault === 'unsent') return
    const guid = randomUUID()
    const text = JSON.stringify(body)
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'GitHub-Hookshot/fake',
      'x-github-delivery': guid,
      'x-github-event': event,
      'x-github-hook-id': String(app.id + 400_000_000),
      'x-github-hook-installation-target-id': String(app.id),
      'x-github-hook-installation-target-type': 'integration',
      'x-hub-signature-256': signHook(app.webhookSecret, text),
    }
    const delivery = this.#record({
      id: this.#nextId++,
      guid,
      app,
      event,
      action,
      installation,
      repositoryId,
      isRedelivery: false,
      deliveredAt: this.#options.forge.clock.now(),
      request: { url: app.webhookUrl, headers, body: text },
      statusCode: 0,
      status: 'pending',
    })
    if (fault === 'failed') {
      Object.assign(delivery, { statusCode: 502, status: 'failed to connect to host' })
      return
    }
    if (fault === 'late') {
      this.#late.push(delivery)
      return
    }
    if (fault === 'reordered') {
      this.#reordered.push(delivery)
      return
    }
    this.#enqueue(delivery)
    if (fault === 'doubled') this.#enqueue(delivery)
    if (this.#reordered.length > 2) this.#releaseReordered()
  }

  /** Held back until later ones were sent, then in reverse order. */
  #releaseReordered(): void {
    for (const delivery of this.#reordered.splice(0).toReversed()) this.#enqueue(delivery)
  }

  #record(delivery: Delivery): Delivery {
    this.deliveries.push(delivery)
    return delivery
  }

  #enqueue(delivery: Delivery): void {
    this.#sending = this.#sending.then(async () => {
      try {
        delivery.statusCode = await this.#options.send(delivery.request)
        delivery.status = delivery.statusCode < 300 ? 'OK' : 'Invalid HTTP Response'
      } catch {
        delivery.status = 'failed to connect to host'
      }
    })
  }
}

/** An installation is notified of its own organization; a transfer, of both. */
function isAbout(event: ForgeEvent, { account }: Installation): boolean {
  if (event.kind === 'member') return event.organization === account
  if (event.kind === 'repository' && event.previousOwner === account) return true
  return event.repository.owner === account
}

export function renderDelivery(delivery: Delivery): Json {
  return {
    id: delivery.id,
    guid: delivery.guid,
    delivered_at: toTime(delivery.deliveredAt),
    redelivery: delivery.isRedelivery,
    duration: 0.03,
    status: delivery.status,
    status_code: delivery.statusCode,
    event: delivery.event,
    action: delivery.action,
    installation_id: delivery.installation.id,
    repository_id: delivery.repositoryId,
    throttled_at: null,
  }
}
