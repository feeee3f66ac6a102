import type { KeyKind } from '../../src/access/key-format.ts'
import type { Endpoint } from '../../src/http/endpoint.ts'
import type { TestResponse, TestService } from '../call.ts'
import { findContract } from './table.ts'

interface RequestKey {
  readonly value: string | undefined
  readonly kind?: KeyKind | undefined
}

/** Sends a valid request with any key for any organization: its UUID, and its org_id, or null to name none. */
export function sendValidRequest(
  service: Pick<TestService, 'call'>,
  endpoint: Endpoint,
  { value: key, kind }: RequestKey,
  id: string,
  orgId: string | null,
): Promise<TestResponse> {
  const row = findContract(endpoint)
  const path = endpoint.path
    .replace('{organization_id}', id)
    .replace(/\{(?:(?:learning|role|key|connector|cr_user)_)?id\}/, row.createPathId?.() ?? '')
  const selector = row.selector.startsWith('org_id') && orgId !== null ? { org_id: orgId } : {}
  const search = new URLSearchParams(row.query)
  const body = typeof row.body === 'function' ? row.body(kind) : row.body
  if (endpoint.body === null) for (const [name, value] of Object.entries(selector)) search.set(name, value)
  return service.call(search.size === 0 ? path : `${path}?${search.toString()}`, {
    key,
    method: endpoint.method,
    ...(endpoint.body !== null && { body: { ...body, ...selector } }),
  })
}

/** The error code in either of the two error bodies; null if there is none. */
export function getErrorCode({ body }: TestResponse): string | null {
  return (body as { errors?: { code: string }[] }).errors?.[0]?.code ?? body.error?.code ?? null
}
