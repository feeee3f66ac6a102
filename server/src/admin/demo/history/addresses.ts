import { getCloudHost } from '../../../access/provider-host.ts'
import type { DemoOrganization, DemoRoot } from '../cast.ts'
import type { PullRequest } from './pull-requests.ts'

export function hostOf(root: DemoRoot, { provider }: DemoOrganization): string {
  return root.instance?.host ?? getCloudHost(provider)
}

export function pullRequestUrl(root: DemoRoot, { organization, repository, number }: PullRequest): string {
  const owner = organization.name.toLowerCase().replaceAll(' ', '-')
  const repositoryUrl = `https://${hostOf(root, organization)}/${owner}/${repository.name}`
  return organization.provider === 'github'
    ? `${repositoryUrl}/pull/${number}`
    : `${repositoryUrl}/-/merge_requests/${number}`
}

/** Hosts number their comments as time goes by; a self-hosted one sees fewer of them. */
export function commentUrlOf(root: DemoRoot, pullRequest: PullRequest): (index: number) => string {
  const mark = pullRequest.organization.provider === 'github' ? 'discussion_r' : 'note_'
  const first = Math.floor((pullRequest.readyAt - Date.UTC(2020, 0)) / (root.instance ? 200_000 : 100))
  return (index) => `${pullRequestUrl(root, pullRequest)}#${mark}${first + index}`
}
