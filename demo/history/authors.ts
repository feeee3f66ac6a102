import { accountOf, membersOf, type Organization, roleIn, type Tenant } from '../data.ts'
import { randomOf } from './random.ts'

/** An account that opens pull requests. A factor of 1 is average. */
export interface Author {
  readonly id: string
  readonly username: string
  readonly pullRequestsPerWeek: number
  /** Fractions of the period. */
  readonly joins: number
  readonly leaves: number
  readonly findingsFactor: number
  readonly acceptanceFactor: number
  readonly durationFactor: number
  /** The hour of the day at which most of the pull requests are merged. */
  readonly hour: number
  readonly draftProbability: number
  readonly mainRepository: string
}

interface Career {
  readonly joins: number
  readonly leaves: number
  readonly activity: number
}

/** An inactive organization stops after this fraction of the period. */
const INACTIVE_AFTER = 0.4

/** Members and half of the contributors are active from the start; the other contributors join one by one. */
export function authorsOf(tenant: Tenant, organization: Organization): Author[] {
  const { org_id, contributors, inactive } = organization
  const end = inactive ? INACTIVE_AFTER : Number.POSITIVE_INFINITY
  const developers = membersOf(tenant, organization).filter(
    (person) => roleIn(person, organization) !== 'cr_billing_admin',
  )
  const initial = Math.ceil(contributors.length / 2)
  return [
    ...developers.map((person) => {
      const activity = roleIn(person, organization) === 'cr_admin' ? 0.5 : 1
      const account = accountOf(person, organization)
      return toAuthor(organization, person.email, account, { joins: 0, leaves: end, activity })
    }),
    ...contributors.map(({ email, account_id: id, username }, index) => {
      const joins = index < initial ? 0 : ((index - initial + 1) / (contributors.length - initial + 1)) * 0.95
      const random = randomOf(`career/${org_id}/${email.replace(/@.*/, '')}`)
      const leaves = joins === 0 && random.chance(0.15) ? random.between(0.35, 0.9) : end
      const career = { joins, leaves: Math.min(leaves, end), activity: 1 }
      return toAuthor(organization, email, { id, username }, career)
    }),
  ]
}

function toAuthor(
  { org_id, repositories }: Organization,
  email: string,
  account: { readonly id: string; readonly username: string },
  { joins, leaves, activity }: Career,
): Author {
  const random = randomOf(`author/${org_id}/${email}`)
  return {
    ...account,
    pullRequestsPerWeek: Math.min(7, random.around(2.8, 0.4)) * activity,
    joins,
    leaves,
    findingsFactor: random.around(1, 0.3),
    acceptanceFactor: random.between(0.7, 1.2),
    durationFactor: random.around(1, 0.5),
    hour: random.between(9, 16),
    draftProbability: random.between(0, 0.4),
    mainRepository: random.pick(repositories).repository_id,
  }
}

/** Activity of the author at this point of the period, relative to a usual week. */
export function activityAt({ joins, leaves }: Author, fraction: number): number {
  if (fraction < joins || fraction >= leaves) return 0
  return joins === 0 ? 1 : Math.min(1, 0.3 + (fraction - joins) * 8)
}
