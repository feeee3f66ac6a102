// Generators of held-out credentials that a pattern cannot express.
import { readFileSync } from 'node:fs'
import type { Random } from '../../proofs/tools/random.ts'
import { privateKeyLabel } from './encode.ts'
import { pickService, pickUser, toInteger, type WordLists } from './generators.ts'
import { type Generators, plain, secret, toBase64, type Value } from './pattern.ts'

export function createHeldOutGenerators(words: WordLists): Generators {
  const file = new URL('mnemonic-words.txt', import.meta.url)
  const mnemonicWords = readFileSync(file, 'utf8').trimEnd().split('\n')
  return {
    mnemonic: (random, count) =>
      Array.from({ length: toInteger(count) }, () => random.pick(mnemonicWords)).join(' '),
    kubeconfig: (random) => createKubeconfig(random, words),
    'teams-webhook': (random) => createTeamsWebhook(random, words),
  }
}

/** A PEM block in base64. Its first line is the same for every key. */
function createKubeconfig(random: Random, words: WordLists): Value {
  const label = privateKeyLabel('RSA')
  const first = toBase64(`-----BEGIN ${label}-----\nMIIEpAIBAAKCAQEA1234`.slice(0, 48))
  const rest = toBase64(`${random.base64(1200)}\n-----END ${label}-----\n`)
  const user = pickUser(random, words)
  return [plain(`users:\n- name: ${user}\n  user:\n    client-key-data: ${first}`), secret(rest)]
}

function createTeamsWebhook(random: Random, words: WordLists): Value {
  const domain = random.pick(words('domains')).split('.')[0]
  const host = `${domain}${pickService(random, words)}`.replaceAll('-', '')
  const path = `webhookb2/${random.uuid()}@${random.uuid()}/IncomingWebhook/`
  const start = plain(`https://${host}.webhook.office.com/${path}`)
  return [start, secret(random.hex(32)), plain('/'), secret(random.uuid())]
}
