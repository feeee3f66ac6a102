import type { Principal } from '../../../access/principal.ts'
import { refuse } from '../../../errors.ts'
import type { RequestContext } from '../../../http/endpoint.ts'
import { HOUR_MS } from '../../../time.ts'
import type { ListLearningsParams } from './schema.ts'
import { findReadableRepositories } from './sql.ts'

/** Only a user-scoped key has an owner whose repository access can be checked. */
export function refuseRepositoryName({ repository_name }: ListLearningsParams, { kind }: Principal): void {
  if (repository_name === undefined || kind === 'user') return
  refuse(
    'KEY_KIND_NOT_ALLOWED',
    `repository_name does not accept keys of the kind "${kind}". Use a user-scoped key, or repository_ids.`,
  )
}

/** Provider ids of the repositories with that name that the key's owner can read; null without a name. */
export async function findNamedRepositories(
  { scope, principal, organization, tx, now }: RequestContext,
  { repository_name: name }: ListLearningsParams,
  maxAgeHours: number,
): Promise<readonly string[] | null> {
  if (name === undefined) return null
  if (principal.kind !== 'user' || organization === null)
    throw new Error('repository_name requires a user-scoped key and an organization.')
  const since = new Date(now().getTime() - maxAgeHours * HOUR_MS)
  const found = await findReadableRepositories(scope, tx, {
    organization,
    name,
    person: principal.owner,
    since,
  })
  if (found.length > 0) return found
  return refuse(
    'REPOSITORY_ACCESS_REQUIRED',
    'The owner of this key has no verified read access to an active repository with this name. Check the name. Access is synchronized from the Git provider and must be re-verified periodically.',
  )
}
