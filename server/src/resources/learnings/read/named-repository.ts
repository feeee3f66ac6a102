import type { Principal } from '../../../access/principal.ts'
import { refuse } from '../../../errors.ts'
import type { RequestContext } from '../../../http/endpoint.ts'
import { HOUR_MS } from '../../../time.ts'
import type { ListLearningsParams } from './schema.ts'
import { findReadableRepositories } from './sql.ts'

/** Who names a repository must be a person whose access to it can be looked up. */
export function refuseRepositoryName({ repository_name }: ListLearningsParams, { kind }: Principal): void {
  if (repository_name === undefined || kind === 'user') return
  refuse(
    'KEY_KIND_NOT_ALLOWED',
    `Requests that name a repository do not accept keys of the kind "${kind}": use a user-scoped key, or repository_ids.`,
  )
}

/** Provider ids of the repositories of that name which the owner of the key may read; null when none is named. */
export async function findNamedRepositories(
  { scope, principal, organization, tx, now }: RequestContext,
  { repository_name: name }: ListLearningsParams,
  maxAgeHours: number,
): Promise<readonly string[] | null> {
  if (name === undefined) return null
  if (principal.kind !== 'user' || organization === null)
    throw new Error('Only a key of a person in an organization comes here.')
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
    'The owner of this key has no verified read access to an active repository of this name. Check the name; access is taken over from the Git provider and has to be verified from time to time.',
  )
}
