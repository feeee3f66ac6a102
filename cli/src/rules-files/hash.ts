import { createHash } from 'node:crypto'
import { toCanonicalText } from './identity.ts'

const HASH_LENGTH = 16

/** Texts that the server takes for the same have the same hash. */
export function hashText(text: string): string {
  return createHash('sha256').update(toCanonicalText(text)).digest('hex').slice(0, HASH_LENGTH)
}
