import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { busUrl } from '../../test/bus.ts'
import { startTcpProxy } from '../../test/engines/tcp-proxy.ts'
import { createOwnNats, type OwnNats } from '../../test/proofs/own-engines.ts'
import { waitFor } from '../../test/wait.ts'
import { createLog } from '../observe/log.ts'
import { connectBus, describeOutdatedServer, parseBusAddress } from './connect.ts'

const log = createLog('test', 'silent')
const connect = (url: string, caFile: string | null = null) =>
  connectBus({ url, caFile, prefix: 'scholiast', name: 'test', log })
const parse = (url: string, caFile: string | null = null) =>
  parseBusAddress({ url, caFile, prefix: 'scholiast' })

let folder: string
let caFile: string
let secure: OwnNats

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'bus-'))
  caFile = join(folder, 'ca.pem')
  secure = await startSecure(createCertificate('ca', 'localhost'))
})
after(async () => {
  await secure.remove()
  rmSync(folder, { recursive: true })
})

interface Certificate {
  readonly certificate: string
  readonly key: string
}

function startSecure({ certificate, key }: Certificate): Promise<OwnNats> {
  return createOwnNats({
    settings: ({ port, folder: inside }) => `listen: "127.0.0.1:${port}"
jetstream { store_dir: "${inside}/store" }
tls { cert_file: "${inside}/certificate.pem", key_file: "${inside}/key.pem" }
authorization { user: someone, password: "p@ss/word" }
`,
    files: { 'certificate.pem': certificate, 'key.pem': key },
  })
}

/** A certificate that signs itself. */
function createCertificate(name: string, host: string): Certificate {
  const [certificate, key] = [join(folder, `${name}.pem`), join(folder, `${name}.key`)]
  const subject = ['-subj', `/CN=${host}`, '-addext', `subjectAltName=DNS:${host}`]
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  const files = ['-keyout', key, '-out', certificate]
  execFileSync('openssl', ['req', '-x509', ...kind, ...subject, ...files], { stdio: 'pipe' })
  return { certificate: readFileSync(certificate, 'utf8'), key: readFileSync(key, 'utf8') }
}

test('tls:// connects with a certificate that the CA file signs, and with the password of the URL', async () => {
  const bus = await connect(`tls://someone:p%40ss%2Fword@localhost:${secure.port}`, caFile)
  assert.equal(bus.connection.info?.tls_required, true)
  await bus.close()
})

test('tls:// refuses a certificate of an unknown signer, of another host, and a wrong password', async () => {
  const address = `localhost:${secure.port}`
  await assert.rejects(connect(`tls://someone:p%40ss%2Fword@${address}`), /self-signed certificate/)
  const elsewhere = createCertificate('elsewhere', 'elsewhere.example.com')
  const other = await startSecure(elsewhere)
  const otherUrl = `tls://someone:p%40ss%2Fword@localhost:${other.port}`
  await assert.rejects(connect(otherUrl, join(folder, 'elsewhere.pem')), /does not match certificate/)
  await other.remove()
  await assert.rejects(connect(`tls://someone:wrong@${address}`, caFile), /Authorization Violation/i)
})

test('tls:// refuses a server without TLS, as an attacker in between would show it', async () => {
  const plain = await startTcpProxy(busUrl)
  try {
    await assert.rejects(
      connect(`tls://localhost:${new URL(plain.url).port}`, caFile),
      /does not support 'tls'/,
    )
  } finally {
    await plain.disconnect()
  }
})

test('a server whose streams have not answered for 7 s is left for another one', async () => {
  const [one, other] = await Promise.all([startTcpProxy(busUrl), startTcpProxy(busUrl)])
  const bus = await connect(`${one.url},${other.url}`)
  try {
    const first = bus.connection.getServer()
    bus.noteAnswer(false)
    await sleep(5_000)
    bus.noteAnswer(true)
    bus.noteAnswer(false)
    await sleep(5_000)
    bus.noteAnswer(false)
    assert.equal(bus.connection.getServer(), first)
    await sleep(2_100)
    bus.noteAnswer(false)
    await waitFor('another server is connected', async () => {
      return bus.isConnected() && bus.connection.getServer() !== first
    })
  } finally {
    await bus.close()
    await Promise.all([one.disconnect(), other.disconnect()])
  }
})

test('settings that cannot work, or are less safe than they look, are refused before a connection', () => {
  for (const [url, expected] of [
    ['tls://a:4222,nats://b:4222', /mixes tls:\/\/ and nats:\/\//],
    ['http://a:4222', /nats:\/\/host:4222 or tls:\/\/host:4222/],
    ['a:4222', /nats:\/\/host:4222 or tls:\/\/host:4222/],
    ['nats://a:4222,', /nats:\/\/host:4222/],
    ['nats://x:1@a:4222,nats://y:2@b:4222', /different users or passwords/],
    ['nats://a:4222,nats://y:2@b:4222', /different users or passwords/],
    ['tls://127.0.0.1:4222', /not its address 127\.0\.0\.1/],
    ['tls://[::1]:4222', /not its address/],
  ] as const)
    assert.throws(() => parse(url), expected, url)
  assert.throws(() => parse('nats://a:4222', caFile), /NATS_CA_FILE is set/)
  assert.throws(() => parse('tls://a:4222', join(folder, 'missing.pem')), /ENOENT/)
})

test('a list of servers shares the user and password of the first', () => {
  const expected = { servers: ['a:4222', 'b:4223'], user: 'x', pass: 'y z' }
  assert.deepEqual(parse('nats://x:y%20z@a:4222, nats://b:4223'), expected)
  assert.deepEqual(parse('nats://x:y%20z@a:4222,nats://x:y%20z@b:4223'), expected)
  assert.deepEqual(parse('tls://a:4222,tls://b:4223'), { servers: ['a:4222', 'b:4223'], tls: {} })
})

test('a server that can lose acknowledged messages is refused', () => {
  for (const version of ['2.12.3', '2.12.10', '2.15.1', '2.13.0-beta.2', '3.0.0'])
    assert.equal(describeOutdatedServer(version), null, version)
  for (const version of ['2.12.2', '2.11.9', '1.99.99', 'dev', undefined])
    assert.match(describeOutdatedServer(version) ?? '', /at least 2\.12\.3 is required.*Upgrade/, version)
})
