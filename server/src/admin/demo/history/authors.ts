import type { DemoOrganization, DemoRoot } from '../cast.ts'
import { accountIdOf, usernameOf } from '../ids.ts'
import { chanceOf } from './chance.ts'
import { contributorsOf } from './teams.ts'

/** Somebody who opens pull requests, with habits of his own. */
export interface Author {
  readonly id: string
  readonly username: string
  /** Pull requests in a usual week. */
  readonly weekly: number
  /** Parts of the span, 0 to 1. */
  readonly joins: number
  readonly leaves: number
  /** How much there is to find, how much of it is taken to heart, how long a pull request stays open: 1 = as usual. */
  readonly carelessness: number
  readonly docility: number
  readonly patience: number
  /** The hour of the day at which most of his pull requests are merged. */
  readonly hour: number
  /** How often a pull request begins as a draft. */
  readonly drafts: number
  /** The repository most of his work is in, by id. */
  readonly home: string
}

/** Those who are there from the beginning, and those who join one after the other. */
export function authorsOf(root: DemoRoot, organization: DemoOrganization): Author[] {
  const { orgId, inactive } = organization
  const own = root.people.filter(({ roles }) => orgId in roles && roles[orgId] !== 'cr_billing_admin')
  // An organization that is inactive today has fallen asleep along the way.
  const end = inactive ? 0.4 : Number.POSITIVE_INFINITY
  return [
    ...own.map(({ email, roles }) => {
      const zeal = roles[orgId] === 'cr_admin' ? 0.5 : 1
      return makeAuthor(organization, email, { joins: 0, leaves: end, zeal })
    }),
    ...contributorsOf(orgId).map((name, index, { length }) => {
      const veterans = Math.ceil(length / 2)
      const joins = index < veterans ? 0 : ((index - veterans + 1) / (length - veterans + 1)) * 0.95
      const chance = chanceOf(`career/${orgId}/${name}`)
      const leaves = joins === 0 && chance.yes(0.15) ? chance.between(0.35, 0.9) : end
      return makeAuthor(organization, `${name}@example.com`, {
        joins,
        leaves: Math.min(leaves, end),
        zeal: 1,
      })
    }),
  ]
}

function makeAuthor(
  { orgId, provider, repositories }: DemoOrganization,
  email: string,
  { joins, leaves, zeal }: { readonly joins: number; readonly leaves: number; readonly zeal: number },
): Author {
  const chance = chanceOf(`author/${orgId}/${email}`)
  return {
    id: accountIdOf(provider, email),
    username: usernameOf(email),
    weekly: Math.min(7, chance.around(2.8, 0.4)) * zeal,
    joins,
    leaves,
    carelessness: chance.around(1, 0.3),
    docility: chance.between(0.7, 1.2),
    patience: chance.around(1, 0.5),
    hour: chance.between(9, 16),
    drafts: chance.between(0, 0.4),
    home: chance.pick(repositories).repositoryId,
  }
}

/** How much of his usual week he does at a part of the span. */
export function zealAt({ joins, leaves }: Author, part: number): number {
  if (part < joins || part >= leaves) return 0
  return joins === 0 ? 1 : Math.min(1, 0.3 + (part - joins) * 8)
}
