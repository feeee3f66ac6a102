import type { Topic } from './talk.ts'

const placeholders = [
  '<YOUR_TOKEN>',
  '<token>',
  'YOUR_API_KEY',
  '<redacted>',
  'xxxxxxxxxxxxxxxx',
  'XXXX-XXXX-XXXX',
  '****************',
  '...',
  '${TOKEN}',
  '$TOKEN',
  '%TOKEN%',
  '{{ token }}',
  '{token}',
  '[your key here]',
  'REPLACE_ME',
  'your-token-here',
]
const roles = [
  'password',
  'token',
  'secret',
  'API key',
  'passphrase',
  'private key',
  'credential',
  'access token',
]
const names = [
  'API_KEY',
  'DB_PASSWORD',
  'SESSION_SECRET',
  'AUTH_TOKEN',
  'WEBHOOK_SECRET',
  'SIGNING_KEY',
  'PGPASSWORD',
]

export const securityTopics: readonly Topic[] = [
  {
    name: 'talk about secrets',
    lines: [
      (t) => `The ${t.random.pick(roles)} of ${t.module} must never be logged, ${t.reason}.`,
      (t) =>
        `The password must be at least ${t.random.between(10, 20)} characters and is checked by ${t.name}().`,
      (t) => `Passwords are hashed with argon2id (m=${t.number}, t=3, p=1) before ${t.type} is stored.`,
      (t) => `A ${t.random.pick(roles)} belongs in the store, not in ${t.file}; ${t.person} can add it.`,
      (t) => `The token is opaque to ${t.module}; do not parse it, ${t.reason}.`,
      (t) => `The token expires after ${t.number} seconds, so ${t.name}() has to refresh it.`,
      (t) => `The secret is called ${t.kebab}-credentials and lives in the namespace ${t.module}.`,
      (t) => `The key is the tenant id followed by the ${t.snake}; keep that order.`,
      (t) =>
        `Rotate every ${t.random.pick(roles)} that ${t.person} had access to within ${t.random.between(2, 48)} hours.`,
      (t) => `Compare a ${t.random.pick(roles)} in constant time in ${t.file}.`,
      (t) => `Primary key (${t.snake}_id, day), foreign key to ${t.module}, partition key tenant_id.`,
      (t) =>
        `Keyboard shortcuts, monkey patches and tokenizers of ${t.module} have nothing to do with secrets.`,
      (t) => `Basic authentication is off for ${t.module}; bearer tokens only, ${t.reason}.`,
      (t) => `No secrets in ${t.file}: they are read in the entry and passed down to ${t.name}.`,
      (t) => `Reset links hold a one-time token whose hash is stored by ${t.type}; ${t.rule}`,
      (t) => `Ask ${t.person} for credentials to ${t.module}, they are not written down anywhere.`,
      (t) =>
        `password, passwd, pwd, secret, token and apikey are the words that the scanner of ${t.module} looks for.`,
      (t) => `Private keys of ${t.module} never leave the signer; ${t.rule}`,
    ],
  },
  {
    name: 'prefixes and patterns',
    lines: [
      (t) => `Tokens that start with ghp_ or github_pat_ are refused by the hook of ${t.module}.`,
      (t) => `The prefix xoxb- means a bot, xoxp- a person; ${t.rule}`,
      (t) => `Keys with sk_live_ are for production and sk_test_ for ${t.module}, never mix them.`,
      (t) => `/^ghp_[A-Za-z0-9]{36}$/ in ${t.file} misses the newer form.`,
      (t) => `/^sch_(?:org|usr)_[0-9A-Za-z]{36}$/ is how ${t.name} tells our keys.`,
      (t) => `The pattern AIza[0-9A-Za-z_-]{35} is quoted in ${t.file}; a pattern is no key.`,
      (t) => `sk-proj- and sk-ant- are prefixes, say so in the docs of ${t.module}.`,
      (t) => `eyJ is the start of any JSON in base64url, so ${t.name}() must not rely on it.`,
      (t) => `npm_ and rubygems_ are prefixes of tokens, npm_config_${t.snake} is a setting.`,
      (t) =>
        `const pattern = /(?:password|passwd|pwd)\\s*[:=]\\s*\\S{${t.random.between(6, 12)},64}/i // ${t.module}`,
      (t) => `/\\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\\b/i finds ids of ${t.type}`,
      (t) => `dop_v1_… and dp.pt.… are shortened in the log of ${t.module}, keep it so.`,
      (t) => `A line that begins with five dashes and BEGIN may be a certificate; ${t.rule}`,
    ],
  },
  {
    name: 'placeholders',
    lines: [
      (t) => `Authorization: Bearer ${t.random.pick(placeholders)} is how the docs of ${t.module} show it.`,
      (t) =>
        `curl -H "X-Api-Key: ${t.random.pick(placeholders)}" https://api.example.com/v1/${t.module}/${t.kebab}`,
      (t) => `export ${t.random.pick(names)}=${t.random.pick(placeholders)} # then run ${t.kebab}`,
      (t) => `${t.random.pick(names)}=${t.random.pick(placeholders)} make ${t.module}-${t.kebab}`,
      (t) => `"${t.snake}_token": "${t.random.pick(placeholders)}"`,
      (t) => `${t.snake}_password: ${t.random.pick(placeholders)}`,
      (t) => `postgres://<user>:<password>@<host>/${t.snake} is the form that ${t.name} expects.`,
      (t) => `postgres://\${DB_USER}:\${DB_PASSWORD}@\${DB_HOST}/${t.snake} is put together in ${t.file}.`,
      (t) =>
        `https://${t.random.pick(['<user>', '$USER', '{user}'])}:${t.random.pick(['<password>', '$PASSWORD', '{password}'])}@git.example.com/acme/${t.kebab}.git`,
      (t) => `env: { NODE_AUTH_TOKEN: \${{ secrets.NPM_TOKEN }} } is set for ${t.module} only.`,
      (t) => `password: {{ .Values.${t.module}.password | quote }}`,
      (t) => `password: "{{ lookup('env', '${t.constant}_PASSWORD') }}"`,
      (t) => `secretKeyRef: { name: ${t.kebab}, key: password }`,
      (t) => `api_key: !secret ${t.snake}_api_key`,
      (t) => `apiKey: "\${env:${t.constant}_API_KEY}", retries: ${t.random.below(9)}`,
      (t) => `token = "\${var.${t.snake}_token}"`,
    ],
  },
  {
    name: 'settings that sound secret',
    lines: [
      (t) => `${t.constant}_TOKEN_TTL_SECONDS=${t.number}`,
      (t) => `PASSWORD_MIN_LENGTH=${t.random.between(8, 20)} applies to ${t.type} too.`,
      (t) => `max_tokens: ${t.number}, temperature: 0.${t.random.digits(1)}, stop: ["${t.snake}"]`,
      (t) => `tokenCount = ${t.number}${t.random.digits(2)} was over the budget of ${t.name}`,
      (t) => `${t.constant}_PASSWORD_FILE=/run/secrets/${t.snake}_password`,
      (t) => `SSH_KEY_PATH=~/.ssh/id_ed25519_${t.kebab}`,
      (t) => `API_KEY_HEADER=X-Api-Key; AUTH_SCHEME=Bearer; REALM=${t.module}`,
      (t) => `password_encryption = scram-sha-256 # ${t.module}`,
      (t) => `jwt: { algorithm: RS256, issuer: https://login.example.com/${t.module}, audience: ${t.kebab} }`,
      (t) => `secretName: tls-${t.module}-example-com, tokenReviewer: ${t.kebab}`,
      (t) => `KEY_PREFIX = '${t.module}:${t.snake}:v${t.random.between(2, 9)}:'`,
      (t) => `cacheKey: "${t.module}:${t.snake}:${t.locale}", ttl: ${t.number}`,
      (t) => `credentials: 'same-origin', mode: 'cors' // ${t.name}`,
      (t) => `PasswordResetTokenExpiredException and ${t.type}TokenMismatchError mean the same, ${t.reason}.`,
      (t) => `csrf_token_field: authenticity_token, header: X-CSRF-Token (${t.module})`,
      (t) =>
        `environment variables: ${t.constant}_API_KEY, ${t.constant}_SECRET, ${t.constant}_TOKEN, ${t.constant}_PASSWORD_SALT`,
      (t) => `SECRET_NAME=prod/${t.module}/${t.kebab} names a place in the store`,
      (t) => `keyId: ${t.module}-${t.day}, keyUsage: digitalSignature`,
    ],
  },
]
