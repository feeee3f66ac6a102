import type { Pool } from '../db/connect.ts'
import { inTransaction } from '../db/transaction.ts'
import { type ErrorCode, Refusal } from '../errors.ts'
import { getRequestActor, writeAuditEntry } from './audit.ts'
import type { Principal } from './principal.ts'
import { rootScope } from './scope.ts'
import { countRefusals } from './sql.ts'

export interface RefusedRequest {
  readonly principal: Principal
  readonly route: string
  readonly code: ErrorCode
  readonly address: string
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

interface RefusalTally {
  readonly request: RefusedRequest
  readonly minute: string
  unwritten: number
}

export interface RefusalLog {
  note(request: RefusedRequest): Promise<void>
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

/** Writes the first refusal per minute, key, route and code as a row at once, and counts the others of that minute. */
export function createRefusalLog(pool: Pool, now: () => Date): RefusalLog {
  const tallies = new Map<string, RefusalTally>()
  const finished: RefusalTally[] = []

  async function note(request: RefusedRequest): Promise<void> {
    if (!auditedCodes.has(request.code)) return
    const minute = toMinute(now())
    const name = `${request.principal.credential.id} ${request.route} ${request.code}`
    const tally = tallies.get(name)
    if (tally?.minute === minute) {
      tally.unwritten += 1
      return
    }
    if (tally) finished.push(tally)
    const first = { request, minute, unwritten: 0 }
    tallies.set(name, first)
    try {
      await addToRefusalCount(pool, now(), request, minute, 1)
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
        await addToRefusalCount(pool, now(), tally.request, tally.minute, tally.unwritten)
      } catch (error) {
        finished.push(tally)
        throw error
      }
    }
  }

  return { note, flush }
}

function toMinute(time: Date): string {
  return `${time.toISOString().slice(0, 16)}:00.000Z`
}

async function addToRefusalCount(
  pool: Pool,
  at: Date,
  { principal, route, code, address }: RefusedRequest,
  minute: string,
  refused: number,
): Promise<void> {
  if (refused === 0) return
  const organization = 'organization' in principal ? principal.organization : null
  const scope = rootScope(principal.root)
  await inTransaction(pool, scope, async (tx) => {
    const values = [scope.root, principal.credential.id, organization, route, code, minute, refused]
    const [count] = await tx.query<{ first: boolean }>(countRefusals, values)
    if (!count?.first) return
    const entry = {
      action: 'request_refused',
      resourceType: 'request',
      resourceId: route,
      organization,
      actor: getRequestActor({ principal, address }),
      metadata: { code, route },
      person: 'owner' in principal ? principal.owner : null,
    } as const
    await writeAuditEntry(tx, scope, entry, at)
  })
}
