export interface RoleChangeResponse {
  readonly status: number
  readonly succeeded: readonly string[]
  readonly failed: readonly { readonly id: string; readonly code: string }[]
  readonly error: string | null
}

/** Rejects if the connection is lost. */
export async function changeRoles(
  base: string,
  key: string,
  body: Readonly<Record<string, unknown>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<RoleChangeResponse> {
  const response = await fetch(`${base}/v1/users/roles`, {
    method: 'POST',
    headers: { 'x-service-api-key': key, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  const {
    succeeded = [],
    failed = [],
    error,
  } = (await response.json()) as Partial<RoleChangeResponse> & {
    error?: { code: string }
  }
  return { status: response.status, succeeded, failed, error: error?.code ?? null }
}
