import { hash } from 'node:crypto'

const PREFIX_LENGTH = 13

/**
 * A UUID (version 8) over the key of the pull request and the id of the finding in it. It begins as the key does, so that the
 * pull request can be found by it.
 */
export function toFindingId(pullRequestKey: string, findingId: string): string {
  const digest = hash('sha256', `${pullRequestKey}\n${findingId}`)
  const [version, variant, rest] = [digest.slice(0, 3), digest.slice(3, 6), digest.slice(6, 18)]
  return `${pullRequestKey.slice(0, PREFIX_LENGTH)}-8${version}-8${variant}-${rest}`
}

/** The part of an id that its pull request shares. */
export function getKeyPrefix(id: string): string {
  return id.slice(0, PREFIX_LENGTH)
}
