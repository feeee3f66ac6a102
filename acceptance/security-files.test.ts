import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseTable } from '../cli/src/conformance/csv.ts'
import { assertError } from '../cli/src/conformance/http.ts'
import { createEvent, eventually, ownOrganization, send } from './metrics-data.ts'
import {
  askFindings,
  downloadSarif,
  findingFields,
  found,
  ownRepository,
  readFindings,
  type SecurityFinding,
  scanOf,
  storeScan,
} from './security-data.ts'
import { at, call, demo, home } from './service.ts'

const cellsOf = (finding: SecurityFinding) => findingFields.map((field) => String(finding[field] ?? ''))

test('CSV has the fields of the record as its header and all findings, equal to the JSON [S-what-1 S-named-9 P6-3]', async () => {
  const repository = ownRepository()
  const findings = [
    found({ title: 'With a comma, a "quote"', description: 'and\na second line' }),
    found({ title: 'Straße, 日本語, 😀', cwe: null, start_line: null, end_line: null }),
    ...Array.from({ length: 118 }, (_, n) => found({ title: `${n}`, start_line: n + 20, end_line: n + 20 })),
  ]
  await storeScan(scanOf(repository, findings), 120)
  const reply = await askFindings(`repo_id=${repository}&format=csv`)
  assert.equal(reply.status, 200, reply.text)
  assert.equal(reply.headers.get('content-type'), 'text/csv; charset=utf-8')
  assert.equal(reply.headers.get('content-disposition'), 'attachment; filename="security-findings.csv"')
  assert.equal(reply.headers.get('x-next-cursor'), null)
  const [header, ...lines] = parseTable(reply.text)
  assert.deepEqual(header, findingFields)
  const { data } = await readFindings(`repo_id=${repository}&limit=1000`)
  assert.deepEqual(lines, data.map(cellsOf))
  assert.equal(lines.length, 120)
})

test('a CSV cell of a finding that a spreadsheet would run gets a leading quote [P7-get-10]', async () => {
  const repository = ownRepository()
  const dangerous = ['=1+1', '+1', '-1', '@x', '＝1', '＋1', '－1', '＠x']
  const findings = dangerous.map((title, n) =>
    found({ title, file_path: `${title}.ts`, start_line: n + 1, end_line: 99 }),
  )
  await storeScan(scanOf(repository, findings), dangerous.length)
  const { text } = await askFindings(`repo_id=${repository}&format=csv`)
  const [, ...lines] = parseTable(text)
  const column = (name: (typeof findingFields)[number]) =>
    lines.map((cells) => cells[findingFields.indexOf(name)])
  assert.deepEqual(new Set(column('title')), new Set(dangerous.map((title) => `'${title}`)))
  assert.deepEqual(new Set(column('file_path')), new Set(dangerous.map((title) => `'${title}.ts`)))
})

test('SARIF 2.1.0 has a run for each tool, with its rules, levels, places and states, in plain text [S-named-9 P6-5]', async () => {
  const repository = ownRepository()
  const goes = found({ title: 'goes', severity: 'low', rule_id: 'other-rule' })
  const left = found({
    title: 'left',
    severity: 'medium',
    rule_id: 'sql-injection',
    file_path: 'src/left.ts',
  })
  const open = found({
    rule_id: 'sql-injection',
    title: 'open',
    description: 'See [here](https://example.com).',
    file_path: 'src/a b/ü#1.ts',
  })
  await storeScan(scanOf(repository, [open, goes, left]), 3)
  await storeScan(scanOf(repository, [open, left]), 2)
  await storeScan(
    scanOf(repository, [found({ severity: 'info', title: 'of the second' })], { tool: 'Second' }),
    3,
  )
  const { data } = await readFindings(`repo_id=${repository}`)
  const finding_id = data.find(({ title }) => title === 'left')?.id
  const payload = { organization: ownOrganization, finding_id, reason: 'false_positive' }
  await send([createEvent('security_finding.dismissed', new Date().toISOString(), payload)])
  await eventually(
    'it is dismissed',
    async () => (await readFindings(`repo_id=${repository}`)).data.length === 2,
  )

  const log = await downloadSarif(`repo_id=${repository}&state=all`)
  assert.equal(log.version, '2.1.0')
  assert.deepEqual(log.runs.map(({ tool }) => tool.driver.name).sort(), ['Second', 'Warden'])
  const { results, tool } = log.runs.find((run) => run.tool.driver.name === 'Warden') ?? assert.fail()
  assert.deepEqual(
    tool.driver.rules.map(({ id, properties }) => [id, properties['security-severity']]),
    [
      ['other-rule', '2.0'],
      ['sql-injection', '8.0'],
    ],
  )
  const told = new Map(results.map((result) => [result.correlationGuid, result]))
  const ids = new Map(
    (await readFindings(`repo_id=${repository}&state=all`)).data.map((one) => [one.title, one.id]),
  )
  const resultOf = (title: string) => told.get(String(ids.get(title))) ?? assert.fail(title)
  const first = resultOf('open')
  assert.deepEqual([first.level, first.suppressions, first.baselineState], ['error', [], undefined])
  assert.equal(at(first.locations, 0).physicalLocation.artifactLocation.uri, 'src/a%20b/%C3%BC%231.ts')
  assert.equal(first.message.text, 'See [here] (https://example.com).')
  assert.deepEqual([resultOf('goes').level, resultOf('goes').baselineState], ['note', 'absent'])
  assert.deepEqual(
    [resultOf('left').level, at(resultOf('left').suppressions, 0).justification],
    ['warning', 'false_positive'],
  )
  const openOnly = await downloadSarif(`repo_id=${repository}`)
  assert.equal(openOnly.runs.flatMap((run) => run.results).length, 2)
})

test('partialFingerprints of the SARIF survive moved lines [P6-5]', async () => {
  const repository = ownRepository()
  const snippet = 'const rows = await db.query(`select * from orders where id = ${request.query.id}`)'
  const finding = { ...found({ snippet }), fingerprint: null }
  const printOf = async () => {
    const { runs } = await downloadSarif(`repo_id=${repository}`)
    const { partialFingerprints, correlationGuid, locations } = at(at(runs, 0).results, 0)
    return {
      print: JSON.stringify(partialFingerprints),
      correlationGuid,
      line: at(locations, 0).physicalLocation.region.startLine,
    }
  }
  await storeScan(scanOf(repository, [finding]), 1)
  const before = await printOf()
  const moved = scanOf(repository, [{ ...finding, start_line: 480, end_line: 482 }])
  await send([moved])
  await eventually('the move is stored', async () => (await printOf()).line === 480)
  const after = await printOf()
  assert.deepEqual([after.print, after.correlationGuid], [before.print, before.correlationGuid])
  assert.match(before.print, /^\{"[^"]{1,100}":"[^"]{1,300}"\}$/)
})

test('a file is whole: limit is 400 INVALID_REQUEST with it, and cursor 400 INVALID_CURSOR [P6-2 P6-3]', async () => {
  for (const format of ['csv', 'sarif']) {
    assertError(await askFindings(`format=${format}&limit=10`), 400, 'INVALID_REQUEST', format)
    assertError(await askFindings(`format=${format}&cursor=x`), 400, 'INVALID_CURSOR', format)
  }
})

test('a file of more than 16 MiB is 413 RESPONSE_TOO_LARGE as CSV and as SARIF, and its parts are not [P6-3]', async () => {
  const repository = ownRepository()
  // The longest description there is, in the widest characters.
  const description = '𝔏'.repeat(2000)
  const events = Array.from({ length: 44 }, (_, part) =>
    scanOf(
      repository,
      Array.from({ length: 50 }, (__, n) =>
        found({
          description,
          start_line: part * 50 + n + 1,
          end_line: 9999,
          severity: part === 0 ? 'info' : 'low',
        }),
      ),
      { complete: false, scan_id: `${repository}-${part === 0 ? 'first' : 'rest'}` },
    ),
  )
  for (let from = 0; from < events.length; from += 8) await send(events.slice(from, from + 8))
  // Counts, because reading the findings again and again would take longer than storing them.
  await eventually('all is stored', async () => {
    const query = `repo_id=${repository}&group_by=severity`
    const { body } = await call(`/v1/security/summary?${query}`, { key: demo.keys.workspace })
    const counts = (body as { data: { findings: number }[] }).data.map(({ findings }) => findings)
    return counts.toSorted((a, b) => a - b).join() === '50,2150'
  })
  for (const format of ['csv', 'sarif']) {
    const large = await askFindings(`repo_id=${repository}&format=${format}`)
    assertError(large, 413, 'RESPONSE_TOO_LARGE', format)
    const part = await askFindings(`repo_id=${repository}&scan_id=${repository}-first&format=${format}`)
    assert.equal(part.status, 200, format)
  }
})

test('a SARIF file that was exported, imported and exported again is the same file [P6-5]', async () => {
  const [repository, other] = [ownRepository(), ownRepository()]
  const findings = [
    found({ title: 'a', severity: 'critical', cwe: null }),
    found({ title: 'b', description: 'With "quotes", [links](https://example.com) and {0}.\nTwo lines.' }),
    found({ title: 'c', rule_id: 'xss', file_path: 'src/a b/ü.ts', start_line: null, end_line: null }),
    { rule_id: 'bare', severity: 'info', title: 'd', file_path: 'x.ts' },
  ]
  await storeScan(scanOf(repository, findings), 4)
  const fileOf = async (of: string) => (await askFindings(`repo_id=${of}&state=all&format=sarif`)).text
  const upload = async (to: string, body: string, scan: string) => {
    const query = new URLSearchParams({
      provider: 'github',
      org_id: home.org_id,
      repo_id: to,
      repository_name: 'booking-api',
      scan_id: scan,
    })
    const headers = { 'content-type': 'application/sarif+json' }
    const reply = await call(`/ingest/v1/sarif?${query.toString()}`, {
      key: demo.keys.ingest,
      method: 'POST',
      headers,
      body,
    })
    assert.equal(reply.status, 202, reply.text)
    await eventually(
      'the file is stored',
      async () => (await readFindings(`repo_id=${to}&scan_id=${scan}`)).data.length === 4,
    )
  }
  const first = await fileOf(repository)
  await upload(repository, first, `${repository}-again`)
  assert.equal(await fileOf(repository), first, 'into its own repository')
  // In another repository everything but what names the repository is the same.
  await upload(other, first, `${other}-1`)
  const second = await fileOf(other)
  const unnamed = (text: string, of: string) =>
    text.replaceAll(of, 'repository').replaceAll(/"correlationGuid":"[0-9a-f-]{36}"/g, '')
  assert.equal(unnamed(second, other), unnamed(first, repository))
  await upload(other, second, `${other}-2`)
  assert.equal(await fileOf(other), second)
})
