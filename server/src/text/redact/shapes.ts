import { toWordSet } from './names.ts'
import { countClasses, isHex, isRandom } from './randomness.ts'
import { base64Url, defineRule, hex, type RedactionRule, type SecretMatch, uuid } from './rule.ts'
import { isPlaceholder } from './value.ts'
import words from './words.json' with { type: 'json' }

// Prefixes of public identifiers, which grant no access.
const nonSecretPrefixes = toWordSet(words.nonSecretPrefixes)
const prefixSegments =
  /^(?:(?:live|test|prod|production|sandbox|dev|staging|api|key|secret|token|pat|auth|app|user|org|svc|admin|sk|pk|v[0-9]|[a-z]{2}[0-9])[_-]){0,3}/i

/** Tokens of unknown issuers: a short prefix, a separator and random characters. */
export const shapeRules: readonly RedactionRule[] = [
  defineRule(
    'jwt',
    ['eyj'],
    `(?<![A-Za-z0-9])(?<secret>eyJ${base64Url}{8,2000}(?:\\.${base64Url}{0,4000}){1,3}\\.${base64Url}{10,2000})`,
  ),
  defineRule('jwt', ['eyj'], `(?<![A-Za-z0-9])(?<secret>eyJ${base64Url}{8,2000}\\.eyJ${base64Url}{10,4000})`),
  defineRule('app_key', ['base64:'], `(?<![A-Za-z0-9])base64:(?<secret>[A-Za-z0-9+/]{42,90}={0,2})`),
  defineRule(
    'prefixed_token',
    ['_', '-', '.', ':', '~'],
    `(?<![A-Za-z0-9_.+/=%$@~:#-])(?<secret>(?<issuer>[A-Za-z][A-Za-z0-9]{1,11})(?<joint>[_-])(?<body>[A-Za-z0-9_-]{20,300}))(?![A-Za-z0-9+/=]{1,3}(?:[+/]|$)|[+/])`,
    isPrefixedToken,
  ),
  defineRule(
    'prefixed_token',
    ['.'],
    `(?<![A-Za-z0-9_.+/=%$@~:#-])(?<secret>(?<issuer>[A-Za-z][A-Za-z0-9]{1,7})(?<joint>\\.)(?<body>[A-Za-z0-9_-]{28,300}))(?![A-Za-z0-9+/=(])`,
    isPrefixedToken,
  ),
  defineRule(
    'prefixed_token',
    ['_'],
    `(?<![A-Za-z0-9_.+/=%$@~:#-])(?<secret>(?<issuer>[A-Za-z][A-Za-z0-9]{1,11})(?<joint>_)(?<body>[A-Za-z0-9+/_-]{40,400}={0,2}))(?![A-Za-z0-9+/=(])`,
    isPrefixedToken,
  ),
  defineRule(
    'prefixed_token',
    ['-'],
    `(?<![A-Za-z0-9_-])(?<secret>(?:(?:sk|pat|key|token|secret|sdk|apikey)[_-](?:[a-z0-9]{2,12}[_-])?|[A-Za-z]{2,12}[_-](?:live|test|prod|production|sandbox|development|staging)[_-])${uuid})`,
  ),
  defineRule(
    'dotted_token',
    ['.'],
    `(?<![A-Za-z0-9_.+/=%$@~:-])(?<secret>[A-Za-z0-9_-]{2,60}(?:\\.[A-Za-z0-9_-]{1,200}){0,2}\\.(?<body>[A-Za-z0-9_-]{20,300}))(?![A-Za-z0-9_+/=(@:-]|\\.[A-Za-z0-9])`,
    isDottedToken,
  ),
  defineRule(
    'prefixed_token',
    [''],
    `(?<![A-Za-z0-9_.+/=%$@~:#-])(?<secret>[A-Z]{2,6}(?:${hex}{32}|${hex}{40}|${hex}{64}))(?![A-Za-z0-9_-])`,
  ),
  defineRule(
    'long_token',
    [''],
    `(?<![A-Za-z0-9_.+/=%$@~:#-])(?<secret>[A-Za-z0-9_-]{32,300})(?![A-Za-z0-9+/=.@:%(])`,
    isLongToken,
  ),
]

function isPrefixedToken({ secret, before, group }: SecretMatch): boolean {
  if (isPublic(before) || isReadable(secret)) return false
  const issuer = group('issuer').toLowerCase()
  const body = group('body').replace(prefixSegments, '')
  if (nonSecretPrefixes.has(issuer) || body.length < 16 || isPlaceholder(body)) return false
  if (countClasses(body) === 3) return isRandom(body) && longestPiece(body) >= 12
  if (group('joint') === '-' && isPronounceable(group('issuer'))) return false
  const randomPart = /[A-Za-z0-9]{24,300}/.exec(body)?.[0] ?? ''
  return isHex(randomPart, 1) ? isHex(randomPart, 32) : isRandom(randomPart) && countDigits(randomPart) > 1
}

/** A pronounceable word before a digest names what the digest is of. */
function isPronounceable(issuer: string): boolean {
  return /[aeiouy]/i.test(issuer) && issuer !== issuer.toUpperCase()
}

/** A token without name and prefix counts only if no file, digest or address looks like it. */
function isLongToken({ secret, before }: SecretMatch): boolean {
  if (isPublic(before) || isReadable(secret)) return false
  if (/^(?:AAAA|MI[A-Z]|MFk|Qm|sha[0-9])/.test(secret)) return false
  if (/(?:[:=][ \t]{0,4}["'`]{0,2}|base64,|ssh-[a-z0-9]{2,10} )$/.test(before)) return false
  return countClasses(secret) === 3 && longestPiece(secret) >= 8 && isRandom(secret)
}

/** The last part must be random. A digest counts only if the first part is random too; else it may be a file name. */
function isDottedToken({ secret, before, group }: SecretMatch): boolean {
  const body = group('body')
  const [first = ''] = secret.split('.')
  if (
    isPublic(before) ||
    isReadable(body) ||
    isPlaceholder(body) ||
    nonSecretPrefixes.has(first.toLowerCase())
  )
    return false
  if (isHex(body, 1)) return body.length >= 40 && countClasses(first) === 3 && isRandom(first)
  if (countClasses(body) === 3) return isRandom(body) && longestPiece(body) >= 10
  return body.length >= 32 && isRandom(body) && countDigits(body) > 1
}

/** Whether the name before the value denotes a public key or a digest. */
function isPublic(before: string): boolean {
  return /(?:["'](?:x|y|n|kid|x5t)["']|public_?key|fingerprint|integrity|checksum|digest|hash|sha[0-9]{1,3}|nonce|etag)["']?[ \t]{0,4}[:=][ \t]{0,4}["']?$/i.test(
    before,
  )
}

/** Base64 of readable text is not a secret. */
function isReadable(value: string): boolean {
  return /^[\x20-\x7e\r\n\t]{12,1000}$/.test(Buffer.from(value, 'base64').toString('latin1'))
}

function countDigits(text: string): number {
  return text.replaceAll(/[^0-9]/g, '').length
}

function longestPiece(text: string): number {
  return Math.max(...text.split(/[_-]/).map((piece) => piece.length))
}
