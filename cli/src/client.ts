// Stands in until the SDK has its client.
import { ScholiastError } from '@scholiast/sdk'

export interface ClientOptions {
  readonly baseUrl: string
  readonly apiKey?: string
  readonly ingestKey?: string
  readonly userAgent?: string
  readonly onRetry?: (retry: { readonly waitMs: number; readonly reason: string }) => void
}

export interface KeySelf {
  readonly kind: string
  readonly name: string
  readonly prefix: string
  readonly last_four: string
  readonly owner: { readonly name: string } | null
  readonly expires_at: string | null
  readonly tenant_root: {
    readonly name: string
    readonly kind: string
    readonly plan: string
    readonly subscription_active: boolean
  }
  readonly organizations: {
    readonly count: number
    readonly first: readonly { readonly name: string; readonly provider_organization_id: string }[]
  }
  readonly admin: boolean
  readonly permissions: readonly string[]
  readonly endpoints: readonly {
    readonly method: string
    readonly path: string
    readonly allowed: boolean
    readonly code: string | null
  }[]
}

export interface Client {
  get(path: string): Promise<KeySelf>
}

export function createClient({ baseUrl, apiKey, ingestKey }: ClientOptions): Client {
  return {
    get: async (path) => {
      const response = await fetch(new URL(path, baseUrl), {
        headers: { 'x-service-api-key': (path.startsWith('/ingest') ? ingestKey : apiKey) ?? '' },
      })
      const body = (await response.json()) as KeySelf & { error?: { code: string; message: string } }
      if (response.ok) return body
      throw new ScholiastError(body.error?.message ?? '', {
        status: response.status,
        code: body.error?.code ?? '',
      })
    },
  }
}
