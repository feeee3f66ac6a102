// Verifies the audit log of your tenant with the HTTP API alone, and prints the changes of one resource. Node 20 or later:
//   SCHOLIAST_URL=… SCHOLIAST_API_KEY=… node verify-audit.mjs [RESOURCE_ID]
// AUDIT_KEYS, a comma-separated list of ids of signing keys that you noted earlier, refuses signatures of any other key.
import { createHash, createPublicKey, verify } from 'node:crypto'

const { SCHOLIAST_URL: url, SCHOLIAST_API_KEY: key, AUDIT_KEYS: pinned } = process.env
const sha256 = (...parts) => parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest('hex')
const fail = (why) => {
  console.error(`The audit log is not valid. ${why}`)
  process.exit(1)
}

async function get(path) {
  for (;;) {
    const response = await fetch(url + path, { headers: { 'x-service-api-key': key } })
    if (response.ok) return response.json()
    const wait = Number(response.headers.get('retry-after'))
    if (!wait) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    await new Promise((resolve) => setTimeout(resolve, wait * 1000))
  }
}

// The rows that the key may read, then the chain of the whole tenant, which has all of them.
const rows = []
for (let cursor = 'start', more = true; more; ) {
  const page = await get(`/v1/audit-logs?page_size=100&cursor=${encodeURIComponent(cursor)}`)
  rows.push(...page.data)
  ;[cursor, more] = [page.next_cursor, page.has_more]
}
const [chain, heads, publicKeys] = [new Map(), [], new Map()]
for (let after = 0, more = true; more; ) {
  const page = await get(`/v1/audit-logs/chain?limit=10000&after=${after}`)
  for (const link of page.data) chain.set(link.position, link)
  for (const { key: id, public_key } of page.public_keys) publicKeys.set(id, createPublicKey(public_key))
  heads.push(...page.heads)
  more = page.data.length === 10000
  after = page.data.at(-1)?.position ?? after
}

// Heads: each is signed by a published key, and is what the chain has at its position.
for (const { kind, root, position, hash, at, key: id, signature } of heads) {
  const message = ['scholiast audit 1', kind, root, position, hash, at, id].join('\n')
  const publicKey = publicKeys.get(id)
  if (!publicKey || (pinned && !pinned.split(',').includes(id))) fail(`Head ${position} is signed by another key, ${id}.`)
  if (sha256(publicKey.export({ format: 'der', type: 'spki' })).slice(0, 16) !== id) fail(`Key ${id} has another id.`)
  if (!verify(null, Buffer.from(message), publicKey, Buffer.from(signature, 'base64')))
    fail(`The signature of head ${position} is wrong.`)
  if (chain.has(position) && chain.get(position).hash !== hash) fail(`Row ${position} was rewritten after ${at}.`)
}

// Chain: each hash follows from the one before it, the position and the digest. Rows before a signed checkpoint are dropped.
const first = chain.keys().next().value ?? 1
const checkpoint = heads.find(({ kind, position }) => kind === 'checkpoint' && position === first - 1)
if (first !== 1 && !checkpoint) fail(`Row ${first - 1} is missing, and no signed checkpoint covers it.`)
let [previous, expected] = [first === 1 ? '0'.repeat(64) : checkpoint.hash, first]
for (const { position, digest, hash } of chain.values()) {
  if (position !== expected) fail(`Row ${expected} is missing.`)
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(BigInt(position))
  if (sha256(Buffer.from(previous, 'hex'), bytes, Buffer.from(digest, 'hex')) !== hash)
    fail(`Row ${position}: its hash does not follow from the row before it.`)
  ;[previous, expected] = [hash, position + 1]
}
const signed = Math.max(0, ...heads.map(({ position }) => position))
if (signed >= expected) fail(`Row ${expected} is missing: row ${signed} was signed.`)

// Rows: the content of each is what its digest was made of, and personal values are what was sealed.
for (const { position, hash, content, personalValues, actor } of rows) {
  if (chain.get(position)?.hash !== hash || chain.get(position).digest !== sha256(content))
    fail(`Row ${position}: its content is not what the chain has.`)
  const { action, at, resource_id, actor_id, metadata, sealed } = JSON.parse(content)
  for (const [name, { salt, value }] of Object.entries(personalValues))
    if (sha256(salt + value) !== sealed[name]) fail(`Row ${position}: ${name} is not what was sealed.`)
  if (resource_id !== process.argv[2]) continue
  const { actor_owner_id: owner = null, before = null, after = null } = metadata
  const named = owner !== null && owner === actor.owner?.id ? ` (${actor.owner.name})` : ''
  console.log(`Row ${position}, ${at}: ${action} by ${actor_id}, owner ${owner}${named}`)
  console.log(`  before ${JSON.stringify(before)}\n  after  ${JSON.stringify(after)}`)
}
console.log(`The audit log is valid: ${chain.size} rows, ${rows.length} of them readable with this key.`)
console.log(`${heads.length} signed heads match; the last one covers row ${signed}. Signing keys: ${[...publicKeys.keys()]}`)
