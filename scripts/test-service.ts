// Shared by the suites that run against a service of their own.
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Settings } from './installation.ts'

const limits = [
  'AUDIT',
  'ORGANIZATIONS',
  'REPOSITORIES',
  'METRICS',
  'SECURITY',
  'LEARNINGS_WRITES',
  'LEARNINGS_DRY_RUNS',
  'USERS',
  'SEATS',
  'SEAT_MODE',
  'ROLES',
  'CUSTOM_ROLES',
  'KEYS',
]

/** Settings of an API process without rate limits. */
export const disabledLimits: Settings = Object.fromEntries(limits.map((name) => [`LIMIT_${name}`, 'off']))

/** A node accepts events when the worker has published the revoked credentials. */
export async function waitUntilEventsAreAccepted(demoFile: string, urls: readonly string[]): Promise<void> {
  const { keys } = JSON.parse(readFileSync(demoFile, 'utf8')) as { keys: { ingest: string } }
  const headers = { 'x-service-api-key': keys.ingest, 'content-type': 'application/json' }
  for (const url of urls) {
    for (let attempt = 0; attempt < 100; attempt++) {
      const { status } = await fetch(`${url}/ingest/v1/events`, { method: 'POST', headers, body: '[{}]' })
      if (status !== 503) break
      await sleep(100)
    }
  }
}
