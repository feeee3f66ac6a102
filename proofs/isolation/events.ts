import { randomUUID } from 'node:crypto'
import type { Canaries, CanaryOrganization } from '../../server/test/planted/canaries.ts'
import {
  compileShape,
  type EventHandler,
  type EventKind,
  type KeyId,
  type OrganizationId,
  type RootId,
} from '../../server/test/proofs/isolation.ts'
import { pick } from './requests.ts'

/** A credential that reaches none of the victims. */
interface Sender {
  readonly root: RootId
  readonly organizations: readonly OrganizationId[] | null
  /** The organizations that the credential may speak for. */
  readonly own: readonly CanaryOrganization[]
}

/** Builds a payload that names `named` as its organization and objects of `target`. */
type BuildPayload = (named: CanaryOrganization, target: CanaryOrganization, canaries: Canaries) => object

/**
 * Gives events that name organizations, repositories, pull requests, findings and Learnings of any tenant to the handlers
 * of the worker. Returns how many were stored.
 */
export async function sendForeignEvents(
  handler: EventHandler,
  canaries: Canaries,
  count: number,
  type?: string,
): Promise<number> {
  const kinds = handler.kinds.filter((kind) => type === undefined || kind.type === type)
  const senders = listSenders(canaries)
  let stored = 0
  for (let index = 0; index < count; index++) {
    const kind = pick(kinds)
    const { root, organizations, own } = pick(senders)
    const target = pick(canaries.targets.filter(({ id }) => !own.some((one) => one.id === id)))
    const named = Math.random() < 0.5 ? target : pick(own)
    const payload = getBuilder(kind)(named, target, canaries)
    const isValid = compileShape(kind.payload)
    if (!isValid(payload))
      throw new Error(`A payload of ${kind.type} is invalid: ${JSON.stringify(isValid.errors)}`)
    const event = {
      id: randomUUID(),
      type: kind.type,
      version: kind.version,
      occurred_at: new Date().toISOString(),
      payload: JSON.parse(JSON.stringify(await kind.normalize(payload))) as unknown,
    }
    const batch = { root, credential: randomUUID() as KeyId, organizations, events: [event] }
    if (await handler.handle(batch)) stored += 1
  }
  return stored
}

/** For every organization that has a caller, a credential for it alone; for roots without a victim, one for the root too. */
function listSenders({ targets, victims }: Canaries): Sender[] {
  const reachable = targets.filter(
    ({ root, id }) => !victims.roots.includes(root) && !victims.organizations.includes(id),
  )
  const bound = reachable.map((one): Sender => ({ root: one.root, organizations: [one.id], own: [one] }))
  const whole = [...Map.groupBy(reachable, ({ root }) => root)]
    .filter(([root]) => !targets.some((one) => one.root === root && victims.organizations.includes(one.id)))
    .map(([root, own]): Sender => ({ root, organizations: null, own }))
  return [...bound, ...whole]
}

function getBuilder({ type }: EventKind): BuildPayload {
  const build = builders.get(type)
  if (build === undefined)
    throw new Error(`proofs/isolation/events.ts has no payload for ${type}: add one to its builders.`)
  return build
}

const toReference = ({ host, orgId }: CanaryOrganization) => ({ provider: 'github', host, id: orgId })

/** By event type. */
const builders: ReadonlyMap<string, BuildPayload> = new Map<string, BuildPayload>([
  [
    'inventory.changed',
    (named, target, { repositoryId }) => ({
      organizations: [{ ...toReference(target), name: 'Fuzzed', active: Math.random() < 0.5 }],
      repositories: [{ organization: toReference(named), id: repositoryId, name: 'fuzzed', active: false }],
      memberships: [{ organization: toReference(target), account_id: target.word, active: false }],
      repository_access: [
        {
          organization: toReference(named),
          repository_id: repositoryId,
          account_id: target.word,
          granted: true,
        },
      ],
    }),
  ],
  [
    'pull_request.finalized',
    (named, target, { repositoryId }) => ({
      organization: toReference(named),
      repository: { id: repositoryId },
      number: pick(target.pullRequests),
      url: `https://git.example.com/${target.word}/pull/${pick(target.pullRequests)}`,
      status: 'closed',
      findings: [],
    }),
  ],
  [
    'finding.outcome',
    (named, target, { repositoryId }) => {
      const number = pick(target.pullRequests)
      return {
        organization: toReference(named),
        repository: { id: repositoryId },
        number,
        finding_id: `${target.word}-${number}`,
        accepted: false,
        source: 'person',
      }
    },
  ],
  [
    'mcp.used',
    (named, target, { repositoryId }) => ({
      organization: toReference(named),
      repository: { id: repositoryId },
      number: pick(target.pullRequests),
      servers: [{ name: 'fuzzed', tools: [{ name: 'fuzzed' }] }],
    }),
  ],
  [
    'learning.proposed',
    (named, _, { repositoryId }) => ({
      organization: toReference(named),
      repository_id: repositoryId,
      learning: `Fuzzed ${randomUUID()}.`,
      source: 'review',
    }),
  ],
  [
    'pull_request.closed',
    (named, target, { repositoryId }) => ({
      organization: toReference(named),
      repository_id: repositoryId,
      number: pick(target.pullRequests),
      merged: true,
    }),
  ],
  [
    'learning.used',
    (named, target) => ({ organization: toReference(named), learning_ids: [pick(target.learnings)] }),
  ],
  ['reviewer.tagged', (named, target) => ({ organization: toReference(named), author: { id: target.word } })],
  [
    'security_scan.completed',
    (named, _, { repositoryId, scanId }) => ({
      organization: toReference(named),
      repository: { id: repositoryId },
      scan_id: pick([scanId, randomUUID()]),
      tool: 'Warden',
      complete: true,
      findings: [],
    }),
  ],
  [
    'security_finding.dismissed',
    (named, target) => ({
      organization: toReference(named),
      finding_id: pick(target.findings),
      dismissed: true,
      reason: 'wont_fix',
    }),
  ],
])
