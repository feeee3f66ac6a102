import assert from 'node:assert/strict'
import type {
  FixtureOrganization,
  FixtureRoot,
  NewPerson,
  OffboardingFixture,
  OwnedKind,
  PersonState,
  StoredPerson,
} from '../../server/test/proofs/offboarding-fixture.ts'
import { get, type HttpResult, postJson } from '../tools/client.ts'
import { createRandom, type Random } from '../tools/random.ts'

export interface Caller {
  readonly url: string
}

export interface Receipt {
  readonly root_id: string
  readonly previous_hash: string
  readonly rows: readonly {
    readonly id: string
    readonly action: string
    readonly position: number
    readonly digest: string
    readonly hash: string
  }[]
  readonly head: { readonly position: number; readonly hash: string }
}

interface Offboarding {
  readonly person: { readonly active: boolean }
  readonly sessions: number
  readonly keys: readonly { readonly id: string; readonly ends: boolean }[]
  readonly seats: number
  readonly roles: readonly { readonly organization: { readonly id: string } | null }[]
  readonly pending_learnings: number
  readonly executed: boolean
  readonly receipt: Receipt | null
}

/** A receipt, and the keys that its rows must name. */
export interface KeptReceipt {
  readonly receipt: Receipt
  readonly keys: readonly string[]
  readonly person: string
}

export interface Tally {
  readonly receipts: KeptReceipt[]
  refused: number
  unexpected: number
  previewDiffers: number
  rowsDiffer: number
  keys: number
  sessions: number
  accepted: number
  kept: number
  lost: number
  races: number
  lateKeys: number
}

export function createTally(): Tally {
  return {
    receipts: [],
    refused: 0,
    unexpected: 0,
    previewDiffers: 0,
    rowsDiffer: 0,
    keys: 0,
    sessions: 0,
    accepted: 0,
    kept: 0,
    lost: 0,
    races: 0,
    lateKeys: 0,
  }
}

interface Trial {
  readonly fixture: OffboardingFixture
  readonly random: Random
  readonly nodes: readonly Caller[]
  readonly root: FixtureRoot
  readonly person: StoredPerson
  /** The only organization that is affected; null = the whole root. */
  readonly organization: FixtureOrganization | null
  readonly key: string
  readonly member: object
  readonly tally: Tally
}

/** Makes somebody at random, and offboards them by a random caller. */
export async function runTrial(
  fixture: OffboardingFixture,
  nodes: readonly Caller[],
  index: number,
  tally: Tally,
): Promise<void> {
  const random = createRandom(`offboarding ${index}`)
  const [workspace, single] = fixture.roots as [FixtureRoot, FixtureRoot]
  const root = random.below(5) === 0 ? single : workspace
  const plan = drawPerson(random, root)
  const person = await fixture.addPerson(root, plan)
  const trial: Trial = {
    fixture,
    random,
    nodes,
    root,
    person,
    tally,
    ...drawRequest(random, root, plan, person),
  }
  const inScope = ({ organization }: { readonly organization: string | null }) =>
    trial.organization === null || organization === trial.organization.id
  if (plan.memberships.some((one) => one.role === 'cr_billing_admin' && inScope(one)))
    return expectRefusal(trial, 'PROTECTED_ROLE')
  const racer = person.keys.find((key) => key.kind === 'user' && key.living && inScope(key))
  const isAdmin =
    plan.workspaceAdmin || plan.memberships.some((one) => one.role === 'cr_admin' && inScope(one))
  if (racer !== undefined && isAdmin && random.below(2) === 0) return race(trial, racer.value)
  return offboard(trial)
}

const kinds: readonly OwnedKind[] = ['organization', 'user', 'agentic', 'legacy', 'agentic', 'user']

function drawPerson(random: Random, { kind, organizations }: FixtureRoot): NewPerson {
  const chance = (percent: number) => random.below(100) < percent
  const memberships = organizations
    .filter(() => chance(kind === 'workspace' ? 50 : 100))
    .map(({ id }) => ({
      organization: id,
      role: chance(4) ? 'cr_billing_admin' : random.pick(['cr_member', 'cr_admin']),
    }))
  const workspaceAdmin = kind === 'workspace' && chance(25)
  const joined = memberships.map(({ organization }) => organization)
  const keys = Array.from({ length: random.below(6) }, () => {
    const isToken = workspaceAdmin && chance(25)
    return {
      kind: isToken ? ('workspace' as const) : random.pick(kinds),
      organization: isToken ? null : (joined[random.below(joined.length)] ?? null),
      usedDaysAgo: random.pick([null, null, 2, 10]),
      state: random.pick(['living', 'living', 'living', 'living', 'expired', 'revoked'] as const),
    }
  })
  return {
    workspaceAdmin,
    memberships,
    keys: keys.filter(({ kind: keyKind, organization }) => keyKind === 'workspace' || organization !== null),
    sessions: Array.from({ length: random.below(4) }, () =>
      random.pick(['living', 'living', 'ended'] as const),
    ),
    seat: chance(50),
    seatRequest: chance(20),
    pendingLearnings: Array.from({ length: joined.length === 0 ? 0 : random.below(4) }, () =>
      random.pick(joined),
    ),
  }
}

/** Who asks: a workspace token, one that names an organization, or the admin of an organization. */
function drawRequest(random: Random, root: FixtureRoot, { memberships }: NewPerson, person: StoredPerson) {
  const byName = [{ email: person.email }, { cr_user_id: person.id }]
  const joined = root.organizations.filter(({ id }) =>
    memberships.some(({ organization }) => organization === id),
  )
  const [first] = root.organizations
  assert.ok(first)
  if (root.token === null) return { key: first.adminKey, member: random.pick(byName), organization: null }
  if (joined.length === 0 || random.below(2) === 0)
    return { key: root.token, member: random.pick(byName), organization: null }
  const organization = random.pick(joined)
  const member = random.pick([...byName, { user_id: person.account }])
  return { key: random.below(2) === 0 ? root.token : organization.adminKey, member, organization }
}

function send({ nodes, random, key, member, organization }: Trial, more: object = {}): Promise<HttpResult> {
  const body = { member, ...(organization !== null && { org_id: organization.orgId }), ...more }
  return postJson(`${random.pick(nodes).url}/v1/users/offboarding`, key, JSON.stringify(body))
}

const codeOf = ({ status, text }: HttpResult) =>
  `${status} ${(JSON.parse(text) as { error?: { code?: string } }).error?.code}`

async function expectRefusal(trial: Trial, code: string): Promise<void> {
  const { fixture, person, tally } = trial
  const before = await fixture.readState(person)
  for (const dry_run of [true, false])
    if (codeOf(await send(trial, { dry_run })) !== `409 ${code}`) tally.unexpected += 1
  if (!isEqual(await fixture.readState(person), before)) tally.rowsDiffer += 1
  tally.refused += 1
}

async function offboard(trial: Trial): Promise<void> {
  const { fixture, person, organization, tally } = trial
  const before = await fixture.readState(person)
  const preview = parse(await send(trial), tally)
  if (preview === null) return
  const ends = (key: StoredPerson['keys'][number]) =>
    key.living && (organization === null || key.organization === organization.id)
  const inUse = person.keys.filter((key) => ends(key) && key.inUse).map(({ id }) => id)
  if (inUse.length > 0 && codeOf(await send(trial, { dry_run: false })) !== '409 KEY_IN_USE')
    tally.unexpected += 1
  if (!isEqual(await fixture.readState(person), before)) tally.rowsDiffer += 1
  const done = parse(await send(trial, { dry_run: false, confirm_keys: inUse }), tally)
  if (done === null || done.receipt === null) return
  const expected = { ...preview, person: { ...preview.person, active: organization !== null } }
  if (!isEqual({ ...done, executed: false, receipt: null }, expected)) tally.previewDiffers += 1
  const after = await fixture.readState(person)
  if (!isEqual(after, toExpected(trial, before, preview))) tally.rowsDiffer += 1
  await checkKeys(trial, ends)
  tally.sessions += organization === null ? before.sessions.length : 0
  tally.accepted += organization === null ? after.sessions.length : 0
  const ended = preview.keys.filter((key) => key.ends).map(({ id }) => id)
  tally.receipts.push({ receipt: done.receipt, keys: ended, person: person.id })
}

/** The rows after a change that is what the preview says; what the preview does not name stays. */
function toExpected({ organization }: Trial, before: PersonState, preview: Offboarding): PersonState {
  const ended = new Set(preview.keys.filter(({ ends }) => ends).map(({ id }) => id))
  const left = new Set(preview.roles.map(({ organization: one }) => one?.id ?? null))
  const memberships = before.memberships.filter((id) => !left.has(id))
  const rootWide = organization === null
  return {
    active: !rootWide,
    workspace_admin: before.workspace_admin && !left.has(null),
    keys: before.keys.filter((id) => !ended.has(id)),
    sessions:
      preview.sessions === before.sessions.length ? (rootWide ? [] : before.sessions) : before.sessions,
    seats: before.seats - preview.seats,
    requests: rootWide ? 0 : before.requests,
    memberships,
    // The fixture has a repository in each organization.
    repositories: memberships.length,
    pending: organization === null ? preview.pending_learnings : before.pending,
  }
}

async function checkKeys(
  { nodes, random, person, tally }: Trial,
  ends: (key: StoredPerson['keys'][number]) => boolean,
): Promise<void> {
  for (const key of person.keys.filter(({ living }) => living)) {
    const { status } = await get(`${random.pick(nodes).url}/v1/keys/self`, key.value)
    if (ends(key)) {
      tally.keys += 1
      if (status !== 401) tally.accepted += 1
    } else {
      tally.kept += 1
      if (status !== 200) tally.lost += 1
    }
  }
}

/** The person creates keys while they are being offboarded. None may be left, whichever request is first. */
async function race(trial: Trial, value: string): Promise<void> {
  const { fixture, nodes, random, person, organization, tally } = trial
  tally.races += 1
  const create = () =>
    postJson(`${random.pick(nodes).url}/v1/keys`, value, JSON.stringify({ kind: 'agentic', name: 'late' }))
  const [done] = await Promise.all([
    send(trial, { dry_run: false, confirm_keys: person.keys.map(({ id }) => id) }),
    ...Array.from({ length: 6 }, create),
  ])
  const result = parse(done, tally)
  if (result === null || result.receipt === null) return
  const left = await fixture.readState(person)
  const known = new Set(person.keys.map(({ id }) => id))
  tally.lateKeys += left.keys.filter((id) => !known.has(id)).length
  if (organization === null) tally.accepted += left.sessions.length
  const ended = result.keys.filter(({ ends }) => ends).map(({ id }) => id)
  tally.receipts.push({ receipt: result.receipt, keys: ended, person: person.id })
}

function parse(response: HttpResult, tally: Tally): Offboarding | null {
  if (response.status === 200) return JSON.parse(response.text) as Offboarding
  console.error(`  unexpected: ${response.status} ${response.text}`)
  tally.unexpected += 1
  return null
}

function isEqual(one: unknown, other: unknown): boolean {
  try {
    assert.deepEqual(one, other)
    return true
  } catch {
    return false
  }
}
