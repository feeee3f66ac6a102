import type { createDatabase } from '../../server/test/database.ts'
import { createFuzzedTenant, makeScimCredential } from '../../server/test/proofs/fuzz.ts'
import { createRandom, type Random } from '../tools/random.ts'
import type { Operation } from './document.ts'
import { KnownValues } from './known-values.ts'
import { createChangedRequest, createValidRequest, type FuzzRequest } from './request.ts'
import { type FuzzResponse, sendFuzzRequest } from './send.ts'
import { parse, type Verify } from './verify.ts'

type Database = Awaited<ReturnType<typeof createDatabase>>
type Tenant = Awaited<ReturnType<typeof createFuzzedTenant>>
type KeyKind = Parameters<Tenant['createKey']>[0]

export interface Counts {
  valid: number
  changed: number
  succeeded: number
}

export interface Defect {
  readonly operation: string
  readonly fault: string
  /** The first request that showed it. */
  readonly request: string
  count: number
}

export interface FuzzResult {
  readonly counts: Map<string, Counts>
  readonly defects: Map<string, Defect>
}

/** How many of 40 keys are missing, unknown or of any kind; the operation accepts the others. */
const OTHER_KEYS = 8

/**
 * Requests of one tenant, one after the other: the same seed makes the same requests as long as the service answers the
 * same, except for ids and keys that the service makes.
 */
export async function runLane(
  database: Database,
  url: string,
  operations: readonly Operation[],
  requestsPerOperation: number,
  seed: string,
  verify: Verify,
  result: FuzzResult,
): Promise<void> {
  const random = createRandom(seed)
  const known = new KnownValues()
  const tenant = await createFuzzedTenant(database, `fuzz${random.lower(8)}`)
  const callers = createCallers(tenant, random, known)
  try {
    learnTenant(known, tenant)
    // In turns, so that what an operation creates is there for the others.
    for (let round = 0; round < requestsPerOperation; round++) {
      for (const operation of operations) {
        const source = { random, known, operation }
        const valid = random.below(2) === 0
        const request = valid ? createValidRequest(source) : createChangedRequest(source)
        const caller = await callers.pick(operation)
        const response = await sendFuzzRequest(url, request, caller.key).catch((error: Error) => error)
        count(result, operation, valid, response)
        const fault =
          response instanceof Error ? `no response: ${response.message}` : verify(request, response)
        if (fault !== null) note(result, request, caller.kind, response, fault)
        if (response instanceof Error) continue
        callers.drop(caller, response)
        if (response.status < 300) known.learn(operation, parse(response.text))
      }
    }
  } finally {
    await tenant.close()
  }
}

function count(
  { counts }: FuzzResult,
  { operationId }: Operation,
  valid: boolean,
  response: FuzzResponse | Error,
) {
  const counted = counts.get(operationId) ?? { valid: 0, changed: 0, succeeded: 0 }
  counts.set(operationId, counted)
  counted[valid ? 'valid' : 'changed'] += 1
  if (!(response instanceof Error) && response.status < 300) counted.succeeded += 1
}

function note(
  { defects }: FuzzResult,
  request: FuzzRequest,
  kind: string,
  response: FuzzResponse | Error,
  fault: string,
): void {
  const name = `${request.operation.method} ${request.operation.path}`
  const found = defects.get(`${name} ${fault}`)
  if (found !== undefined) {
    found.count += 1
    return
  }
  const lines = [
    `${request.method} ${request.path.slice(0, 600)} (${kind} key${request.changes.map((change) => `, ${change}`).join('')})`,
    ...request.headers.map(([header, value]) => `${header}: ${value.slice(0, 100)}`),
    request.body === null ? '' : request.body.toString().slice(0, 600),
    response instanceof Error ? '' : `→ ${response.status} ${response.text.slice(0, 400)}`,
  ]
  defects.set(`${name} ${fault}`, {
    operation: name,
    fault,
    request: lines.filter((line) => line !== '').join('\n'),
    count: 1,
  })
}

interface Caller {
  readonly kind: string
  readonly key: string | null
}

const allKinds: readonly KeyKind[] = [
  'organization',
  'user',
  'workspace',
  'instance',
  'legacy',
  'agentic',
  'ingest',
]

/** Keys of every kind. Requests revoke keys and demote their owners: such a key is replaced by a new one. */
function createCallers(tenant: Tenant, random: Random, known: KnownValues) {
  const callers = new Map<string, Caller>()
  const obtain = async (kind: KeyKind | 'scim'): Promise<Caller> => {
    const found = callers.get(kind)
    if (found !== undefined) return found
    const owned = kind !== 'instance' && kind !== 'ingest'
    const key =
      kind === 'scim'
        ? await makeScimCredential(tenant, tenant.workspace)
        : await tenant.createKey(kind, owned ? { role: 'cr_admin' } : {})
    const caller = { kind, key: key.value }
    callers.set(kind, caller)
    return caller
  }
  return {
    pick({ kinds }: Operation): Promise<Caller> {
      const choice = random.below(40)
      if (choice === 0) return Promise.resolve({ kind: 'no', key: null })
      if (choice === 1)
        return Promise.resolve({ kind: 'unknown', key: random.pick(['x', 'sch_usr_', 'a'.repeat(500)]) })
      if (choice < OTHER_KEYS) {
        const created = known.pickKey(random)
        if (created !== undefined && choice % 2 === 0)
          return Promise.resolve({ kind: 'created', key: created })
        return obtain(random.pick(allKinds))
      }
      return obtain(kinds === null ? 'ingest' : (random.pick(kinds) as KeyKind | 'scim'))
    },
    drop({ kind, key }: Caller, { status, text }: FuzzResponse): void {
      const lost = status === 401 || (status === 403 && /NOT_ADMIN|PERMISSION_DENIED/.test(text))
      if (lost && callers.get(kind)?.key === key) callers.delete(kind)
    },
  }
}

function learnTenant(known: KnownValues, { workspace, instance }: Tenant): void {
  for (const { id, orgId, repositories } of [...workspace.organizations, ...instance.organizations]) {
    known.add('listOrganizations.id', id)
    known.add('org_id', orgId)
    for (const { repositoryId, name } of repositories) {
      known.add('repository_id', repositoryId)
      known.add('repository_name', name)
    }
  }
}
