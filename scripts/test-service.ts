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
  'LEARNINGS_PENDING',
  'USERS',
  'SEATS',
  'SEAT_MODE',
  'OFFBOARDING_DRY_RUNS',
  'ROLES',
  'CUSTOM_ROLES',
  'KEYS',
  'SCIM',
  'SIGN_IN',
  'SESSION_READS',
  'SETTINGS',
  'CONNECTORS',
  'INGEST_STATUS',
  'EVENT_STATUS',
]

/** Settings of an API process without rate limits. */
export const disabledLimits: Settings = Object.fromEntries(limits.map((name) => [`LIMIT_${name}`, 'off']))

/** A node accepts events when the worker has published the revoked credentials. */
export async function waitUntilEventsAreAccepted(demoFile: string, urls: readonly string[]): Promise<void> {
  const { keys } = JSON.parse(readFileSync(demoFile, 'utf8')) as { keys: { ingest: string } }
  const headers = { 'x-service-api-key': keys.ingest, 'content-type': 'application/json' }
  for (const url of urls) {
    for (let attempt = 0; attempt < 100; attempt++) {
      // The service may have closed a connection that was idle while the demo was seeded.
      const response = await fetch(`${url}/ingest/v1/events`, {
        method: 'POST',
        headers,
        body: '[{}]',
      }).catch(() => null)
      if (response !== null && response.status !== 503) break
      await sleep(100)
    }
  }
}
