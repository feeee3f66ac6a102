import { setTimeout as sleep } from 'node:timers/promises'
import type { TestDatabase } from '../../server/test/database.ts'
import { plantSession } from '../../server/test/planted/sessions.ts'
import { createRevoker, type Revoker } from '../../server/test/proofs/revoke.ts'
import type { Tenant } from '../../server/test/tenant.ts'
import type { Installation } from '../ingest/installation.ts'
import { sendRequest } from '../tools/client.ts'
import type { Measurement } from '../tools/report.ts'

type Headers = Readonly<Record<string, string>>

/** A key, a session or a person with a key: what a request with it sends, and how it ends. */
export interface Revocable {
  readonly headers: Headers
  end(url: string, revoker: Revoker): Promise<unknown>
}

export interface Revocations {
  /** Not revoked yet. */
  readonly left: Revocable[]
  /** With the moment of the answer. */
  done: { readonly one: Revocable; readonly answeredAt: number }[]
  /** Accepted after a restore, though they were revoked before the time that the declaration prints. */
  violations: number
  /** The same, of those that were revoked later: the operator takes them away by hand. */
  unrelayed: number
  asked: number
}

const PAUSE_MS = 250

/** As many of each kind. */
export async function plantRevocable(
  tenant: Tenant,
  database: TestDatabase,
  count: number,
  publicUrl: string,
): Promise<Revocable[]> {
  const { workspace } = tenant
  const superuser = database.superuser()
  const { value: admin } = await tenant.createKey('workspace')
  const organization = workspace.organizations[0].id
  const all: Revocable[] = []
  while (all.length < count) {
    const key = await tenant.createKey('user')
    const { cookie } = await plantSession(superuser, workspace.root, workspace.admin)
    const session = { cookie: `__Host-scholiast=${cookie}`, 'x-scholiast-organization': organization }
    const { value, owner } = await tenant.createKey('user', { role: 'cr_admin' })
    all.push(
      {
        headers: { 'x-service-api-key': key.value },
        end: (url) =>
          require(sendRequest('DELETE', `${url}/v1/keys/${key.id}`, { 'x-service-api-key': admin })),
      },
      {
        headers: session,
        end: (url) => require(sendRequest('POST', `${url}/auth/logout`, { ...session, origin: publicUrl })),
      },
      {
        headers: { 'x-service-api-key': value },
        end: async (_url, revoker) => owner !== null && (await revoker.deactivate(workspace.root, owner)),
      },
    )
  }
  await superuser.end()
  return all
}

async function require(request: ReturnType<typeof sendRequest>): Promise<void> {
  const { status, text } = await request
  if (status >= 300) throw new Error(`A revocation returned ${status}: ${text}`)
}

/** One after the other, until it is stopped. */
export async function revokeRepeatedly(
  installation: Installation,
  revocations: Revocations,
  stopping: AbortSignal,
): Promise<void> {
  const revoker = createRevoker(installation.database)
  while (!stopping.aborted) {
    const one = revocations.left.shift()
    if (one === undefined) throw new Error('There is nothing left to revoke: plant more.')
    await one.end(installation.url(), revoker)
    revocations.done.push({ one, answeredAt: Date.now() })
    await sleep(PAUSE_MS)
  }
  await revoker.close()
}

/** Asks with everything that was revoked. */
export async function checkRevoked(
  installation: Installation,
  revocations: Revocations,
  /** Of the declaration; null = none. */
  until: Date | null,
): Promise<void> {
  const revoked: Revocations['done'] = []
  for (const { one, answeredAt } of revocations.done) {
    const { status } = await sendRequest('GET', `${installation.url()}/v1/organizations`, one.headers)
    revocations.asked += 1
    if (status !== 200) revoked.push({ one, answeredAt })
    else if (until === null || answeredAt <= until.getTime()) revocations.violations += 1
    else revocations.unrelayed += 1
  }
  revocations.done = revoked
}

export function measureRevocations({ asked, violations, unrelayed }: Revocations): Measurement {
  return {
    measure: `keys, sessions and people, asked ${asked} times after a restore: work again; of those that were not relayed`,
    goal: '0; shown',
    result: `${violations}; ${unrelayed}`,
    met: violations === 0 && asked > 0,
  }
}
