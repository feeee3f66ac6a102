import type { RequestContext } from '../../http/endpoint.ts'
import { ok, type Reply } from '../../http/reply.ts'
import { readChain, readPublicKeys, readSignedHeads } from './chain-sql.ts'
import type { AuditChainRequest } from './schema.ts'

/** The chain belongs to the tenant root, so every caller of the root gets the same one. */
export async function readAuditChain(
  { scope, tx }: RequestContext,
  { query: { after = 0, limit = 1000 } }: { readonly query: AuditChainRequest },
): Promise<Reply> {
  const data = await readChain(scope, tx, after, limit)
  const last = data.at(-1)?.position ?? after
  const [heads, public_keys] = await Promise.all([
    readSignedHeads(scope, tx, after, last),
    readPublicKeys(scope, tx),
  ])
  return ok({ data, heads, public_keys })
}
