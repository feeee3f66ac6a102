// Learnings: proposed in reviews and chats by events, written with the API, approved or disapproved by an Admin.
import { accountOf, type Learning, membersOf, type Organization, type Tenant, toReference } from './data.ts'
import { DAY } from './history/calendar.ts'
import { randomOf } from './history/random.ts'
import type { IngestEvent } from './service.ts'
import type { Session } from './session.ts'
import { organizationArgument, type Root } from './tenants.ts'

/** The generated history does not use pull request numbers this high. */
const FIRST_OPEN_PULL_REQUEST = 900_001
const USED_DAYS = 90

interface OrganizationLearning {
  readonly organization: Organization
  readonly learning: Learning
  readonly index: number
}

function learningsOf({ data }: Session, tenant: Tenant): OrganizationLearning[] {
  return tenant.organizations.flatMap((organization) => {
    const ids = new Set(organization.repositories.map(({ repository_id }) => repository_id))
    return data.learnings
      .filter(({ repository_id }) => ids.has(repository_id))
      .map((learning, index) => ({ organization, learning, index }))
  })
}

/** An approval delay applies to Learnings from chat that are proposed after it is set. */
function isDelayed({ learning: { source, state } }: OrganizationLearning): boolean {
  return source === 'chat' && state !== 'shared'
}

export function proposalsBeforeDelay(session: Session, root: Root): IngestEvent[] {
  const proposed = learningsOf(session, root.tenant).filter(({ learning }) => learning.source !== 'api')
  return proposed.filter((one) => !isDelayed(one)).map((one) => toProposal(root, one))
}

export function proposalsWithDelay(session: Session, root: Root): IngestEvent[] {
  return learningsOf(session, root.tenant)
    .filter(isDelayed)
    .map((one) => toProposal(root, one))
}

function toProposal(
  { tenant, createdAt }: Root,
  { organization, learning, index }: OrganizationLearning,
): IngestEvent {
  const { repository_id, file, source, state, age_days } = learning
  const random = randomOf(`learning/${repository_id}/${index}`)
  const author = accountOf(random.pick(membersOf(tenant, organization)), organization)
  const at = Date.parse(createdAt) - (age_days + random.between(0, 0.9)) * DAY
  const number = FIRST_OPEN_PULL_REQUEST + index
  return {
    id: `demo-${repository_id}-${number}`,
    type: 'learning.proposed',
    version: 1,
    occurred_at: new Date(at).toISOString(),
    payload: {
      organization: toReference(organization),
      repository_id,
      learning: learning.learning,
      file: file ?? null,
      author,
      source,
      ...(state === 'private' ? { pull_request: { number } } : {}),
    },
  }
}

export async function setApprovalDelays(
  { data, operator }: Session,
  { tenant, id }: Root,
  level: 'organizations' | 'repositories',
): Promise<void> {
  for (const organization of tenant.organizations) {
    const settings = data.learningSettings.filter(
      ({ org_id, repository_id }) =>
        org_id === organization.org_id && (repository_id === undefined) === (level === 'organizations'),
    )
    for (const { repository_id, approval_delay } of settings) {
      const where = ['--root', id, '--organization', organizationArgument(organization)]
      const repository = repository_id === undefined ? [] : ['--repository', repository_id]
      await operator.run(
        'settings',
        'set',
        ...where,
        ...repository,
        '--approval-delay',
        String(approval_delay),
      )
    }
  }
}

/** Writes the Learnings whose source is the API, and approves or disapproves those proposed by agents. */
export async function writeAndDecide(session: Session, root: Root, keys: ReadonlyMap<string, string>) {
  const { service, operator } = session
  for (const [organization, placed] of Map.groupBy(
    learningsOf(session, root.tenant),
    (one) => one.organization,
  )) {
    const key = keys.get(organization.org_id)
    if (key === undefined) continue
    const data = placed
      .filter(({ learning: { source } }) => source === 'api')
      .map(({ learning: { repository_id, learning, file } }) => {
        return { repository_id, learning, ...(file === undefined ? {} : { file }) }
      })
    if (data.length > 0) {
      const body = JSON.stringify({ data })
      const { status } = await service.call<{ status: string }>('/v1/learnings', { key, body })
      if (status !== 'success') throw new Error(`POST /v1/learnings: ${status} in ${organization.name}`)
    }
    const decided = placed.filter(
      ({ learning: { source, state } }) => source === 'agent' && state !== 'pending',
    )
    if (decided.length === 0) continue
    const where = ['--root', root.id, '--organization', organizationArgument(organization)]
    const pending = await operator.list<{ id: string; repository: string; learning: string }>(
      'learnings',
      'pending',
      ...where,
      '--text',
    )
    for (const { learning: wanted } of decided) {
      const found = pending.find(({ repository, learning }) => {
        return repository === wanted.repository_id && learning === wanted.learning.replaceAll(/\s+/g, ' ')
      })
      // An interrupted seeding has already decided on it.
      if (found === undefined) continue
      const decision = wanted.state === 'shared' ? 'approve' : 'disapprove'
      await service.call(`/v1/learnings/${found.id}/approval`, { key, body: JSON.stringify({ decision }) })
    }
  }
}

/**
 * One event per review. A Learning with n uses guided n consecutive reviews of its repository; which ones is random, so
 * that Learnings differ in when they were last used.
 */
export async function usesOf(session: Session, root: Root, keys: ReadonlyMap<string, string>) {
  const events: IngestEvent[] = []
  const now = Date.parse(root.createdAt)
  for (const organization of root.tenant.organizations) {
    const key = keys.get(organization.org_id)
    if (key === undefined) continue
    const stored = await session.service.readAll<{ id: string; learning: string; repository_id: string }>(
      '/v1/learnings',
      key,
    )
    for (const { repository_id } of organization.repositories) {
      const used = session.data.learnings.filter((one) => one.repository_id === repository_id && one.uses)
      const reviews = Math.max(0, ...used.map(({ uses = 0 }) => uses))
      const ids: string[][] = Array.from({ length: reviews }, () => [])
      const timeOf = (review: number) => now - USED_DAYS * DAY * (1 - (review + 1) / (reviews + 1))
      for (const { learning, uses = 0, age_days } of used) {
        const found = stored.find((one) => one.repository_id === repository_id && one.learning === learning)
        if (found === undefined) throw new Error(`A Learning of ${repository_id} is missing: ${learning}`)
        const last = reviews - uses
        let first = randomOf(`use/${repository_id}/${learning}`).integer(0, last)
        while (first < last && timeOf(first) < now - age_days * DAY) first += 1
        for (const list of ids.slice(first, first + uses)) list.push(found.id)
      }
      for (const [review, learning_ids] of ids.entries()) {
        if (learning_ids.length === 0) continue
        events.push({
          id: `demo-use-${repository_id}-${review}`,
          type: 'learning.used',
          version: 1,
          occurred_at: new Date(timeOf(review)).toISOString(),
          payload: { organization: toReference(organization), learning_ids },
        })
      }
    }
  }
  return events
}
