import type { RequestContext } from '../../http/endpoint.ts'
import { pageReply, type Reply } from '../../http/reply.ts'
import { readOrganizations, readRepositories } from './sql.ts'

export async function listOrganizations({ scope, tx, page }: RequestContext): Promise<Reply> {
  return pageReply('organizations', page, await readOrganizations(scope, tx, page))
}

export async function listRepositories({ scope, organization, tx, page }: RequestContext): Promise<Reply> {
  if (organization === null) throw new Error('No organization is selected by the path.')
  return pageReply('repositories', page, await readRepositories(scope, tx, organization, page))
}
