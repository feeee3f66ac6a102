import { screenPath } from '../paths.ts'

/** A pull request, with its day and repository because the API finds it by these. */
export interface PullRequestTarget {
  readonly url: string
  readonly day: string
  readonly repository: string
}

/** `booking-api #849`, from the address at the Git provider. */
export function namePullRequest(url: string): string {
  if (!URL.canParse(url)) return url
  const parts = new URL(url).pathname.split('/').filter(Boolean)
  const number = parts.at(-1)
  // GitHub: repo/pull/1. GitLab: repo/-/merge_requests/1. Bitbucket: repo/pull-requests/1. Azure: repo/pullrequest/1.
  const kind = parts.findLastIndex((part) => /^(pulls?|-|merge_requests|pull-?requests?)$/.test(part))
  const repository = parts[parts[kind - 1] === '-' ? kind - 2 : kind - 1]
  return repository === undefined || number === undefined ? url : `${repository} #${number}`
}

/** The screen of pull requests with this one open. Days, repositories and search stay as they are. */
export function pullRequestPath(
  organization: string,
  search: URLSearchParams,
  { url, day, repository }: PullRequestTarget,
): string {
  const next = new URLSearchParams()
  for (const name of ['from', 'to', 'repository_ids', 'status', 'search']) {
    const value = search.get(name)
    if (value !== null) next.set(name, value)
  }
  next.set('pr', url)
  next.set('pr_day', day)
  next.set('pr_repository', repository)
  return screenPath(organization, 'pull-requests', `?${next}`)
}

export function readPullRequestTarget(search: URLSearchParams): PullRequestTarget | null {
  const [url, day, repository] = [search.get('pr'), search.get('pr_day'), search.get('pr_repository')]
  return url === null || day === null || repository === null ? null : { url, day, repository }
}
