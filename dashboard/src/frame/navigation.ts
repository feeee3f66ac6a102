import type { Screen } from '../paths.ts'

interface Entry {
  readonly screen: Screen
  readonly label: string
  /** The read without which the screen has nothing to show. */
  readonly reads: string
}

export const work: readonly Entry[] = [
  { screen: 'overview', label: 'Overview', reads: '/v1/metrics/summary' },
  { screen: 'findings', label: 'Findings', reads: '/v1/metrics/summary' },
  { screen: 'reviewers', label: 'Reviewers', reads: '/v1/metrics/reviewers' },
  { screen: 'pull-requests', label: 'Pull requests', reads: '/v1/metrics/reviews' },
  { screen: 'learnings', label: 'Learnings', reads: '/v1/learnings' },
  { screen: 'security', label: 'Security', reads: '/v1/security/summary' },
]

export const administration: readonly Entry[] = [
  { screen: 'people', label: 'People and seats', reads: '/v1/users' },
  { screen: 'keys', label: 'Keys and roles', reads: '/v1/keys' },
  { screen: 'audit', label: 'Audit and health', reads: '/v1/audit-logs' },
]

export const navigation: readonly Entry[] = [...work, ...administration]

export type NavigationEntry = Entry
