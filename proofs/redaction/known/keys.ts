import { armoured, base64Of, bech32, checkDigits, pem, privateKeyLabel } from '../encode.ts'
import { type Kind, kindsOf } from '../kind.ts'
import { hostName, userName } from '../people.ts'
import type { Random } from '../random.ts'
import { plain, secret, type Value } from '../value.ts'

const { token, bare, lines, block } = kindsOf('keys')
const own = kindsOf('own')

const openSshStart = base64Of(
  `openssh-key-v1\0\0\0\0\u0004none\0\0\0\u0004none\0\0\0\0\0\0\0\u0001\0\0\0`,
).slice(0, 56)

export const keyKinds: readonly Kind[] = [
  block('rsa-private-key', 'RSA key', 'RSA_PRIVATE_KEY', [
    (random) => pem(random, privateKeyLabel('RSA '), { start: 'MIIEpAIBAAKCAQEA', length: 1592 }),
    (random) => pem(random, privateKeyLabel('RSA '), { start: 'MIICXAIBAAKBgQC', length: 812 }),
    (random) =>
      pem(random, privateKeyLabel('RSA '), {
        headers: ['Proc-Type: 4,ENCRYPTED', `DEK-Info: AES-128-CBC,${random.hex(32).toUpperCase()}`],
        length: 1600,
      }),
  ]),
  block('ec-private-key', 'EC key', 'EC_PRIVATE_KEY', [
    (random) => pem(random, privateKeyLabel('EC '), { start: 'MHcCAQEEI', length: 164 }),
    (random) => pem(random, privateKeyLabel('DSA '), { start: 'MIIBuwIBAAKBgQ', length: 596 }),
  ]),
  block('pkcs8-private-key', 'private key', 'PRIVATE_KEY', [
    (random) => pem(random, privateKeyLabel(''), { start: 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC', length: 1624 }),
    (random) => pem(random, privateKeyLabel(''), { start: 'MC4CAQAwBQYDK2VwBCIEI', length: 64, padding: 0 }),
    (random) =>
      pem(random, privateKeyLabel(''), {
        start: 'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg',
        length: 184,
      }),
  ]),
  block('pkcs8-encrypted-key', 'encrypted key', 'ENCRYPTED_PRIVATE_KEY', [
    (random) =>
      pem(random, privateKeyLabel('ENCRYPTED '), { start: 'MIIFHDBOBgkqhkiG9w0BBQ0w', length: 1756 }),
  ]),
  block('openssh-private-key', 'deploy key', 'SSH_PRIVATE_KEY', [
    (random) => pem(random, privateKeyLabel('OPENSSH '), { start: openSshStart, length: 348, width: 70 }),
    (random) => pem(random, privateKeyLabel('OPENSSH '), { start: openSshStart, length: 2544, width: 70 }),
  ]),
  block('pgp-private-key', 'signing key', 'GPG_PRIVATE_KEY', [
    (random) => {
      const what = `${privateKeyLabel('PGP ')} BLOCK`
      return pem(random, what, {
        headers: ['Version: GnuPG v2'],
        start: 'lQ',
        length: 1200,
        last: [`=${random.base64(4)}`],
      })
    },
  ]),
  block('ssh2-private-key', 'SSH2 key', 'SSH2_PRIVATE_KEY', [
    (random) => {
      const middle = `SSH2 ENCRYPTED ${privateKeyLabel('')}`
      const comment = `Comment: "${userName(random)}@${hostName(random)}"`
      const begin = `---- BEGIN ${middle} ----\n${comment}`
      return armoured(random, { begin, end: `---- END ${middle} ----`, length: 780, width: 70 })
    },
  ]),
  bare('ethereum-private-key', 'deployer private key', 'DEPLOYER_PRIVATE_KEY', [
    (random) => secret`0x${random.hex(64)}`,
    (random) => secret`${random.hex(64)}`,
  ]),
  bare('vapid-private-key', 'VAPID private key', 'VAPID_PRIVATE_KEY', [
    (random) => secret`${random.base64Url(43)}`,
  ]),
  lines('wireguard-private-key', 'WireGuard configuration', 'WG_CONFIG', [
    (random) =>
      secret`[Interface]\nAddress = 10.8.0.${plain(String(random.between(2, 250)))}/24\nPrivateKey = ${base64Of(random.bytes(32))}`,
    (random) => secret`PresharedKey = ${base64Of(random.bytes(32))}`,
    (random) => secret`echo "${base64Of(random.bytes(32))}" | wg pubkey`,
  ]),
  lines('jwk-private-key', 'JSON Web Key', 'SIGNING_JWK', [
    (random) =>
      secret`{"kty":"EC","crv":"P-256","x":"${plain(random.base64Url(43))}","y":"${plain(random.base64Url(43))}","d":"${random.base64Url(43)}"}`,
    (random) =>
      secret`{ "kty": "OKP", "crv": "Ed25519", "d": "${random.base64Url(43)}", "x": "${plain(random.base64Url(43))}" }`,
    (random) => secret`{ "kty": "oct", "alg": "HS256", "k": "${random.base64Url(86)}" }`,
  ]),
  token('age-secret-key', 'age key', 'SOPS_AGE_KEY', [
    (random) => secret`AGE-SECRET-KEY-1${bech32(random, 'age-secret-key-').toUpperCase()}`,
  ]),
  block('putty-private-key', 'PuTTY key', 'PPK_KEY', [
    (random) => puttyKey(random, 'PuTTY-User-Key-File-3: ssh-rsa', 64),
    (random) => puttyKey(random, 'PuTTY-User-Key-File-2: ssh-rsa', 40),
  ]),
]

const keyPrefixes = ['sch_org_', 'sch_usr_', 'sch_wsp_', 'sch_ins_', 'sch_leg_', 'sch_agt_']

/** Written anew from the contract's format, so that a slip in the service's own table shows. */
export const ownKinds: readonly Kind[] = [
  own.token(
    'scholiast-key',
    'Scholiast key',
    'SCHOLIAST_API_KEY',
    keyPrefixes.map((prefix) => (random) => ownKey(random, prefix)),
  ),
  own.token('scholiast-ingest-credential', 'Scholiast ingest credential', 'SCHOLIAST_INGEST_CREDENTIAL', [
    (random) => ingestCredential(random, null),
    (random) => ingestCredential(random, [random.uuid()]),
    (random) =>
      ingestCredential(
        random,
        Array.from({ length: 20 }, () => random.uuid()),
      ),
  ]),
]

function puttyKey(random: Random, first: string, macLength: number): Value {
  const shared = ['AAAAB3NzaC1yc2EAAAADAQABAAABAQ', random.base64(34), '\n', random.base64(64)].join('')
  const head = [first, 'Encryption: none', `Comment: ${userName(random)}`, 'Public-Lines: 2', shared]
  const begin = [...head, 'Private-Lines: 14'].join('\n')
  return armoured(random, { begin, length: 896, end: `Private-MAC: ${random.hex(macLength)}` })
}

function ownKey(random: Random, prefix: string): Value {
  const body = prefix + random.base62(30)
  return secret`${plain(prefix)}${body.slice(prefix.length) + checkDigits(body)}`
}

function ingestCredential(random: Random, organizations: readonly string[] | null): Value {
  const exp = 1_790_000_000 + random.below(10_000_000)
  const payload = { v: 1, kid: 'k1', id: random.uuid(), root: random.uuid(), organizations, exp }
  const body = Buffer.from(JSON.stringify(payload)).toString('base64url')
  return secret`sch_ing_${body}.${random.base64Url(43)}`
}
