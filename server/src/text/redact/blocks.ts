import { base64, defineRule, hex, type RedactionRule } from './rule.ts'

// Stops at the dashes of the next BEGIN or END line, so that many BEGIN lines do not make matching quadratic.
const within = '(?:[^-]|-(?!---))'
const lineEnd = String.raw`(?:\\{1,4}r)?(?:\\{1,4}n|\r?\n)`
const lineStart = String.raw`[ \t>+#/*"',-]{0,24}`

/** PEM and PuTTY private keys, whole or truncated, and other key blocks. */
export const blockRules: readonly RedactionRule[] = [
  defineRule(
    'private_key',
    ['private key'],
    `(?<=-{4,5} ?BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{4,5})(?<secret>${within}{16,20000})(?=-{4,5} ?END)`,
  ),
  defineRule(
    'private_key',
    ['private key'],
    `(?<=-{4,5} ?BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{4,5})(?<secret>(?:(?:${lineEnd})?${lineStart}(?:${lineEnd}${lineStart})?${base64}{16,200}={0,2}){1,400})`,
  ),
  defineRule(
    'private_key',
    ['private-lines'],
    `(?<=Private-Lines: [0-9]{1,4})(?<secret>(?:${lineEnd}${lineStart}${base64}{2,100}={0,2}(?:\\\\{0,4}["'] ?\\+?)?(?!:)){1,200})`,
  ),
  defineRule(
    'private_key',
    ['private-lines'],
    '(?<=Private-Lines: [0-9]{1,4})(?<secret>[^:]{16,12000}?)(?=Private-MAC:)',
  ),
  defineRule('private_key', ['private-mac'], `(?<=Private-MAC: )(?<secret>${hex}{40,64})`),
  // Base64 of a PEM block, as in Kubernetes secrets and CI variables.
  defineRule(
    'private_key',
    ['ls0tls1crudjti'],
    `(?<secret>LS0tLS1CRUdJTi(?:BSU0EgUFJJVkFURS|BQUklWQVRF|BFQyBQUklWQVRF|BPUEVOU1NIIFBSSVZBVEUg|BFTkNSWVBURUQgUFJJVkFURS)${base64}{40,400})`,
  ),
  defineRule(
    'password_hash',
    ['$2', '$argon2', '$1$', '$5$', '$6$', '$y$', '$apr1$', '{ssha'],
    String.raw`(?<![\w$])(?<secret>\$2[abxy]\$[0-9]{2}\$[./A-Za-z0-9]{53}|\$argon2(?:id|i|d)\$[A-Za-z0-9+/=,$]{40,300}|\$(?:[156y]|apr1)\$[./A-Za-z0-9=,$]{1,40}\$[./A-Za-z0-9]{20,100}|\{SSHA[0-9]{0,3}\}[A-Za-z0-9+/=]{24,200})`,
  ),
  defineRule(
    'seed_phrase',
    ['mnemonic', 'phrase', 'seed'],
    '(?:mnemonic|(?:seed|recovery|secret|backup)[ _-]?(?:phrase|words))[^\\r\\n:="\']{0,24}(?:[:="\']|is)[ \\t:="\'`]{0,6}(?<secret>(?:[a-z]{3,8}[ ,]{1,2}){11,23}[a-z]{3,8})',
    undefined,
    'i',
  ),
  // The private parameters of a JSON Web Key.
  defineRule(
    'private_jwk',
    ['kty'],
    String.raw`\\{0,4}"(?:d|k|p|q|dp|dq|qi)\\{0,4}"\s{0,4}:\s{0,4}\\{0,4}"(?<secret>[A-Za-z0-9_-]{16,1400})`,
  ),
  defineRule(
    'wireguard_key',
    ['wg pubkey'],
    `(?<![A-Za-z0-9+/])(?<secret>${base64}{43}=)(?=\\\\{0,3}["']? ?\\| ?wg pubkey)`,
  ),
  defineRule(
    'private_key_id',
    ['private_key_id'],
    String.raw`private_key_id\\{0,4}"\s{0,4}:\s{0,4}\\{0,4}"(?<secret>[0-9a-f]{20,64})`,
  ),
]
