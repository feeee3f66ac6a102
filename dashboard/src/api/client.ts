import { createClient } from '@scholiast/sdk'
import { serviceUrl } from '../base.ts'

/** The session is in a cookie that scripts cannot read. Waits and retries are shown, so the client does neither. */
export const client = createClient({ baseUrl: serviceUrl.href, retry: false, timeoutMs: 30_000 })

/** Every request of a session names its organization, so that two tabs can show two of them. */
export function organizationHeaders(organization: string): Record<string, string> {
  return { 'x-scholiast-organization': organization }
}
