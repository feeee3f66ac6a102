import assert from 'node:assert/strict'
import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto'
import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { beforeEach, test } from 'node:test'
import { setAppendOnly } from '../../test/append-only.ts'
import { openDatabase } from '../../test/fixture.ts'
import { chainHash, contentDigest } from '../access/audit/chain.ts'
import { type AuditChainHead, createSigner } from '../access/audit/heads.ts'
import { appendHeads } from '../access/audit/heads-file.ts'
import { applyAuditRetention } from '../access/audit/retention.ts'
import { signHeads } from '../access/audit/sign-heads.ts'
import { type AuditEntry, writeAuditEntries, writeAuditEntry } from '../access/audit.ts'
import { rootScope } from '../access/scope.ts'
import { commands } from '../commands.ts'
import { connect } from '../db/connect.ts'
import { inTransaction } from '../db/transaction.ts'
import type { PersonId, RootId } from '../ids.ts'
import { createAdminContext } from './context.ts'
import { explainFailure } from './output.ts'
import { runCommand } from './program.ts'

const signingKey = randomBytes(32).toString('base64')
const signer = createSigner(signingKey)
const folder = mkdtempSync(`${tmpdir()}/scholiast-`)
const [exported, headsFile, keyFile] = ['export', 'heads', 'key'].map((name) => `${folder}/${name}`) as [
  string,
  string,
  string,
]
let root: RootId

const { database, superuser, use, defer } = await openDatabase()
const worker = use(connect({ url: database.urls.worker, name: 'test', connections: 4 }))
writeFileSync(keyFile, (await run('audit', 'public-key')).stdout)
defer(() => rmSync(folder, { recursive: true }))
beforeEach(async () => {
  root = randomUUID() as RootId
  await superuser.query(`insert into root (id, kind, name) values ($1, 'organization', 'r')`, [root])
  for (const name of readdirSync(folder).filter((other) => other.startsWith('heads')))
    rmSync(`${folder}/${name}`)
})

async function run(...args: string[]) {
  let stdout = ''
  const env = { WORKER_DATABASE_URL: database.urls.worker, AUDIT_SIGNING_KEY: signingKey }
  const admin = createAdminContext(
    env,
    () => {},
    (text) => {
      stdout += text
      return Promise.resolve()
    },
  )
  try {
    const output = await runCommand(admin, commands, args)
    return { code: 0, stdout: stdout + output, stderr: '' }
  } catch (error) {
    return { code: 1, stdout, stderr: explainFailure(error) }
  } finally {
    await admin.close()
  }
}

const entry = (over: Partial<AuditEntry> = {}): AuditEntry => ({
  action: 'role_changed',
  resourceId: 'x',
  organization: null,
  actor: { kind: 'operator', id: null },
  metadata: { z: 1, a: ['é', null, true], ünï: 'code "quoted"' },
  personal: { name: 'Ada Lovelace' },
  ...over,
})

async function write(rows: number, at = new Date(), over: Partial<AuditEntry> = {}): Promise<void> {
  const entries = Array.from({ length: rows }, () => entry(over))
  await inTransaction(worker, rootScope(root), (tx) => writeAuditEntries(tx, rootScope(root), entries, at))
}

const signAll = () => signHeads(worker, signer, headsFile, () => new Date())

const retain = (months: number | null) =>
  applyAuditRetention(worker, months, new Date(), (checkpoints) =>
    appendHeads(
      headsFile,
      checkpoints.map((checkpoint) => signer.sign(checkpoint, new Date())),
    ),
  )

async function exportRoot(...options: string[]): Promise<void> {
  const { code, stderr } = await run('audit', 'export', '--root', root, '--out', exported, ...options)
  assert.equal(code, 0, stderr)
}

const withHeads = () => ['--heads', headsFile, '--public-key', keyFile]
const verify = (...options: string[]) => run('audit', 'verify', exported, ...options)

async function assertValid(...options: string[]): Promise<string> {
  const { code, stdout, stderr } = await verify(...options)
  assert.equal(code, 0, stderr)
  return stdout
}

async function assertFault(pattern: RegExp, ...options: string[]): Promise<void> {
  const { code, stderr } = await verify(...options)
  assert.deepEqual([code, pattern.test(stderr)], [1, true], stderr)
}

test('an export is valid without and with its signed heads [P4-7]', async () => {
  await write(3)
  await signAll()
  await write(7)
  await exportRoot()
  assert.match(await assertValid(), /10 rows, the last is 10\. Only --heads/)
  assert.match(await assertValid(...withHeads()), /1 signed head matches/)
  await signAll()
  assert.match(await assertValid(...withHeads()), /2 signed heads match/)
  assert.equal(await signAll(), 0)
})

test('an export of a root without rows is valid', async () => {
  await exportRoot()
  assert.match(await assertValid(), /0 rows/)
})

test('an export to standard output is valid, including the lines npm prints before it', async () => {
  await write(2)
  const { stdout } = await run('audit', 'export', '--root', root)
  writeFileSync(exported, `\n> admin\n> node admin.ts audit export\n\n${stdout}`)
  assert.match(await assertValid(), /2 rows/)
})

test('an export larger than one read batch is complete and in order', async () => {
  for (let n = 0; n < 6; n++) await write(1000)
  await exportRoot()
  assert.match(await assertValid(), /6000 rows/)
})

for (const [what, tampering, fault] of [
  ['id', `update audit_log set id = gen_random_uuid() where position = 3`, /Row 3: its hash does not match/],
  [
    'time',
    `update audit_log set at = at + interval '1 microsecond' where position = 3`,
    /Row 3: its hash does not match/,
  ],
  [
    'metadata',
    `update audit_log set metadata = metadata || '{"z": 2}' where position = 3`,
    /Row 3: its hash does not match/,
  ],
  ['seal', `update audit_log set sealed = '{}' where position = 3`, /Row 3: its hash does not match/],
  ['hash', `update audit_log set hash = sha256(hash) where position = 3`, /Row 3: its hash does not match/],
  ['deletion', `delete from audit_log where position = 3`, /Row 3: it is missing; the next row is 4/],
  [
    'order',
    `update audit_log set position = position + 100 where position in (3, 4);
     update audit_log set position = 107 - position where position > 100`,
    /Row 3: its hash does not match/,
  ],
  [
    'insertion',
    `insert into audit_log select root_id, 3, gen_random_uuid(), organization_id, at + interval '1 hour', action,
       resource_type, resource_id, actor_kind, actor_id, metadata, sealed, digest, previous_hash, hash
     from audit_log where position = 3`,
    /Row 4: it is missing; row 3 is repeated instead/,
  ],
  ['first row', `delete from audit_log where position = 1`, /Row 1: it is missing; the next row is 2/],
  ['last row', `delete from audit_log where position = 5`, /Row 5: the chain must end with row 5/],
] as const) {
  test(`a tampered chain is not valid: ${what} [P4-7]`, async () => {
    await write(5)
    for (const text of tampering.split(';')) await superuser.query(`${text} and root_id = '${root}'`)
    await exportRoot()
    await assertFault(fault)
  })
}

test('only signed heads detect that the end of a chain and its head were removed', async () => {
  await write(10)
  await signAll()
  await superuser.query('delete from audit_log where root_id = $1 and position > 6', [root])
  await superuser.query(
    `update audit_head h set position = 6, hash = l.hash from audit_log l
     where h.root_id = $1 and l.root_id = $1 and l.position = 6`,
    [root],
  )
  await exportRoot()
  await assertValid()
  await assertFault(/Row 7: it is missing: row 10 was signed/, ...withHeads())
})

test('only signed heads detect that the whole chain was rewritten [P4-7]', async () => {
  await write(10)
  await signAll()
  await exportRoot()
  const lines = readFileSync(exported, 'utf8').trimEnd().split('\n')
  let previous: Buffer = Buffer.alloc(32)
  const rewritten = lines.slice(1, -1).map((line) => {
    const {
      position,
      hash: _,
      ...content
    } = JSON.parse(line) as Record<string, unknown> & { position: number }
    if (position === 4) content['action'] = 'role_created'
    previous = chainHash(previous, position, contentDigest(content))
    return JSON.stringify({ ...content, position, hash: previous.toString('hex') })
  })
  const end = JSON.stringify({ kind: 'end', head: { position: 10, hash: previous.toString('hex') } })
  writeFileSync(exported, `${[lines[0], ...rewritten, end].join('\n')}\n`)
  await assertValid()
  await assertFault(/Row 10: its hash differs from the one signed/, ...withHeads())
})

test('altered heads and heads signed with another key are rejected', async () => {
  await write(3)
  await signAll()
  await exportRoot()
  const honest = readFileSync(headsFile, 'utf8')
  const { publicKey } = generateKeyPairSync('ed25519')
  writeFileSync(`${folder}/other`, publicKey.export({ format: 'pem', type: 'spki' }).toString())
  await assertFault(/another key/, '--heads', headsFile, '--public-key', `${folder}/other`)
  const own = honest.split('\n').find((line) => line.includes(root)) ?? ''
  for (const altered of [own.replace('"position":3', '"position":2'), own.replace(/"at":"2/, '"at":"1')]) {
    writeFileSync(headsFile, `${altered}\n`)
    await assertFault(/signature in line 1 of heads is wrong/, ...withHeads())
  }
  writeFileSync(headsFile, 'x\n')
  await assertFault(/text in line 1 of heads is not a signed head/, ...withHeads())
  await assertFault(/are required together/, '--heads', headsFile)
})

test('an incomplete last line is left as it is, and the heads continue in another file', async () => {
  await write(2)
  await signAll()
  const half = '{"root":"half a li'
  appendFileSync(headsFile, half)
  const incomplete = readFileSync(headsFile, 'utf8')
  await write(2)
  await signAll()
  await write(2)
  await signAll()
  await exportRoot()
  assert.equal(readFileSync(headsFile, 'utf8'), incomplete)
  assert.match(await assertValid(...withHeads()), /3 signed heads match\. heads ends in an incomplete line/)
  appendFileSync(`${headsFile}.2`, half)
  await write(1)
  await signAll()
  await exportRoot()
  assert.match(await assertValid(...withHeads()), /4 signed heads.* heads\.2 ends in an incomplete line/)
  assert.match(
    await assertValid('--heads', `${headsFile},${headsFile}.2`, '--public-key', keyFile),
    /4 signed/,
  )
  rmSync(`${headsFile}.2`)
  await assertFault(/heads\.2 is missing, but .*heads\.3 continues it/, ...withHeads())
  await write(1)
  await assert.rejects(signAll(), /heads\.2 is missing/)
})

test('an incomplete line inside a file is a fault, and a head that lacks only its line break counts', async () => {
  await write(2)
  await signAll()
  const honest = readFileSync(headsFile, 'utf8')
  await exportRoot()
  for (const torn of [`{"root":"half a li\n${honest}`, `${honest.slice(0, -30)}\n${honest}`, `\n${honest}`]) {
    writeFileSync(headsFile, torn)
    await assertFault(/line \d+ of heads is not a signed head/, ...withHeads())
  }
  const own = honest.split('\n').find((line) => line.includes(root)) ?? ''
  writeFileSync(headsFile, own)
  assert.match(await assertValid(...withHeads()), /1 signed head matches\.$/)
  writeFileSync(headsFile, own.replace(/"position":\d+/, '"position":1'))
  await assertFault(/signature in line 1 of heads is wrong/, ...withHeads())
})

test('a file that does not hold signed heads is not changed', async () => {
  for (const notes of ['unrelated notes', 'unrelated notes\n']) {
    writeFileSync(headsFile, notes)
    await assert.rejects(appendHeads(headsFile, []), /not a file of signed heads/)
    assert.equal(readFileSync(headsFile, 'utf8'), notes)
  }
})

test('heads are signed on append-only storage, also after an interrupted write', async (t) => {
  await write(2)
  await signAll()
  setAppendOnly(headsFile, true)
  t.after(() => setAppendOnly(headsFile, false))
  assert.throws(() => truncateSync(headsFile), /EPERM/)
  await write(2)
  await signAll()
  appendFileSync(headsFile, '{"root":"half a li')
  await write(2)
  await signAll()
  await exportRoot()
  assert.match(await assertValid(...withHeads()), /3 signed heads match/)
})

test('clear values are verified against their digests; the chain stays valid after an erasure [P4-8]', async () => {
  const person = randomUUID() as PersonId
  await write(4, new Date(), { person, personal: { name: 'Ada', email: 'ada@example.com' } })
  await write(1)
  await exportRoot()
  assert.ok(!readFileSync(exported, 'utf8').includes('Ada'))
  await exportRoot('--clear')
  assert.match(await assertValid(), /9 clear values/)
  await superuser.query(
    `update audit_clear set clear = jsonb_set(clear, '{name,value}', '"Eve"') where root_id = $1 and position = 2`,
    [root],
  )
  await exportRoot('--clear')
  await assertFault(/Row 2: the clear value of name does not match its digest/)
  await superuser.query('delete from audit_clear where root_id = $1 and person_id = $2', [root, person])
  await exportRoot('--clear')
  assert.match(await assertValid(), /5 rows.* 1 clear value matches/)
})

test('a file that is not a complete export is rejected', async () => {
  await write(3)
  await exportRoot()
  const text = readFileSync(exported, 'utf8')
  const lines = text.trimEnd().split('\n')
  for (const [broken, fault] of [
    ['', /contains no export/],
    ['{}\n', /does not start/],
    [text.slice(0, -5), /middle of a line/],
    [`${lines.slice(0, -1).join('\n')}\n`, /Row 4: the export is truncated/],
    [`${text}${lines[1]}\n`, /continues after its end/],
    [`${lines[0]}\nnull\n`, /Row 1: its line is not a row of an export/],
    [`${lines[0]}\n{}\n`, /Row 1: its line is not a row of an export/],
    [
      text.replace('"after":{"position":0,"hash":"0', '"after":{"position":0,"hash":"1'),
      /hash that every chain starts with/,
    ],
  ] as const) {
    writeFileSync(exported, broken)
    await assertFault(fault)
  }
})

const monthsAgo = (months: number, day = 15) => {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, day, 12))
}

test('retention drops whole months; the rest of a chain continues from a signed checkpoint', async () => {
  for (const months of [3, 2]) {
    await superuser.query('select audit_log_create_month($1::date)', [
      monthsAgo(months).toISOString().slice(0, 10),
    ])
  }
  await write(5, monthsAgo(5))
  await write(4, monthsAgo(3))
  await write(3, monthsAgo(2))
  // A transaction that began in an earlier month and committed after a later row.
  await write(1, monthsAgo(3, 28))
  await write(2)
  await signAll()
  assert.equal(await retain(null), 0)
  const attested: AuditChainHead[] = []
  const note = (checkpoints: readonly AuditChainHead[]) => {
    attested.push(...checkpoints.filter((one) => one.root === root))
    return Promise.resolve()
  }
  assert.equal(await applyAuditRetention(worker, 2, new Date(), note), 1)
  assert.deepEqual(
    attested.map(({ kind, position }) => ({ kind, position })),
    [{ kind: 'checkpoint', position: 9 }],
  )
  const retained = await superuser.query<{ position: string }>(
    'select position from audit_log where root_id = $1 order by position',
    [root],
  )
  assert.deepEqual(
    retained.rows.map(({ position }) => Number(position)),
    [10, 11, 12, 13, 14, 15],
  )
  await exportRoot('--clear')
  assert.match(await assertValid(), /6 rows, the last is 15.* 6 clear values/)
  await assertFault(
    /Row 9: it and the rows before it are missing, and no signed checkpoint covers them/,
    ...withHeads(),
  )
  await appendHeads(
    headsFile,
    attested.map((checkpoint) => signer.sign(checkpoint, new Date())),
  )
  assert.match(await assertValid(...withHeads()), /2 signed heads match/)
  const { rows: counts } = await superuser.query<{ rows: number }>(
    `select sum(rows)::int as rows from audit_count where root_id = $1 group by day = '-infinity' order by 1`,
    [root],
  )
  assert.deepEqual(counts, [{ rows: 6 }, { rows: 6 }])
  const clear = await superuser.query('select from audit_clear where root_id = $1', [root])
  assert.equal(clear.rowCount, 6)
  assert.equal(await retain(2), 0)
  await retain(1)
  await write(1)
  await exportRoot()
  assert.match(await assertValid(...withHeads()), /3 rows, the last is 16/)
})

test('a chain whose rows were all dropped continues from its checkpoint', async () => {
  await write(3, monthsAgo(8))
  await retain(1)
  await inTransaction(worker, rootScope(root), (tx) =>
    writeAuditEntry(tx, rootScope(root), entry(), new Date()),
  )
  await signAll()
  await exportRoot()
  assert.match(await assertValid(...withHeads()), /1 row, the last is 4/)
})

test('the current month cannot be dropped', async () => {
  const now = new Date()
  const next = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)).toISOString()
  for (const day of [next.slice(0, 10), '2026-01-02']) {
    await assert.rejects(worker.query('select audit_log_drop_before($1::date)', [day]), /whole months/)
  }
})

test('audit status shows whether heads are signed', async () => {
  assert.match((await run('audit', 'status')).stdout, /Heads are signed every 300 seconds/)
  const admin = createAdminContext({}, () => {})
  assert.match(await runCommand(admin, commands, ['audit', 'status']), /No heads are signed/)
  await assert.rejects(runCommand(admin, commands, ['audit', 'public-key']), /no heads are signed/)
  await admin.close()
  const pem = generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()
  assert.equal(createSigner(pem).keyId, createSigner(pem.replaceAll('\n', '\\n')).keyId)
  for (const bad of ['x', randomBytes(31).toString('base64'), '-----BEGIN PRIVATE KEY-----'])
    assert.throws(() => createSigner(bad), /AUDIT_SIGNING_KEY must be/)
})
