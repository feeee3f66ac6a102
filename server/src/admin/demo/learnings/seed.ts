import type { ChangeContext } from '../../../access/change-context.ts'
import { getCloudHost } from '../../../access/provider-host.ts'
import { rootScope } from '../../../access/scope.ts'
import type { ResolvedOrganization } from '../../../bus/ingest/organizations-sql.ts'
import { readScoped } from '../../../db/transaction.ts'
import { makeLog } from '../../../observe/log.ts'
import { normalizeProposed, type ProposedEvent } from '../../../resources/learnings/events/payload.ts'
import { applyProposal } from '../../../resources/learnings/events/propose.ts'
import { setLearningSetting } from '../../../resources/learnings/update-setting.ts'
import { type EmbeddedTexts, embedTexts } from '../../../resources/learnings/write/embed.ts'
import { createLocalEmbedder } from '../../../text/embed/local.ts'
import { learningId, textForIdentity } from '../../../text/identity.ts'
import { openWords } from '../../../text/words/words.ts'
import { type Operator, runChange } from '../../operator.ts'
import { type DemoOrganization, type DemoRoot, demoRoots } from '../cast.ts'
import { chanceOf } from '../history/chance.ts'
import { accountIdOf, instanceIdOf, organizationIdOf, rootIdOf, usernameOf } from '../ids.ts'
import { demoLearnings } from './all.ts'
import type { DemoLearning } from './learning.ts'
import { type Career, hasHadLearnings, writeCareers } from './sql.ts'

const DAY = 86_400_000
/** Days that what was said in a chat waits for an Admin. */
const DELAY = 14
/** Where nobody wants to wait, from now on. */
const impatient = '620118402'
// Numbers that no pull request of the history has.
const FIRST_OPEN = 900_001

/** A Learning, where it belongs, and when it was written. */
interface Written {
  readonly organization: ResolvedOrganization
  readonly repositoryId: string
  readonly learning: DemoLearning
  readonly at: Date
  readonly number: number
  readonly author: { readonly id: string; readonly username: string }
}

/** Gives the demo tenants that never had a Learning theirs, each in one transaction; answers how many were written. */
export async function seedLearnings(operator: Operator): Promise<number> {
  let written = 0
  for (const root of demoRoots) {
    const id = rootIdOf(root.name)
    const scope = rootScope(id)
    if (await readScoped(operator.pool, scope, (tx) => hasHadLearnings(scope, tx))) continue
    const all = root.organizations.flatMap((organization) => writtenIn(root, organization, operator.now()))
    const embedded = await embed(operator, all)
    await runChange(operator, id, (change) => write(change, root, all, embedded))
    written += all.length
  }
  return written
}

/** With the model that comes along; where another one is active, the worker indexes them anew. */
function embed({ pool }: Operator, written: readonly Written[]): Promise<EmbeddedTexts> {
  const embedders = [createLocalEmbedder(openWords())]
  const shared = written.filter(({ learning }) => learning.state === 'shared')
  return embedTexts(
    { apiPool: pool, embedders, log: makeLog('admin', 'silent') },
    shared.map(({ learning }) => learning.text),
  )
}

async function write(
  change: ChangeContext,
  root: DemoRoot,
  written: readonly Written[],
  embedded: EmbeddedTexts,
): Promise<void> {
  const { scope, tx } = change
  const waiting = root.organizations.filter((organization) =>
    learningsOf(organization).some(
      ({ learning: { state, source } }) => state === 'pending' && source === 'chat',
    ),
  )
  for (const { orgId } of waiting)
    await setLearningSetting(change, organizationIdOf(orgId), '', { approval_delay: DELAY })
  const oldestFirst = written.toSorted((one, other) => one.at.getTime() - other.at.getTime())
  for (const one of oldestFirst) {
    const reason = await applyProposal(change, one.organization, eventOf(one), embedded)
    if (reason !== null) throw new Error(`A Learning of the demo has no place: ${reason}`)
  }
  await writeCareers(
    scope,
    tx,
    written.map((one) => careerOf(one, change.at)),
  )
  for (const { orgId, repositories } of root.organizations) {
    if (repositories.some(({ repositoryId }) => repositoryId === impatient))
      await setLearningSetting(change, organizationIdOf(orgId), impatient, { approval_delay: 0 })
  }
}

function learningsOf({ repositories }: DemoOrganization) {
  return repositories.flatMap(({ repositoryId }) =>
    (demoLearnings[repositoryId] ?? []).map((learning) => ({ repositoryId, learning })),
  )
}

function writtenIn(root: DemoRoot, demo: DemoOrganization, now: Date): Written[] {
  const { orgId, name, provider } = demo
  const host = root.instance?.host ?? getCloudHost(provider)
  const organization: ResolvedOrganization = {
    provider,
    host,
    id: orgId,
    name,
    organization_id: organizationIdOf(orgId),
    instance_id: root.instance ? instanceIdOf(root.instance.host) : null,
  }
  const authors = root.people.filter(({ roles }) => orgId in roles)
  return learningsOf(demo).map(({ repositoryId, learning }, place) => {
    const chance = chanceOf(`learning/${repositoryId}/${place}`)
    const email = chance.pick(authors).email
    const at = new Date(now.getTime() - (learning.ageDays + chance.between(0, 0.9)) * DAY)
    const author = { id: accountIdOf(provider, email), username: usernameOf(email) }
    return { organization, repositoryId, learning, at, number: FIRST_OPEN + place, author }
  })
}

/** As it would have been proposed; what nobody could have proposed so is corrected in its career. */
function eventOf({ organization, repositoryId, learning, at, number, author }: Written): ProposedEvent {
  const { text, file, state } = learning
  const proposals = {
    shared: { source: 'review' as const },
    disapproved: { source: 'agent' as const },
    pending: { source: learning.source === 'chat' ? ('chat' as const) : ('agent' as const) },
    private: {
      source: learning.source === 'chat' ? ('chat' as const) : ('review' as const),
      pull_request: { number },
    },
  }
  const { provider, host, id } = organization
  const payload = {
    organization: { provider, host, id },
    repository_id: repositoryId,
    learning: text,
    ...(file === undefined ? {} : { file }),
    author,
    ...proposals[state],
  }
  return {
    id: `demo-${repositoryId}-${number}`,
    type: 'learning.proposed',
    version: 1,
    occurred_at: at.toISOString(),
    payload: normalizeProposed(payload),
  }
}

function careerOf({ organization, repositoryId, learning, at, number }: Written, now: Date): Career {
  const { text, source, state, uses } = learning
  const { organization_id } = organization
  const idle = chanceOf(`use/${repositoryId}/${number}`).between(0, 60) * DAY
  const last = new Date(Math.max(at.getTime() + 3_600_000, now.getTime() - idle))
  return {
    organization_id,
    id: learningId({ organization: organization_id, repository: repositoryId }, textForIdentity(text)),
    source,
    disapproved: state === 'disapproved',
    uses,
    last_used_at: uses > 0 ? last : null,
  }
}
