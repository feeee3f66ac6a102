/** Base64 has several spellings of the last character for the same bytes; returns null for all but the one we write. */
export function decodeBase64Url(text: string): Buffer | null {
  const bytes = Buffer.from(text, 'base64url')
  return bytes.toString('base64url') === text ? bytes : null
}
