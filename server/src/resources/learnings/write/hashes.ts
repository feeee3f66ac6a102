import { contentHash, textForIdentity } from '../../../text/identity.ts'
import { REDACTOR_VERSION } from '../../../text/redact.ts'

export interface HashableContent {
  readonly repository_id: string
  readonly sent: string
  readonly identity: string
}

export function hashContent({ repository_id, identity }: Omit<HashableContent, 'sent'>): Buffer {
  return contentHash(repository_id, identity)
}

/** Every hash that the text may be stored under, newest first: rows of older redactor versions are updated in the background. */
export function hashContentForVersions(content: HashableContent, oldestVersion: number): Buffer[] {
  const hashes = [hashContent(content)]
  for (let version = REDACTOR_VERSION - 1; version >= oldestVersion; version--)
    hashes.push(contentHash(content.repository_id, textForIdentity(content.sent, version)))
  return hashes
}
