import assert from 'node:assert/strict'
import { assertError, type Reply } from '../cli/src/conformance/http.ts'
import { mergedOn, windowOf } from './metrics-data.ts'
import { call, demo, home, type KeyName, organizationsOf } from './service.ts'
import { strict } from './windows.ts'

// What every page of metrics has in common: whom it is shown to, and what narrows it.

export const [, sibling] = organizationsOf('workspace').map(({ org_id }) => org_id)
export const [firmware, fleet] = organizationsOf('instance').map(({ org_id }) => org_id)
const atInstance = { provider: 'gitlab', host: 'git.halden.example.com' }

type Ask = (query: string, key?: KeyName) => Promise<Reply>
/** The URLs of what is shown, of all pages. */
type Told = (query: string, key?: KeyName) => Promise<string[]>
type Spread = ReturnType<typeof spreadOver>

/** Pull requests of a day in every organization that some key sees and another does not. */
export function spreadOver(day: string) {
  const five = Array.from({ length: 5 }, () => mergedOn(day))
  return {
    window: windowOf(day),
    five,
    urls: five.map(({ url }) => url),
    ofSibling: mergedOn(day, { organization: { provider: 'github', id: sibling } }),
    ofFirmware: mergedOn(day, { organization: { ...atInstance, id: firmware } }),
    ofFleet: mergedOn(day, { organization: { ...atInstance, id: fleet } }),
  }
}

export async function assertShownByScope(told: Told, spread: Spread): Promise<void> {
  const { window, urls, ofSibling, ofFirmware, ofFleet } = spread
  const expected: [KeyName, string[]][] = [
    ['workspace', [...urls, ofSibling.url]],
    ['organization', urls],
    ['user', urls],
    ['legacy', urls],
    ['instance', [ofFirmware.url, ofFleet.url]],
    ['instance_narrow', [ofFirmware.url]],
  ]
  for (const [key, of] of expected) assert.deepEqual(await told(window, key), of, key)
}

export async function assertNarrowed(ask: Ask, told: Told, spread: Spread): Promise<void> {
  const { window, urls, ofSibling, ofFleet } = spread
  assert.deepEqual(await told(`${window}&org_id=${sibling}`), [ofSibling.url])
  assert.deepEqual(await told(`${window}&org_id=github:${home.org_id}`), urls)
  assert.deepEqual(await told(`${window}&org_id=${sibling}`, 'organization'), urls)
  assertError(await ask(`${window}&org_id=nobody`), 404, 'ORGANIZATION_NOT_FOUND')
  assert.deepEqual(await told(`${window}&organization_ids=${fleet}`, 'instance'), [ofFleet.url])
  const outside = await ask(`${window}&organization_ids=${fleet}`, 'instance_narrow')
  assertError(outside, 403, 'ORGANIZATION_OUT_OF_SCOPE')
  assertError(await ask(`${window}&organization_ids=${fleet}`), 400, 'INVALID_REQUEST')
}

export async function assertRefused(ask: Ask, window: string): Promise<void> {
  const refused: [KeyName, number, string][] = [
    ['revoked', 401, 'UNAUTHORIZED'],
    ['agentic', 403, 'KEY_KIND_NOT_ALLOWED'],
    ['workspace_demoted_owner', 403, 'OWNER_NOT_ADMIN'],
    ['lower_plan', 403, 'ENTERPRISE_REQUIRED'],
    ['metrics_off', 403, 'METRICS_UNAVAILABLE'],
  ]
  for (const [key, status, code] of refused) assertError(await ask(window, key), status, code, key)
}

/** A request of the window of the metrics. */
export async function assertCountsAsMetrics(path: string): Promise<void> {
  const { headers } = await call(path, { key: demo.keys.other_tenant, base: strict() })
  assert.equal(headers.get('ratelimit-policy'), '"metrics";q=10;w=60')
}
