import type { Pool } from '../db/connect.ts'
import { inTransaction } from '../db/transaction.ts'
import { type ErrorCode, Refusal } from '../errors.ts'
import type { OrganizationId, PersonId, RootId } from '../ids.ts'
import { type AuditEntry, getRequestActor, writeAuditEntry } from './audit.ts'
import type { Caller, Principal } from './principal.ts'
import { rootScope } from './scope.ts'
import { countRefusals } from './sql.ts'

export interface RefusedRequest {
  readonly principal: Caller
  readonly route: string
  readonly code: ErrorCode
  readonly address: string
}

export type SignInMethod = 'provider' | 'passkey' | 'link'

/** A refused sign-in to a known tenant root. */
export interface RefusedSignIn {
  readonly root: RootId
  readonly person: PersonId | null
  readonly method: SignInMethod
  readonly reason: string
  readonly issuer: string | null
}

/** A refusal before the request is admitted, of a caller who is known already. */
export class CallerRefusal extends Refusal {
  readonly principal: Principal

  constructor(principal: Principal, { code, message, headers }: Refusal) {
    super(code, message, headers)
    this.principal = principal
  }
}

/** Runs checks that can refuse a caller who is known already, so that the refusal is audited. */
export async function runAsCaller<Result>(
  principal: Principal,
  check: () => Result | Promise<Result>,
): Promise<Result> {
  try {
    return await check()
  } catch (error) {
    throw error instanceof Refusal ? new CallerRefusal(principal, error) : error
  }
}

/** Refusals that are counted together. */
interface CountedRefusal {
  readonly root: RootId
  /** The key or session; of a sign-in the person, or the root if nobody is known. */
  readonly holder: string
  readonly organization: OrganizationId | null
  readonly route: string
  readonly code: string
  /** The row of the first one. */
  readonly entry: AuditEntry
}

interface RefusalTally {
  readonly refusal: CountedRefusal
  readonly minute: string
  unwritten: number
}

export interface RefusalLog {
  note(request: RefusedRequest): Promise<void>
  noteSignIn(refused: RefusedSignIn, address: string): Promise<void>
  /** Adds this node's counts of past minutes to the shared counts. The worker writes those to the audit chain. */
  flush(): Promise<void>
}

const auditedCodes: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'ENTERPRISE_REQUIRED',
  'KEY_KIND_NOT_ALLOWED',
  'OWNER_NOT_ADMIN',
  'PERMISSION_DENIED',
  'NOT_ADMIN',
  'SELF_HOSTED_ONLY',
  'ORGANIZATION_OUT_OF_SCOPE',
  'METRICS_UNAVAILABLE',
  'REPOSITORY_ACCESS_REQUIRED',
  'REAUTHENTICATION_REQUIRED',
  'CROSS_SITE_REQUEST',
  'ORGANIZATION_NOT_FOUND',
  'LEGACY_API_KEY',
])

/** Writes the first refusal per minute, holder, route and code as a row at once, and counts the others of that minute. */
export function createRefusalLog(pool: Pool, now: () => Date): RefusalLog {
  const tallies = new Map<string, RefusalTally>()
  const finished: RefusalTally[] = []

  async function count(refusal: CountedRefusal): Promise<void> {
    const minute = toMinute(now())
    const name = `${refusal.holder} ${refusal.route} ${refusal.code}`
    const tally = tallies.get(name)
    if (tally?.minute === minute) {
      tally.unwritten += 1
      return
    }
    if (tally) finished.push(tally)
    const first = { refusal, minute, unwritten: 0 }
    tallies.set(name, first)
    try {
      await addToRefusalCount(pool, now(), refusal, minute, 1)
    } catch (error) {
      first.unwritten += 1
      throw error
    }
  }

  async function flush(): Promise<void> {
    const minute = toMinute(now())
    for (const [name, tally] of tallies) {
      if (tally.minute === minute) continue
      tallies.delete(name)
      finished.push(tally)
    }
    for (let tally = finished.shift(); tally !== undefined; tally = finished.shift()) {
      try {
        await addToRefusalCount(pool, now(), tally.refusal, tally.minute, tally.unwritten)
      } catch (error) {
        finished.push(tally)
        throw error
      }
    }
  }

  return {
    async note(request) {
      if (auditedCodes.has(request.code)) await count(toCountedRequest(request))
    },
    async noteSignIn(refused, address) {
      const { root, person, method, reason } = refused
      const entry = toSignInEntry(refused, {}, address)
      const route = toSignInRoute(method)
      await count({ root, holder: person ?? root, organization: null, route, code: reason, entry })
    },
    flush,
  }
}

function toMinute(time: Date): string {
  return `${time.toISOString().slice(0, 16)}:00.000Z`
}

function toCountedRequest({ principal, route, code, address }: RefusedRequest): CountedRefusal {
  const organization = 'organization' in principal ? principal.organization : null
  const entry: AuditEntry = {
    action: 'request_refused',
    resourceId: route,
    organization,
    actor: getRequestActor({ principal, address }),
    metadata: { code, route },
    person: 'owner' in principal ? principal.owner : null,
  }
  return { root: principal.root, holder: principal.credential.id, organization, route, code, entry }
}

const signInRoutes = {
  provider: 'sign-in provider',
  passkey: 'sign-in passkey',
  link: 'sign-in link',
} as const satisfies Record<SignInMethod, string>

/** Sign-ins are counted under these instead of a route. */
function toSignInRoute(method: SignInMethod): string {
  return signInRoutes[method]
}

/** Null for the route of a request. */
export function readSignInRoute(route: string): SignInMethod | null {
  const methods = Object.keys(signInRoutes) as SignInMethod[]
  return methods.find((method) => signInRoutes[method] === route) ?? null
}

/** The row of one refused sign-in, or of several with their number in `counted`. Who tried is not known. */
export function toSignInEntry(
  { person, method, reason, issuer }: Omit<RefusedSignIn, 'root'>,
  counted: AuditEntry['metadata'],
  address?: string,
): AuditEntry {
  return {
    action: 'session_refused',
    resourceId: null,
    organization: null,
    actor: { kind: 'service', id: null, ...(address !== undefined && { address }) },
    metadata: {
      reason,
      method,
      ...(issuer !== null && { issuer }),
      ...(person !== null && { person_id: person }),
      ...counted,
    },
    person,
  }
}

async function addToRefusalCount(
  pool: Pool,
  at: Date,
  { root, holder, organization, route, code, entry }: CountedRefusal,
  minute: string,
  refused: number,
): Promise<void> {
  if (refused === 0) return
  const scope = rootScope(root)
  await inTransaction(pool, scope, async (tx) => {
    const values = [scope.root, holder, organization, route, code, minute, refused]
    const count = await tx.first<{ first: boolean }>(countRefusals, values)
    if (count?.first) await writeAuditEntry(tx, scope, entry, at)
  })
}
