// Generators of known credentials that a pattern cannot express, mostly because their parts depend on each other.

import type { Random } from '../../proofs/tools/random.ts'
import { armor, checksum, pem, privateKeyLabel } from './encode.ts'
import {
  createHost,
  createMailAddress,
  createUserInfo,
  pickService,
  pickUser,
  toInteger,
  type WordLists,
} from './generators.ts'
import { type Generators, plain, secret, toBase64, type Value } from './pattern.ts'

const openSshStart = toBase64(
  `openssh-key-v1\0\0\0\0\u0004none\0\0\0\u0004none\0\0\0\0\0\0\0\u0001\0\0\0`,
).slice(0, 56)

export function createKnownGenerators(words: WordLists): Generators {
  return {
    checksummed: (random, length) => {
      const text = random.base62(toInteger(length))
      return text + checksum(text)
    },
    'database-url': (random, scheme = '', port = '') => createDatabaseUrl(random, words, scheme, port),
    'service-bus': (random, keyName = '', entity) => createServiceBus(random, words, keyName, entity),
    'service-account': (random, layout = '') => createServiceAccount(random, words, layout),
    jwt: (random, algorithm = '') => createJwt(random, words, algorithm),
    'one-password-key': createOnePasswordKey,
    pem: (random, ...options) => createPem(random, options),
    'openssh-key': (random, length) =>
      pem(random, privateKeyLabel('OPENSSH'), { start: openSshStart, length: toInteger(length), width: 70 }),
    'encrypted-rsa-key': createEncryptedRsaKey,
    'pgp-key': createPgpKey,
    'ssh2-key': (random) => createSsh2Key(random, words),
    'putty-key': (random, version = '', macLength) =>
      createPuttyKey(random, words, version, toInteger(macLength)),
    'scholiast-key': createScholiastKey,
    'ingest-credential': (random, count) => createIngestCredential(random, toInteger(count)),
  }
}

function createDatabaseUrl(random: Random, words: WordLists, scheme: string, port: string): Value {
  const end = `${createHost(random, words)}:${port}/${pickService(random, words)}`
  return [plain(`${scheme}://`), ...createUserInfo(random, words), plain(`@${end}`)]
}

function createServiceBus(random: Random, words: WordLists, keyName: string, entity?: string): Value {
  const end = entity === undefined ? '' : `;EntityPath=${pickService(random, words)}-${entity}`
  const host = `${pickService(random, words)}-${random.pick(['prod', 'test', 'weu'])}.servicebus.windows.net`
  const start = `Endpoint=sb://${host}/;SharedAccessKeyName=${keyName};SharedAccessKey=`
  return [plain(start), secret(toBase64(random.bytes(32))), plain(end)]
}

/** A JSON file with the private key in one string, its newlines escaped. */
function createServiceAccount(random: Random, words: WordLists, layout: string): Value {
  const gap = { 'single-line': ' ', 'multi-line': '\n  ' }[layout]
  if (gap === undefined) throw new Error(`"${layout}" must be single-line or multi-line`)
  const project = `${pickService(random, words)}-${random.digits(6)}`
  const first = ['{', '"type": "service_account",', `"project_id": "${project}",`].join(gap)
  const label = privateKeyLabel('')
  const begin = `"private_key": "-----BEGIN ${label}-----\\n`
  const mail = `"client_email": "deploy@${project}.iam.gserviceaccount.com"${gap.trimEnd()}}`
  const id = random.hex(40)
  const body = [...Array(25)].flatMap(() => [secret(random.base64(64)), plain('\\n')])
  const lastLine = secret(random.base64(22))
  return [
    plain(`${first}${gap}"private_key_id": "`),
    secret(id),
    plain(`",${gap}${begin}MIIEvQIBADANBgkqhkiG9w0BAQEFAASC`),
    secret(random.base64(32)),
    plain('\\n'),
    ...body,
    lastLine,
    plain(`==\\n-----END ${label}-----\\n",${gap}${mail}`),
  ]
}

/** The header is public; claims and signature grant access. */
function createJwt(random: Random, words: WordLists, algorithm: string): Value {
  const issued = 1_750_000_000 + random.below(30_000_000)
  const sub = random.digits(10)
  const claims = { sub, email: createMailAddress(random, words), iat: issued, exp: issued + 3600 }
  const signature = random.base64Url(algorithm === 'HS256' ? 43 : 342)
  return [
    plain(`${toBase64Url({ alg: algorithm, typ: 'JWT' })}.`),
    secret(`${toBase64Url(claims)}.${signature}`),
  ]
}

function toBase64Url(content: unknown): string {
  return Buffer.from(JSON.stringify(content)).toString('base64url')
}

function createOnePasswordKey(random: Random): Value {
  const groups = [6, 5, 5, 5, 5].map((length) => random.upper(length)).join('-')
  return [plain(`A3-${random.upper(6)}-`), secret(groups)]
}

/** Options: type, start, length, padding. */
function createPem(random: Random, options: readonly string[]): Value {
  const values = new Map(options.map((option) => option.split('=', 2) as [string, string]))
  for (const name of values.keys())
    if (!['type', 'start', 'length', 'padding'].includes(name))
      throw new Error(`‹pem› has no option "${name}"`)
  return pem(random, privateKeyLabel(values.get('type') ?? ''), {
    start: values.get('start') ?? '',
    length: toInteger(values.get('length')),
    padding: toInteger(values.get('padding') ?? '1'),
  })
}

function createEncryptedRsaKey(random: Random): Value {
  const initialVector = random.hex(32).toUpperCase()
  const headers = ['Proc-Type: 4,ENCRYPTED', `DEK-Info: AES-128-CBC,${initialVector}`]
  return pem(random, privateKeyLabel('RSA'), { headers, length: 1600 })
}

function createPgpKey(random: Random): Value {
  const trailer = [`=${random.base64(4)}`]
  const headers = ['Version: GnuPG v2']
  return pem(random, `${privateKeyLabel('PGP')} BLOCK`, { headers, start: 'lQ', length: 1200, trailer })
}

function createSsh2Key(random: Random, words: WordLists): Value {
  const label = `SSH2 ENCRYPTED ${privateKeyLabel('')}`
  const comment = `Comment: "${pickUser(random, words)}@${createHost(random, words)}"`
  const begin = `---- BEGIN ${label} ----\n${comment}`
  return armor(random, { begin, end: `---- END ${label} ----`, length: 780, width: 70 })
}

function createPuttyKey(random: Random, words: WordLists, version: string, macLength: number): Value {
  const publicKey = `AAAAB3NzaC1yc2EAAAADAQABAAABAQ${random.base64(34)}\n${random.base64(64)}`
  const begin = [
    `PuTTY-User-Key-File-${version}: ssh-rsa`,
    'Encryption: none',
    `Comment: ${pickUser(random, words)}`,
    'Public-Lines: 2',
    publicKey,
    'Private-Lines: 14',
  ].join('\n')
  return armor(random, { begin, length: 896, end: `Private-MAC: ${random.hex(macLength)}` })
}

/** Written from the documented format, so that a mistake in the server's own table is found. */
function createScholiastKey(random: Random, prefix = ''): Value {
  const body = random.base62(30)
  return [plain(prefix), secret(body + checksum(prefix + body))]
}

/** Without organizations, the credential is valid for all of them. */
function createIngestCredential(random: Random, count: number): Value {
  const organizations = count === 0 ? null : Array.from({ length: count }, () => random.uuid())
  const exp = 1_790_000_000 + random.below(10_000_000)
  const payload = { v: 1, kid: 'k1', id: random.uuid(), root: random.uuid(), organizations, exp }
  return [plain('sch_ing_'), secret(toBase64Url(payload)), plain('.'), secret(random.base64Url(43))]
}
