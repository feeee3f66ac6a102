import { readFreshOutcomes } from '../../server/test/proofs/fresh-outcomes.ts'
import type { ProvedService } from './compare.ts'
import { CLONED } from './cures.ts'
import type { ConnectedOrganization, Forges } from './forges.ts'

export interface OutcomeComparison {
  readonly compared: number
  readonly differences: readonly string[]
}

interface StoredOutcome {
  readonly finding_id: string
  readonly accepted: boolean | null
  readonly source: string | null
  readonly rule: string | null
}

// Those of pull requests that a history still has.
const selectOutcomes = `select finding_id, accepted, source, rule
  from pull_request p join finding using (root_id, pull_request_key)
  where p.root_id = $1 and p.repository_id || '#' || p.number = any ($2)`

/** Compares the outcomes of organizations whose repositories were cloned with those of a read from the beginning. */
export async function compareOutcomes(
  service: ProvedService,
  forges: Forges,
  organizations: readonly ConnectedOrganization[],
): Promise<OutcomeComparison> {
  const cloned = organizations.filter(({ history }) => history.organization.login.startsWith(CLONED))
  const comparisons: OutcomeComparison[] = []
  for (const one of cloned) comparisons.push(await compareOrganization(service, forges, one))
  return {
    compared: comparisons.reduce((total, { compared }) => total + compared, 0),
    differences: comparisons.flatMap(({ differences }) => differences),
  }
}

async function compareOrganization(
  { installation: { database }, superuser, clock }: ProvedService,
  forges: Forges,
  { provider, history, root, connector }: ConnectedOrganization,
): Promise<OutcomeComparison> {
  const finished = history.getModel().pullRequests.filter(({ state }) => state !== 'open')
  const names = finished.map(({ repositoryId, number }) => `${repositoryId}#${number}`)
  const { rows } = await superuser.query<StoredOutcome>(selectOutcomes, [root, names])
  const stored = new Map(rows.map((row) => [row.finding_id, renderOutcome(row)]))
  const origin = forges[provider].url
  const now = () => new Date(clock.now())
  const fresh = await readFreshOutcomes({ database, root, connector, origin, now }, finished)
  const differences = fresh.flatMap((outcome) => {
    const [expected, found] = [renderOutcome(outcome), stored.get(outcome.findingId)]
    return expected === found ? [] : [`${provider}: outcome ${expected} is stored as ${found}`]
  })
  return { compared: fresh.length, differences }
}

function renderOutcome({ accepted, source, rule }: Omit<StoredOutcome, 'finding_id'>): string {
  return `${accepted} ${source} ${rule}`
}
