// Decides whether a name denotes a secret.
import words from './words.json' with { type: 'json' }

/**
 * password: any value that a person may choose; token: machine-generated, although people put passwords there;
 * key: a common word, so that only clearly random values count.
 */
export type NameKind = 'password' | 'token' | 'key'

/** Longest alternatives first, so that the whole word matches. */
export const credentialWord =
  '(?<word>passphrases?|passwords?|passwort|kennwort|contraseña|passcode|passwd|pwd|pass|psk|pw|secrets?|tokens?|credentials?|creds?|keys?|auth|jwt|pat|dsn|totp|otp)'

export const { credentialLiterals } = words

export const toWordSet = (lines: readonly string[]) => new Set(lines.flatMap((line) => line.split(' ')))

// Suffixes that make the name denote something else, such as token_count.
const nonSecretSuffixes = toWordSet(words.nonSecretSuffixes)
// Prefixes that make a key not a secret.
const nonSecretKeyPrefixes = toWordSet(words.nonSecretKeyPrefixes)
const nonSecretTokenPrefixes = toWordSet(words.nonSecretTokenPrefixes)
// Prefixes that make a key as sensitive as a token.
const secretKeyPrefixes = toWordSet(words.secretKeyPrefixes)
const gluedBefore =
  /(?:access|api|auth|secret|private|account|master|admin|signing|shared|session|app|service|server|client|write|ingest|license|deploy|encryption|user|db|root|my|pg|smtp|redis|bind|mysql|ssh|mail|ftp|ldap|jdbc|key|tenant|require|pass)$/i
const passwordPattern = /^(?:pass|pw|psk|kennwort|contra)/
const shortWordPattern = /^(?:pass|psk|pw|keys?|auth|pat|dsn|otp|creds?|jwt)$/i
const MAX_NAME_LENGTH = 40

export function classifyName(before: string, word: string, tail: string): NameKind | null {
  const left = readIdentifierBefore(before)
  if (isGlued(left.at(-1) ?? '', word) && shortWordPattern.test(word) && !gluedBefore.test(left)) return null
  const previous = splitName(left).at(-1) ?? lastWord(before.slice(0, before.length - left.length))
  // An access key id is half of a credential.
  if (/^key$/i.test(word) && /^[_.-]?id$/i.test(tail) && previous === 'access') return 'key'
  if (continuesWord(word, tail) || splitName(tail).some((part) => nonSecretSuffixes.has(part))) return null
  return classifyWord(word.toLowerCase(), previous)
}

/** The kind shown in the marker. */
export function toMarkerKind(word: string): string {
  const lowercase = word.toLowerCase()
  if (passwordPattern.test(lowercase)) return 'password'
  return ['secret', 'token', 'key', 'jwt'].find((kind) => lowercase.startsWith(kind)) ?? 'credential'
}

/** A plural talks about secrets; it does not introduce one. */
export function isPlural(word: string): boolean {
  return /(?:ords|ets|ens|eys|ases)$/i.test(word)
}

function classifyWord(word: string, previous: string): NameKind | null {
  if (passwordPattern.test(word)) return 'password'
  if (!word.startsWith('key'))
    return word.startsWith('token') && nonSecretTokenPrefixes.has(previous) ? null : 'token'
  if (nonSecretKeyPrefixes.has(previous)) return null
  return secretKeyPrefixes.has(previous) ? 'token' : 'key'
}

/** A loop, because a pattern anchored at the end would be tried at every index. */
function readIdentifierBefore(text: string): string {
  let start = text.length
  while (start > 0 && text.length - start < MAX_NAME_LENGTH && /[A-Za-z0-9_.$-]/.test(text.charAt(start - 1)))
    start--
  return text.slice(start)
}

function isGlued(previous: string, word: string): boolean {
  if (!/[A-Za-z]/.test(previous)) return false
  return !(/[a-z]/.test(previous) && /^[A-Z]/.test(word))
}

/** Whether the word is only the start of a longer one: keyboard, tokenizer, SECRETARY. */
function continuesWord(word: string, tail: string): boolean {
  if (/^[a-z]/.test(tail)) return true
  return /[A-Z]$/.test(word) && /^[A-Z](?![a-z])/.test(tail)
}

function splitName(name: string): string[] {
  return (name.match(/[A-Z]?[a-z]{1,40}|[A-Z]{1,40}(?![a-z])|[0-9]{1,40}/g) ?? []).map((part) =>
    part.toLowerCase(),
  )
}

function lastWord(text: string): string {
  return /([A-Za-z]{1,30})[-_ ]$/.exec(text.slice(-MAX_NAME_LENGTH))?.[1]?.toLowerCase() ?? ''
}
