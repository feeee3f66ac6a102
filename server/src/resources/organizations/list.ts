import type { RequestContext } from '../../http/endpoint.ts'
import { pageReply, type Reply } from '../../http/reply.ts'
import { readOrganizations } from './sql.ts'

export async function listOrganizations({ scope, tx, page }: RequestContext): Promise<Reply> {
  return pageReply('organizations', page, await readOrganizations(scope, tx, page))
}
