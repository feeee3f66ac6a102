import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { DAY_MS } from '../time.ts'
import { createMetrics, observeCaFile } from './metrics.ts'

const folder = mkdtempSync(join(tmpdir(), 'scholiast-metrics-'))

function createCertificate(days: number): string {
  const file = join(folder, `${days}.pem`)
  const options = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=test', '-days', String(days)]
  execFileSync('openssl', ['req', ...options, '-keyout', join(folder, 'key'), '-out', file], {
    stdio: 'ignore',
  })
  return readFileSync(file, 'utf8')
}

async function readEnds(file: string): Promise<readonly number[]> {
  const metrics = createMetrics()
  observeCaFile(metrics, file)
  const { values } = await metrics.certificateEnd.get()
  return values.map(({ value }) => value)
}

test('of the certificates of a file, the first end is shown; of a file without certificates, nothing', async (context) => {
  context.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'ca.pem')
  writeFileSync(file, `${createCertificate(100)}# A comment\n${createCertificate(2)}`)
  const [end = 0, ...others] = await readEnds(file)
  assert.deepEqual(others, [])
  const days = (end * 1000 - Date.now()) / DAY_MS
  assert.ok(days > 1 && days < 3, String(days))
  writeFileSync(file, 'no certificate')
  assert.deepEqual(await readEnds(file), [])
  assert.deepEqual(await readEnds(join(folder, 'missing.pem')), [])
})
