import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { demo, folder, runCli, runJson } from './run-cli.ts'

const env = { SCHOLIAST_INGEST_KEY: demo.keys['ingest'] ?? '' }
const [organization] = demo.organizations
const [repository] = organization?.repositories ?? []
const org = organization?.org_id ?? ''

function createEvent(id: string): object {
  return {
    id: `${id}-${process.pid}`,
    type: 'pull_request.finalized',
    version: 1,
    occurred_at: new Date().toISOString(),
    payload: {
      organization: { provider: 'github', id: org },
      repository: { id: repository?.repository_id },
      number: 900_000 + process.pid,
      url: `https://github.com/example/example/pull/${900_000 + process.pid}`,
      status: 'merged',
      merged_at: new Date().toISOString(),
      findings: [],
    },
  }
}

test('events are sent from an array, from lines and from a pipe; rejected ones are listed', () => {
  const file = join(folder, 'events.json')
  writeFileSync(file, JSON.stringify([createEvent('one'), createEvent('two')]))
  const array = runCli(['events', 'send', file], { env })
  assert.equal(array.code, 0, array.stderr)
  assert.equal(array.stdout, '2 accepted, 0 rejected.\n')
  const input = `${JSON.stringify(createEvent('three'))}\n${JSON.stringify({ id: 'wrong', type: 'nonsense' })}\n`
  const lines = runCli(['events', 'send'], { env, input })
  assert.equal(lines.code, 8)
  assert.match(
    lines.stdout,
    /^1 accepted, 1 rejected\.\nEVENT +ID +CODE +REASON\n +1 +wrong +INVALID_REQUEST /,
  )
  const json = runCli(['events', 'send', '-', '--json'], { env, input })
  assert.equal(json.code, 8)
  const result = JSON.parse(json.stdout) as { rejected: { index: number; id: string }[] }
  assert.deepEqual(
    result.rejected.map(({ index, id }) => [index, id]),
    [[1, 'wrong']],
  )
})

test('broken input and a missing credential are refused before anything is sent', () => {
  const broken = runCli(['events', 'send'], { env, input: '{"id":\nx\n' })
  assert.equal(broken.code, 2)
  assert.match(broken.stderr, /Line 1 of stdin is not JSON\./)
  assert.equal(runCli(['events', 'send', 'missing.jsonl'], { env }).code, 2)
  const unknown = runCli(['events', 'status'])
  assert.equal(unknown.code, 3)
  assert.match(unknown.stderr, /No ingest credential is set.*\nnext: .*SCHOLIAST_INGEST_KEY/)
})

test('the status of events is shown', () => {
  assert.match(runCli(['events', 'status'], { env }).stdout, /^Last event +2\d{3}-/)
})

test('a SARIF file is uploaded, listed and exported', async () => {
  const title = `Finding of the command line ${process.pid}`
  const sarif = {
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: `Scanner ${process.pid}` } },
        results: [
          {
            ruleId: 'test',
            level: 'error',
            message: { text: title },
            locations: [
              { physicalLocation: { artifactLocation: { uri: 'src/a.ts' }, region: { startLine: 7 } } },
            ],
          },
        ],
      },
    ],
  }
  const file = join(folder, 'results.sarif')
  writeFileSync(file, JSON.stringify(sarif))
  const words = ['security', 'upload', file, '--repo', repository?.repository_id ?? '']
  assert.equal(runCli(words, { env }).code, 2, '--org is required')
  const scans = runJson<{ findings: number; scan_id: string }[]>([...words, '--org', org], { env })
  assert.deepEqual(
    scans.map(({ findings }) => findings),
    [1],
  )
  const scan = scans[0]?.scan_id ?? ''
  const list = () => runJson<{ file_path: string }[]>(['security', 'list', '--scan', scan])
  for (let attempt = 0; attempt < 60 && list().length === 0; attempt++) await sleep(500)
  assert.deepEqual(
    list().map((finding) => finding.file_path),
    ['src/a.ts'],
  )
  const csv = runCli(['security', 'export', '--as', 'csv', '--scan', scan])
  assert.match(csv.stdout, /^id,scan_id,.*\r?\n.*src\/a\.ts/)
  const out = join(folder, 'export.sarif')
  assert.equal(runCli(['security', 'export', '--scan', scan, '--out', out]).code, 0)
  assert.match(runCli(['security', 'list', '--state', 'all', '--limit', '1']).stderr, /more than 1\./)
})
