import type { LearningId, OrganizationId } from '../../../src/ids.ts'
import { learningId } from '../../../src/text/identity.ts'

// A plain model of the contract for Learnings. It shares no code with the server except the derivation of ids.

type State = 'private' | 'pending' | 'shared' | 'disapproved'
export type Source = 'chat' | 'review' | 'agent' | 'connector'

export interface ModelText {
  readonly identity: string
  readonly stored: string
}

export interface ModelLearning {
  readonly id: LearningId
  readonly repository: string
  text: ModelText
  state: State
  source: Source | 'api'
  deadline: number | null
  /** Open pull requests that proposed it, with the time of the last proposal. */
  readonly origins: Map<number, number>
  readonly created: number
  updated: number
  /** Its position in the order of sharing. */
  sharePosition: number | null
  uses: number
  lastUsed: number | null
  /** The indexed content. */
  indexed: string | null
  /** Whether an index task is pending. */
  indexPending: boolean
}

interface PullRequestClose {
  readonly at: number
  readonly merged: boolean
}

export interface ModelAuditEntry {
  readonly action: string
  readonly id: LearningId
}

export interface Proposal {
  readonly repository: string
  readonly text: ModelText
  readonly source: Source
  readonly number: number | null
  readonly at: number
}

export interface ItemResult {
  readonly status: 'created' | 'duplicate' | 'failed'
  readonly id?: LearningId
  readonly code?: 'DISAPPROVED' | 'INDEX_FAILED'
  readonly matched?: 'id'
  readonly ignored?: readonly 'learning'[]
}

const DAY = 86_400_000

const needsApproval = (source: string) => source === 'agent' || source === 'connector'
const waitsForPerson = ({ state, source }: ModelLearning) => state === 'pending' && needsApproval(source)

export class Model {
  readonly organization: OrganizationId
  readonly live = new Map<LearningId, ModelLearning>()
  /** Disapproved texts that no Learning has any more, with their ids. */
  readonly tombstones = new Map<string, LearningId>()
  readonly auditEntries: ModelAuditEntry[] = []
  /** Approval delays by repository; '' = the organization. */
  readonly delays = new Map<string, number>()
  now = 0
  /** Whether the embedding model is unavailable. */
  failing = false
  readonly #closings = new Map<string, PullRequestClose[]>()
  #shared = 0

  constructor(organization: OrganizationId) {
    this.organization = organization
  }

  create(items: readonly { readonly repository: string; readonly text: ModelText }[]): ItemResult[] {
    const results = items.map(({ repository, text }): ItemResult => {
      const found = this.#find(repository, text)
      const disapproved = found?.state === 'disapproved' ? found.id : this.#tombstoneOf(repository, text)
      if (disapproved && found?.state !== 'shared')
        return { status: 'failed', id: disapproved, code: 'DISAPPROVED' }
      if (found?.state === 'shared') return toDuplicate(found, text)
      if (found) {
        this.#tell(found.state === 'pending' ? 'approved' : 'promoted', found)
        this.#share(found, this.now)
        return toDuplicate(found, text)
      }
      const changed = this.#findChanged(repository, text)
      if (changed) return { ...toDuplicate(changed, text), matched: 'id' }
      const made = this.#add(repository, text, 'api', this.now)
      this.#tell('created', made)
      this.#share(made, this.now)
      return { status: 'created', id: made.id }
    })
    // A retry repairs missing index rows; if embedding fails again, every such item fails.
    return results.map((result) => {
      const found = result.id && this.live.get(result.id)
      if (!found || result.code || result.matched) return result
      if (found.indexed !== found.text.identity) this.#index(found)
      const isFound = found.indexed === found.text.identity
      return isFound ? result : { status: 'failed', id: found.id, code: 'INDEX_FAILED' }
    })
  }

  patch(id: LearningId, text: ModelText): 200 | 404 | 409 | 503 {
    const found = this.live.get(id)
    if (!found) return 404
    const owner = this.#find(found.repository, text)
    if ((owner && owner !== found) || this.#tombstoneOf(found.repository, text)) return 409
    if (found.state === 'disapproved' && found.text.identity !== text.identity) this.#addTombstone(found)
    if (found.text.stored !== text.stored || found.text.identity !== text.identity) {
      found.text = text
      found.updated = this.now
      this.#tell('updated', found)
    }
    if (found.state !== 'shared') return 200
    this.#index(found)
    return this.failing ? 503 : 200
  }

  delete(id: LearningId): void {
    const found = this.live.get(id)
    if (!found) return
    this.live.delete(id)
    if (found.state === 'disapproved') this.#addTombstone(found)
    this.#tell('deleted', found)
  }

  decide(id: LearningId, decision: 'approve' | 'disapprove'): 200 | 404 {
    const found = this.live.get(id)
    if (!found) return this.#decideOnTombstone(id, decision)
    if (found.state === (decision === 'approve' ? 'shared' : 'disapproved')) return 200
    if (found.state !== 'pending' && !(found.state === 'disapproved' && decision === 'approve')) return 404
    if (decision === 'approve') this.#share(found, this.now)
    else Object.assign(found, { state: 'disapproved', deadline: null, updated: this.now })
    this.#tell(decision === 'approve' ? 'approved' : 'disapproved', found)
    return 200
  }

  /** The state of a Learning after a decision on its id. */
  getState(id: LearningId): State | 'deleted' {
    return (
      this.live.get(id)?.state ?? ([...this.tombstones.values()].includes(id) ? 'disapproved' : 'deleted')
    )
  }

  #decideOnTombstone(id: LearningId, decision: 'approve' | 'disapprove'): 200 | 404 {
    const [key] = [...this.tombstones].find(([, tombstone]) => tombstone === id) ?? []
    if (key === undefined) return 404
    if (decision === 'approve') {
      this.tombstones.delete(key)
      this.auditEntries.push({ action: 'learning_approved', id })
    }
    return 200
  }

  #tombstoneOf(repository: string, { identity }: ModelText): LearningId | undefined {
    return this.tombstones.get(JSON.stringify([repository, identity]))
  }

  /** Not the id of another Learning: a decision on it would be one on the text too. */
  #addTombstone({ repository, text }: ModelLearning): void {
    this.tombstones.set(JSON.stringify([repository, text.identity]), this.#freeId(repository, text))
  }

  propose(proposal: Proposal): void {
    const { repository, text, source, number, at } = proposal
    const found = this.#find(repository, text)
    if (!found && (this.#tombstoneOf(repository, text) || this.#findChanged(repository, text))) return
    const from = number === null ? 'nowhere' : this.#stateAt(repository, number, at)
    if (from === 'closed' && source !== 'connector') return
    if (needsApproval(source)) {
      if (!found) this.#tell('proposed', this.#add(repository, text, source, at, 'pending'))
    } else if (from === 'open' && number !== null) this.#proposeFrom(number, proposal, found)
    else {
      if (found && found.state !== 'private' && !waitsForPerson(found)) return
      this.#landProposal(proposal, found)
    }
  }

  #landProposal(proposal: Proposal, found: ModelLearning | undefined): void {
    const { repository, text, source, at } = proposal
    const landing = found ?? this.#add(repository, text, source, at)
    Object.assign(landing, { source, deadline: this.#deadlineOf(proposal) })
    this.#land(landing, at)
    this.#tell(found ? 'promoted' : 'proposed', landing)
  }

  #proposeFrom(number: number, proposal: Proposal, found: ModelLearning | undefined): void {
    const { repository, text, source, at } = proposal
    if (found && found.state !== 'private') return
    const made = found ?? this.#add(repository, text, source, at)
    if (!found) {
      made.deadline = this.#deadlineOf(proposal)
      this.#tell('proposed', made)
    }
    made.origins.set(number, Math.max(at, made.origins.get(number) ?? 0))
  }

  /** Only Learnings from chat wait; the repository's delay overrides the organization's. */
  #deadlineOf({ repository, source, at }: Proposal): number | null {
    const days = source === 'chat' ? (this.delays.get(repository) ?? this.delays.get('') ?? 0) : 0
    return days > 0 ? at + days * DAY : null
  }

  close(repository: string, number: number, merged: boolean, at: number): void {
    const key = `${repository} ${number}`
    const before = this.#closings.get(key) ?? []
    const same = before.find((closing) => closing.at === at)
    this.#closings.set(key, [
      ...before.filter((closing) => closing !== same),
      { at, merged: merged || (same?.merged ?? false) },
    ])
    const concerned = [...this.live.values()].filter(
      (one) =>
        one.state === 'private' && one.repository === repository && (one.origins.get(number) ?? at + 1) <= at,
    )
    for (const one of concerned.toSorted(byAge)) {
      if (merged) {
        this.#land(one, at)
        this.#tell('promoted', one)
      } else {
        one.origins.delete(number)
        if (one.origins.size > 0) continue
        this.live.delete(one.id)
        this.#tell('expired', one)
      }
    }
  }

  use(ids: readonly LearningId[], at: number): void {
    for (const id of new Set(ids)) {
      const found = this.live.get(id)
      if (!found) continue
      found.uses += 1
      found.lastUsed = Math.max(at, found.lastUsed ?? 0)
    }
  }

  tick(): void {
    const due = [...this.live.values()].filter(
      ({ state, deadline }) => state === 'pending' && deadline !== null && deadline <= this.now,
    )
    const byDeadline = (one: ModelLearning, other: ModelLearning) =>
      (one.deadline ?? 0) - (other.deadline ?? 0) || (one.id < other.id ? -1 : 1)
    for (const one of due.toSorted(byDeadline)) {
      this.#share(one, one.deadline ?? 0)
      this.#tell('approved', one)
    }
  }

  repair(): void {
    for (const one of this.live.values()) if (one.indexPending && !this.failing) this.#index(one)
  }

  /** The first close event after a proposal resolves it; after the last one, the pull request was reopened. */
  #stateAt(repository: string, number: number, at: number): 'open' | 'merged' | 'closed' {
    const closings = this.#closings.get(`${repository} ${number}`) ?? []
    const [first] = closings.filter((closing) => closing.at >= at).toSorted((a, b) => a.at - b.at)
    if (first === undefined) return 'open'
    return first.merged ? 'merged' : 'closed'
  }

  #find(repository: string, { identity }: ModelText): ModelLearning | undefined {
    return [...this.live.values()].find(
      (one) => one.repository === repository && one.text.identity === identity,
    )
  }

  /** The Learning that was created with the text and has another one now. */
  #findChanged(repository: string, text: ModelText): ModelLearning | undefined {
    return this.#find(repository, text) ? undefined : this.live.get(this.#idOf(repository, text))
  }

  #add(
    repository: string,
    text: ModelText,
    source: ModelLearning['source'],
    at: number,
    state: State = 'private',
  ): ModelLearning {
    const made: ModelLearning = {
      id: this.#idOf(repository, text),
      repository,
      text,
      state,
      source,
      deadline: null,
      origins: new Map(),
      created: at,
      updated: at,
      sharePosition: null,
      uses: 0,
      lastUsed: null,
      indexed: null,
      indexPending: false,
    }
    this.live.set(made.id, made)
    return made
  }

  #idOf(repository: string, text: ModelText, counter = 0): LearningId {
    return learningId({ organization: this.organization, repository }, text.identity, counter)
  }

  #freeId(repository: string, text: ModelText): LearningId {
    let counter = 0
    while (this.live.has(this.#idOf(repository, text, counter))) counter++
    return this.#idOf(repository, text, counter)
  }

  #land(one: ModelLearning, at: number): void {
    const updated = Math.max(at, one.updated)
    if (one.deadline === null || one.deadline <= this.now) this.#share(one, updated)
    else {
      Object.assign(one, { state: 'pending', updated })
      one.origins.clear()
    }
  }

  #share(one: ModelLearning, updated: number): void {
    this.#shared += 1
    Object.assign(one, { state: 'shared', deadline: null, updated, sharePosition: this.#shared })
    one.origins.clear()
    this.#index(one)
  }

  #index(one: ModelLearning): void {
    if (!this.failing) one.indexed = one.text.identity
    else if (one.indexed !== one.text.identity) one.indexed = null
    one.indexPending = this.failing
  }

  #tell(what: string, { id }: ModelLearning): void {
    this.auditEntries.push({ action: `learning_${what}`, id })
  }
}

function toDuplicate({ id, text }: ModelLearning, { stored }: ModelText): ItemResult {
  return { status: 'duplicate', id, ...(stored !== text.stored && { ignored: ['learning'] }) }
}

function byAge(one: ModelLearning, other: ModelLearning): number {
  return one.created - other.created || (one.id < other.id ? -1 : 1)
}
