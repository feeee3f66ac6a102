import assert from 'node:assert/strict'
import { parseTable } from './csv.ts'
import type { Reply } from './http.ts'
import type { Rule } from './rule.ts'
import {
  assertRefused,
  isAllowed,
  lastYear,
  learningsPath,
  NotApplicableError,
  readPage,
  requireList,
  requireLists,
  reviewCommentsPath,
  rowsOf,
  type Service,
} from './service.ts'

const asLines = { accept: 'application/x-ndjson' }
const runBySpreadsheets = /^[=+\-@\t\r\n＝＋－＠]/u
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const severities = new Set(['critical', 'major', 'minor', 'trivial', 'info', null])
const categories = new Set([
  'data_integrity_and_integration',
  'functional_correctness',
  'maintainability_and_code_quality',
  'performance_and_scalability',
  'security_and_privacy',
  'stability_and_availability',
  null,
])

interface Entry {
  readonly merged_at: string | null
  readonly coderabbit_comments: readonly {
    readonly severity: string | null
    readonly category: string | null
    readonly accepted: boolean | null
  }[]
}

export const formatRules: readonly Rule[] = [
  {
    id: 'entry-shape',
    title:
      'an entry of review-comments has exactly the fields and values of the contract, and no comment text',
    contract: ['S-entry-2', 'S-entry-7', 'S-comment-2', 'S-comment-3', 'S-what-5'],
    async check(service) {
      for (const entry of await readEntries(service, 200)) {
        assert.deepEqual(Object.keys(entry).sort(), [
          'author_id',
          'coderabbit_comments',
          'merged_at',
          'organization_id',
          'pr_url',
          'repository_id',
        ])
        assert.ok(entry.coderabbit_comments.length > 0, 'an entry without a comment')
        for (const comment of entry.coderabbit_comments) {
          assert.deepEqual(Object.keys(comment).sort(), ['accepted', 'category', 'severity', 'url'])
          assert.ok(severities.has(comment.severity), `severity ${comment.severity}`)
          assert.ok(categories.has(comment.category), `category ${comment.category}`)
          assert.ok([true, false, null].includes(comment.accepted), `accepted ${comment.accepted}`)
        }
      }
    },
  },
  {
    id: 'window-inclusive',
    title: 'the window selects by day of the merge, both days included',
    contract: ['S-rc-1', 'P1-shape-10'],
    async check(service) {
      const days = (await readEntries(service, 200)).map(({ merged_at }) => merged_at?.slice(0, 10))
      const day = days.find((one) => one !== undefined)
      if (day === undefined) throw new NotApplicableError('no pull request was merged in the last year')
      const path = `${reviewCommentsPath}?start_date=${day}&end_date=${day}`
      const found = (await readPage(service, path))['data'] as Entry[]
      assert.ok(found.length > 0, `nothing was merged on ${day} according to the window of that day`)
      for (const { merged_at } of found)
        if (merged_at !== null) assert.equal(merged_at.slice(0, 10), day, 'an entry outside of its window')
    },
  },
  {
    id: 'ndjson-lines',
    title: 'with Accept application/x-ndjson each entry is a line, and the last line is next_cursor',
    contract: ['P5-ndjson-1'],
    async check(service) {
      const list = requireList(service, reviewCommentsPath)
      const path = `${list.query}limit=3`
      const reply = await service.call(path, { headers: asLines })
      assert.equal(reply.status, 200, reply.text.slice(0, 300))
      assert.match(reply.headers.get('content-type') ?? '', /^application\/x-ndjson\b/)
      assert.ok(reply.text.endsWith('\n'), 'the last line has no end')
      const lines = reply.text.slice(0, -1).split('\n')
      const values = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
      const last = values.pop() ?? {}
      assert.deepEqual(Object.keys(last), ['next_cursor'], 'the last line')
      const page = await readPage(service, path)
      assert.deepEqual(values, page['data'])
      assert.equal(last['next_cursor'] === null, page.next_cursor === null, 'next_cursor')
    },
  },
  {
    id: 'ndjson-refused-in-json',
    title: 'a request for NDJSON is refused in JSON, with the same codes',
    contract: ['P5-ndjson-1'],
    async check(service) {
      const { query } = requireList(service, reviewCommentsPath)
      for (const [suffix, code] of [
        ['format=json', 'INVALID_REQUEST'],
        ['limit=0', 'INVALID_REQUEST'],
        ['limit=100001', 'INVALID_REQUEST'],
        ['cursor=x', 'INVALID_CURSOR'],
      ] as const)
        assertRefused(query, await service.call(query + suffix, { headers: asLines }), 400, code, suffix)
      const unauthorized = await service.call(query, { headers: asLines, key: null })
      assertRefused(query, unauthorized, 401, 'UNAUTHORIZED')
    },
  },
  {
    id: 'csv-formula-guard',
    title: 'no cell of a CSV begins with a character that makes a spreadsheet run it',
    contract: ['P7-get-10'],
    async check(service) {
      for (const { path, reply } of await readTables(service))
        for (const [index, cells] of parseTable(reply.text).entries())
          for (const cell of cells)
            assert.ok(!runBySpreadsheets.test(cell), `${path} line ${index + 1}: ${cell.slice(0, 40)}`)
    },
  },
  {
    id: 'csv-rows',
    title: 'a CSV has one line for each row of the JSON page and a file name',
    contract: ['P11-csv-1', 'P5-reviews-6', 'P7-get-7'],
    async check(service) {
      for (const { path, reply } of await readTables(service)) {
        assert.match(reply.headers.get('content-type') ?? '', /^text\/csv/, path)
        assert.match(
          reply.headers.get('content-disposition') ?? '',
          /^attachment; filename="[\w-]+\.csv"$/,
          path,
        )
        const page = await readPage(service, path.replace('format=csv', 'format=json'))
        const [header = [], ...lines] = parseTable(reply.text)
        assert.equal(lines.length, rowsOf(page, { rows: 'data' }).length, `${path}: lines and rows`)
        for (const cells of lines) assert.equal(cells.length, header.length, `${path}: cells of a line`)
        const next = reply.headers.get('x-next-cursor')
        assert.equal(next === null, page.next_cursor === null, `${path}: x-next-cursor`)
      }
    },
  },
  {
    id: 'head-like-get',
    title: 'HEAD is answered and checked like GET, without a body',
    contract: ['P11-head-1'],
    async check(service) {
      const [list] = requireLists(service)
      const query = list?.query ?? ''
      const paths = [query, `${query}unknown=1`, '/v1/nothing', '/openapi.json']
      for (const path of paths) {
        const [whole, head] = [await service.call(path), await service.call(path, { method: 'HEAD' })]
        assert.equal(head.status, whole.status, `HEAD ${path}`)
        assert.equal(head.text, '', `HEAD ${path} has a body`)
        assert.equal(head.headers.get('content-type'), whole.headers.get('content-type'), `HEAD ${path}`)
      }
      assert.equal((await service.call(query, { method: 'HEAD', key: null })).status, 401)
    },
  },
  {
    id: 'gzip-same',
    title: 'a response is compressed if the caller accepts gzip, and is the same inflated',
    contract: ['P11-gzip-1'],
    async check(service) {
      const [plain, gzip] = await Promise.all(
        ['identity', 'gzip'].map((encoding) =>
          service.call('/openapi.json', { headers: { 'accept-encoding': encoding } }),
        ),
      )
      assert.equal(plain?.headers.get('content-encoding') ?? null, null, 'compressed although not accepted')
      assert.equal(gzip?.headers.get('content-encoding'), 'gzip')
      assert.equal(gzip?.text, plain?.text)
      for (const reply of [plain, gzip]) assert.match(reply?.headers.get('vary') ?? '', /accept-encoding/i)
    },
  },
  {
    id: 'time-format',
    title: 'every time of a response is YYYY-MM-DDTHH:MM:SS.sssZ',
    contract: ['P1-times-1'],
    async check(service) {
      const queries = [...requireLists(service).map(({ query }) => `${query}limit=20`), '/v1/keys/self']
      if (isAllowed(service, 'GET', '/v1/audit-logs')) queries.push('/v1/audit-logs')
      for (const path of queries)
        for (const value of allTexts(await readPage(service, path)))
          if (/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/.test(value)) assert.match(value, time, path)
    },
  },
  {
    id: 'rate-limit-headers',
    title: 'RateLimit-Policy and RateLimit are on limited endpoints and agree',
    contract: ['P1-limit-6'],
    async check(service) {
      const [list] = requireLists(service)
      const { headers } = await service.call(`${list?.query}limit=1`)
      const policy = headers.get('ratelimit-policy')
      if (policy === null) throw new NotApplicableError('the operator has switched this limit off')
      const [, name, quota, seconds] = /^"([\w-]+)";q=(\d+);w=(\d+)$/.exec(policy) ?? []
      assert.ok(name !== undefined && Number(quota) > 0 && Number(seconds) > 0, `RateLimit-Policy ${policy}`)
      const limit = headers.get('ratelimit') ?? ''
      const [, same, remaining, reset] = /^"([\w-]+)";r=(\d+);t=(\d+)$/.exec(limit) ?? []
      assert.equal(same, name, `RateLimit ${limit}`)
      assert.ok(Number(remaining) < Number(quota), `RateLimit ${limit} of ${policy}`)
      assert.ok(Number(reset) >= 1 && Number(reset) <= Number(seconds), `RateLimit ${limit} of ${policy}`)
    },
  },
  {
    id: 'interface-version',
    title: 'the interface document is served and has version 1.0.0',
    contract: ['P1-header-3', 'S-version-2'],
    async check(service) {
      const { status, body } = await service.call('/openapi.json', { key: null })
      assert.equal(status, 200)
      assert.equal((body as { info: { version: string } }).info.version, '1.0.0')
    },
  },
]

async function readEntries(service: Service, limit: number): Promise<Entry[]> {
  const list = requireList(service, reviewCommentsPath)
  const entries = rowsOf(await readPage(service, `${list.query}limit=${limit}`), list) as Entry[]
  if (entries.length === 0) throw new NotApplicableError('no pull request was merged in the last year')
  return entries
}

/** The CSV of each endpoint that has pages of it. */
async function readTables(service: Service): Promise<{ path: string; reply: Reply }[]> {
  const tables = [
    ['/v1/metrics/reviews', `?${lastYear().query}&format=csv&limit=50`],
    [learningsPath, '?format=csv&limit=50'],
  ].filter(([path = '']) => isAllowed(service, 'GET', path))
  if (tables.length === 0) throw new NotApplicableError('the key may read no list that has CSV pages')
  const found: { path: string; reply: Reply }[] = []
  for (const parts of tables) {
    const path = parts.join('')
    const reply = await service.call(path)
    assert.equal(reply.status, 200, `${path} ${reply.text.slice(0, 300)}`)
    found.push({ path, reply })
  }
  return found
}

function allTexts(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(allTexts) : []
}
