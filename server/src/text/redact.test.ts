import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createKeyValue } from '../access/key-format.ts'
import { REDACTOR_VERSION, redact } from './redact.ts'

const digits = '0123456789'
const small = 'abcdefghijklmnopqrstuvwxyz'
const base62 = digits + small.toUpperCase() + small
const hex = `${digits}abcdef`

// Generated, never written out: secret scanners would report them.
let state = 20_261_115
function draw(alphabet: string, length: number): string {
  let text = ''
  while (text.length < length) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    text += alphabet.charAt((state >>> 8) % alphabet.length)
  }
  return text
}

const randomSecrets: readonly (() => string)[] = [
  () => draw(base62, 24),
  () => draw(base62, 40),
  () => draw(hex, 32),
  () => draw(`${base62}-_`, 43),
  () => `${draw(`${base62}+/`, 43)}=`,
]
const chosenSecrets: readonly (() => string)[] = [
  () => draw(base62, 12),
  () => `Sommer${draw(digits, 4)}!`,
  () => `${draw(base62, 6)}$${draw(base62, 4)}%${draw(base62, 2)}`,
]

/** Every % is replaced by a secret. */
const namedBy: readonly string[] = [
  'const apiKey: string = "%"',
  'let api_key: &\'static str = "%";',
  'var authToken string = "%"',
  'api_token: Optional[str] = "%"',
  '<apiKey>%</apiKey>',
  '<add key="ApiKey" value="%" />',
  '-DapiKey=%',
  '--auth-token=%',
  '"name": "API_TOKEN", "value": "%"',
  '{"key":"SECRET_TOKEN","value":"%"}',
  ':api_key => "%"',
  'client.set("api_key", "%")',
  'headers["X-Api-Key"] = "%"',
  '$env:API_KEY = "%"',
  'setx API_KEY %',
  'ENV API_TOKEN %',
  '//npm.example.com/:_authToken=%',
  'aws_secret_access_key = %',
  'Our API key is %.',
  'use token `%` for now',
  'set the API key to %',
  'AccountKey=%;EndpointSuffix=core.windows.net',
  "define('SECURE_AUTH_KEY', '%');",
  'client = Client(api_key="%")',
  'Client.builder().apiKey("%").build()',
  '{"access_token":"%","token_type":"bearer"}',
  '"%" is our API key',
  'PRIVATE-TOKEN: %',
  'the secret key (%)',
  '#define API_KEY "%"',
  'curl -H "Authorization: token %"',
  '?apikey=%&x=1',
  'token:\n  "%"',
  'token: >-\n  %',
  'body: "{\\"clientSecret\\":\\"%\\"}"',
]

const passwordIn: readonly string[] = [
  'password: "%"',
  'DB_PASSWORD=%',
  'Password=%;Encrypt=True',
  'POSTGRES_PASSWORD: %',
  '--password %',
  'mysql -u root -p%',
  'curl -u admin:% https://git.example.com',
  'sshpass -p "%" ssh host',
  "CREATE USER a WITH PASSWORD '%'",
  'the password is %',
  'Password for the admin is: %',
  'login with admin / %',
  'credentials are admin:%',
  'redis://:%@cache:6379',
  'spring.datasource.password=%',
  '<password>%</password>',
]

const clean: readonly string[] = [
  '',
  'Prefer early returns.',
  'password: string',
  'password: "must have at least 8 characters"',
  'const apiKey = process.env.API_KEY',
  'exports.PasswordMd5Message = PasswordMd5Message',
  'token = "${var.token}"',
  '`test:${"ab".repeat(32)}` are the SIGNING_KEYS',
  `The cache key is linux-node24-${draw(hex, 64)}`,
  `The behaviour changed in ${draw(hex, 40)}`,
  `"integrity": "sha512-${draw(`${base62}+/`, 86)}=="`,
  `data:image/png;base64,${draw(`${base62}+/`, 200)}`,
  'Tokens that start with ghp_ are refused',
  'sk-spinner-with-a-very-long-class-name-that-goes-on',
  `ghp_${'x'.repeat(36)}`,
  'postgres://<user>:<password>@<host>/db',
  'git@git.example.com:acme/app.git',
  'tokenCount = 912345',
  'PASSWORD_MIN_LENGTH=12',
  '/run/secrets/db_password',
]

function leaks(secret: string, text: string): boolean {
  for (let from = 0; from + 8 <= secret.length; from++)
    if (text.includes(secret.slice(from, from + 8))) return true
  return false
}

test('redacts named secrets in any programming language', () => {
  for (const index of namedBy)
    for (const make of randomSecrets) {
      const secret = make()
      const { text, kinds } = redact(index.replace('%', () => secret))
      assert.ok(!leaks(secret, text), `${index} with ${secret.length} characters`)
      assert.equal(kinds.length, 1, index)
    }
})

test('redacts passwords in assignments and in prose', () => {
  for (const index of passwordIn)
    for (const make of chosenSecrets) {
      const secret = make()
      assert.ok(!leaks(secret, redact(index.replace('%', () => secret)).text), index)
    }
})

test('does not change guidance without a secret', () => {
  for (const text of clean) assert.deepEqual(redact(text), { text, version: REDACTOR_VERSION, kinds: [] })
})

test('replaces only the secret, and the marker names its kind', () => {
  const token = `ghp_${draw(base62, 36)}`
  const other = draw(base62, 32)
  assert.deepEqual(redact(`Use ${token}, not ${token}; SESSION_SECRET=${other}\nPORT=1`), {
    text: 'Use [REDACTED:github_token], not [REDACTED:github_token]; SESSION_SECRET=[REDACTED:secret]\nPORT=1',
    version: REDACTOR_VERSION,
    kinds: ['github_token', 'secret'],
  })
})

test('a marker in the input is not reported as a redaction', () => {
  const text = 'DB_PASSWORD=[REDACTED:password]'
  assert.deepEqual(redact(text), { text, version: REDACTOR_VERSION, kinds: [] })
})

test('recognizes our own keys by their checksum', () => {
  const key = createKeyValue('organization')
  assert.equal(redact(`see ${key}.`).text, 'see [REDACTED:scholiast_key].')
  const typo = key.slice(0, -1) + (key.endsWith('a') ? 'b' : 'a')
  assert.notEqual(redact(`see ${typo}.`).text, 'see [REDACTED:scholiast_key].')
})

test('redacts all lines of a private key, also if it is truncated', () => {
  const lines = Array.from({ length: 12 }, () => draw(`${base62}+/`, 64))
  const label = ['PRIVATE', 'KEY'].join(' ')
  for (const end of [`\n-----END RSA ${label}-----`, '']) {
    for (const joint of ['\n', '\r\n', '\\n', '\n    ', '\\n" +\n  "']) {
      const whole = `-----BEGIN RSA ${label}-----${joint}${lines.join(joint)}${end}`
      const { text } = redact(`before\n${whole}\nafter`)
      for (const line of lines) assert.ok(!leaks(line, text), JSON.stringify({ joint, end }))
      assert.match(text, /^before\n[^]{0,90}\nafter$/)
    }
  }
})

test('redacts a secret that is longer than any pattern completely', () => {
  const secret = draw(`${base62}+/`, 5_000)
  for (const index of ['client-key-data: % # old', '"client-key-data": "%", "x": 1', 'PASSWORD=% next'])
    assert.ok(redact(index.replace('%', () => secret)).text.length < 80, index)
})

test('redacts secrets with their own syntax', () => {
  const cases: readonly (readonly [place: string, secret: string])[] = [
    ['Authorization: Basic %', Buffer.from(`deploy:${draw(base62, 14)}`).toString('base64')],
    ['Cookie: theme=dark; sessionid=%; lang=en', draw(hex, 32)],
    ['root:$6$abcdefgh$%:19000:0', draw(base62, 86)],
    ['mnemonic: "%"', Array.from({ length: 12 }, () => draw(small, 6)).join(' ')],
    ['ConvertTo-SecureString "%" -AsPlainText', 'Sommer2026!x'],
    ['dsn := "app:%@tcp(db:3306)/x"', draw(base62, 14)],
    ['db.example.com:5432:orders:app:%', draw(base62, 18)],
    ['https://a.blob.example.net/c?sv=2022-11-02&sig=%&se=2027', draw(base62, 43)],
    ['https://chat.example.com/hooks/%', draw(digits + small, 26)],
    ['https://chat.example.com/webhooks/1234567890123456789/%', draw(base62, 40)],
    ['https://%@git.example.com/team/app.git', draw(base62, 40)],
    ['otpauth://totp/Acme:a@example.com?secret=%&issuer=Acme', draw('ABCDEFGHIJKLMNOPQRSTUVWXYZ234567', 32)],
    ['{"kty":"OKP","d":"%","x":"abc"}', draw(base62, 43)],
    ['{ "auths": { "https://images.example.com": { "auth": "%" } } }', draw(base62, 28)],
  ]
  for (const [index, secret] of cases)
    assert.ok(!leaks(secret, redact(index.replace('%', () => secret)).text), index)
})

test('redaction is idempotent', () => {
  const index = fc.constantFrom(...namedBy, ...passwordIn, ...clean, '%', ' [REDACTED:token]', '\r\n', ', ')
  const secret = fc.constantFrom(...randomSecrets, ...chosenSecrets).map((make) => make())
  const piece = fc.oneof(
    fc.tuple(index, secret).map(([around, value]) => around.replace('%', () => value)),
    fc.string({ maxLength: 20, unit: 'grapheme' }),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      const { text } = redact(pieces.join(''))
      assert.equal(redact(text).text, text)
    }),
    { numRuns: 300 },
  )
})

test('redaction of random texts never fails and is idempotent', () => {
  const symbols = fc.constantFrom(
    '"',
    "'",
    '`',
    '\\',
    '=',
    ':',
    '-',
    '[',
    ']',
    '\n',
    'key',
    'token',
    'aB3xK9',
    '://',
    '@',
  )
  fc.assert(
    fc.property(fc.array(symbols, { maxLength: 60 }), (parts) => {
      const text = parts.join('')
      const once = redact(text)
      assert.deepEqual(redact(text), once)
      assert.equal(redact(once.text).text, once.text)
    }),
    { numRuns: 500 },
  )
})
