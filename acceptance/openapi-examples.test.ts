import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { Reply } from '../cli/src/conformance/http.ts'
import { eventually } from './metrics-data.ts'
import { at, call, demo, home, type KeyName } from './service.ts'

type Media = { schema: object; example: unknown }
type Parameter = { name: string; in: string; example?: unknown }
type Operation = {
  operationId: string
  method: string
  path: string
  parameters: Parameter[]
  requestBody?: { content: Record<string, Media> }
  responses: Record<string, { content?: Record<string, Media> }>
  security?: Record<string, unknown>[]
}
type Event = { id: string; type: string; payload: Record<string, unknown> }
type Schemas = Record<string, { examples?: Event[] }>
type Document = { paths: Record<string, Record<string, Operation>>; components: { schemas: Schemas } }

const today = new Date().toISOString().slice(0, 10)
const monthAgo = new Date(Date.now() - 30 * 86_400_000).toISOString().slice(0, 10)

/** The demo's history ends today, whenever that is. */
const days: Record<string, string> = { start_date: monthAgo, end_date: today, date_from: monthAgo }

/** What one row shows depends on the day of the demo, and which positions have a signed head on when the worker signed. */
const replaced: Record<string, Record<string, string>> = {
  listFindings: { limit: '100' },
  readAuditChain: { after: '0', limit: '10000' },
}

/** Ids that the service makes. Each is that of the newest object that an example has created. */
const ids: Record<string, string> = { organization_id: home.id }
const made: Record<string, (body: never) => [string, string]> = {
  offboardPerson: ({ person }: { person: { cr_user_id: string } }) => ['cr_user_id', person.cr_user_id],
  createRole: ({ id }: { id: string }) => ['role_id', id],
  createConnector: ({ id }: { id: string }) => ['connector_id', id],
  createKey: ({ id }: { id: string }) => ['key_id', id],
  rotateKey: ({ id }: { id: string }) => ['key_id', id],
  listFindings: ({ data }: { data: { id: string }[] }) => ['id', at(data, 0).id],
  createLearnings: ({ results }: { results: { id: string }[] }) => ['learning_id', at(results, 0).id],
}

/** Keys of the tenant root that the examples are about, unless the endpoint is for self-hosted instances. */
const keys: Record<string, KeyName> = { setSeatAssignmentMode: 'instance' }

/** The account that the example assigns a seat to. */
const seated = '66592086'

let document: Document
let operations: Operation[]
const ajv = new Ajv2020({ strict: false, validateFormats: false })
const validators = new Map<object, ValidateFunction>()

before(async () => {
  document = (await call('/openapi.json')).body as Document
  const described = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      path,
    })),
  )
  // What is named by an id is created before and deleted last. The demo has no connector to list before one is created.
  const rank = ({ method, path, operationId }: Operation) =>
    path.includes('{') || operationId === 'listConnectors' ? (method === 'DELETE' ? 2 : 1) : 0
  // Those of sessions have no key to be sent with; sign-in.test.ts sends them.
  const forKeys = described.filter(({ security }) => !security?.some((way) => 'session' in way))
  operations = forKeys.toSorted((a, b) => rank(a) - rank(b))
  await eventually('the worker has signed the chain', async () => {
    const chain = await call('/v1/audit-logs/chain?limit=10000', { key: demo.keys.user })
    return (chain.body as { heads: unknown[] }).heads.length > 0
  })
})

after(async () => {
  const body = JSON.stringify({ action: 'unassign', user_ids: [seated] })
  const headers = { 'content-type': 'application/json' }
  await call('/v1/users/seats', { method: 'POST', key: demo.keys.user, headers, body })
  // The example limits a repository to its own Learnings, which other files read.
  const settings = { knowledge_base: { learnings: { scope: null } } }
  const restored = JSON.stringify({ repository_id: '620118401', settings })
  const reply = await call('/v1/settings', { method: 'PATCH', key: demo.keys.user, headers, body: restored })
  assert.equal(reply.status, 200, reply.text)
})

test('every request example is accepted, and the response has the documented shape and the fields of its example [B-2a]', async () => {
  for (const operation of operations) {
    const { operationId, responses } = operation
    const reply = await sendExample(operation)
    const [status, { content } = {}] = Object.entries(responses).find(([code]) => code < '400') ?? []
    assert.equal(String(reply.status), status, `${operationId}: ${reply.text.slice(0, 500)}`)
    const media = content?.['application/json']
    if (media === undefined) {
      assert.equal(reply.text, '', operationId)
      continue
    }
    assertValid(media.schema, reply.body, operationId)
    assertShows(media.example, reply.body, operationId)
    const newest = made[operationId]?.(reply.body as never)
    if (newest !== undefined) ids[newest[0]] = newest[1]
  }
})

test('CSV, NDJSON and SARIF are returned as their examples show them [B-2a]', async () => {
  let compared = 0
  for (const operation of operations) {
    const { operationId, responses } = operation
    const { 'application/json': page, ...others } = responses['200']?.content ?? {}
    for (const [type, media] of Object.entries(others)) {
      const format = { 'text/csv': 'csv', 'application/sarif+json': 'sarif' }[type]
      const reply = await sendExample(operation, format === undefined ? { accept: type } : {}, format)
      const about = `${operationId} ${type}`
      assert.equal(reply.status, 200, `${about}: ${reply.text.slice(0, 500)}`)
      assert.ok(reply.headers.get('content-type')?.startsWith(type), about)
      if (type === 'text/csv') assert.equal(firstLine(reply.text), firstLine(String(media.example)), about)
      else if (type === 'application/sarif+json') assertShows(media.example, JSON.parse(reply.text), about)
      else assertLines(reply.text, String(media.example), page ?? assert.fail(about), about)
      compared += 1
    }
  }
  assert.ok(compared >= 5)
})

test('every event example is accepted without a warning [P11-warnings-1 B-2a]', async () => {
  const events = Object.values(document.components.schemas).flatMap(({ examples = [] }) => examples)
  assert.ok(events.length >= 10)
  const isLast = ({ type }: Event) => type === 'security_finding.dismissed' || type === 'learning.used'
  await assertAccepted(events.filter((event) => !isLast(event)))
  // These two name objects that the service has made: a finding of the example's scan, and a Learning.
  const scan = at(
    events.filter(({ type }) => type === 'security_scan.completed'),
    0,
  ).payload['scan_id']
  let finding: string | undefined
  await eventually('the finding of the scan is listed', async () => {
    const found = await call(`/v1/security/scans/code?scan_id=${String(scan)}&state=all`, {
      key: demo.keys.user,
    })
    finding = (found.body as { data: { id: string }[] }).data[0]?.id
    return finding !== undefined
  })
  const learnings = (await call('/v1/learnings?limit=1', { key: demo.keys.user })).body as {
    data: { id: string }[]
  }
  const now = { finding_id: finding, learning_ids: [at(learnings.data, 0).id] }
  await assertAccepted(
    events.filter(isLast).map((event) => ({ ...event, payload: fill(event.payload, now) })),
  )
})

async function assertAccepted(events: Event[]): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify(events)
  const reply = await call('/ingest/v1/events', { method: 'POST', key: demo.keys.ingest, headers, body })
  const { accepted, rejected, ...rest } = reply.body as { accepted: number; rejected: unknown[] }
  assert.deepEqual([accepted, rejected], [events.length, []], reply.text)
  for (const [name, list] of Object.entries(rest)) assert.deepEqual(list, [], name)
}

function sendExample(
  operation: Operation,
  headers: Record<string, string> = {},
  format?: string,
): Promise<Reply> {
  const { operationId, method, path, parameters, requestBody } = operation
  const named = (place: string) =>
    parameters.filter((parameter) => parameter.in === place && parameter.example !== undefined)
  const query = new URLSearchParams()
  const live = { ...days, ...replaced[operationId] }
  for (const { name, example } of named('query')) query.set(name, live[name] ?? renderList(example))
  if (format !== undefined) {
    query.set('format', format)
    // A file has no pages.
    if (format === 'sarif') query.delete('limit')
  }
  const target = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const example = named('path').find((parameter) => parameter.name === name)?.example
    if (typeof example === 'string' && !/^[0-9a-f-]{36}$/.test(example)) return example
    return ids[name] ?? assert.fail(`${operationId}: no example has made a ${name}; see \`made\``)
  })
  const [media] = Object.entries(requestBody?.content ?? {})
  return call(query.size === 0 ? target : `${target}?${query.toString()}`, {
    method,
    key: demo.keys[keys[operationId] ?? (operation.security === undefined ? 'user' : 'ingest')],
    headers: { ...headers, ...(media && { 'content-type': media[0] }) },
    ...(media && { body: JSON.stringify(media[1].example) }),
  })
}

function renderList(example: unknown): string {
  return Array.isArray(example) ? example.join(',') : String(example)
}

function assertValid(schema: object, value: unknown, about: string): void {
  const text = JSON.stringify({ ...schema, $defs: document.components.schemas })
  const validate =
    validators.get(schema) ??
    ajv.compile(JSON.parse(text.replaceAll('#/components/schemas/', '#/$defs/')) as object)
  validators.set(schema, validate)
  assert.ok(validate(value), `${about}: ${ajv.errorsText(validate.errors)}`)
}

/** Every field of the example is in the live value, with a value of the same type; null is of any type. */
function assertShows(example: unknown, live: unknown, about: string): void {
  if (Array.isArray(example)) {
    assert.ok(Array.isArray(live), about)
    // Entries differ in optional fields: each entry of the example must be like one of the live entries.
    for (const [index, item] of example.entries()) {
      const failures = live.map((one) => failureOf(() => assertShows(item, one, `${about}[${index}]`)))
      assert.ok(failures.includes(null), failures[0] ?? `${about} is empty`)
    }
    return
  }
  if (example === null || live === null) return
  assert.equal(typeof live, typeof example, about)
  if (typeof example !== 'object') return
  for (const [name, value] of Object.entries(example)) {
    // What an audit row holds depends on its action, and which events wait on other tests.
    if (name === 'metadata' || name === 'waiting') continue
    assert.ok(Object.hasOwn(live as object, name), `${about}.${name} is not in the response`)
    assertShows(value, (live as Record<string, unknown>)[name], `${about}.${name}`)
  }
}

function failureOf(check: () => void): string | null {
  try {
    check()
    return null
  } catch (error) {
    return (error as Error).message
  }
}

function assertLines(text: string, example: string, page: Media, about: string): void {
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown)
  const { data } = (page.schema as { properties: { data: { items: object } } }).properties
  for (const line of lines.slice(0, -1)) assertValid(data.items, line, about)
  assert.ok(lines.length > 1, about)
  const last = example.trimEnd().split('\n').at(-1) ?? ''
  assert.deepEqual(Object.keys(lines.at(-1) as object), Object.keys(JSON.parse(last) as object), about)
}

function firstLine(text: string): string {
  return at(text.split('\r\n'), 0)
}

/** Replaces the fields that have another value now. */
function fill(payload: Event['payload'], values: Record<string, unknown>): Event['payload'] {
  return Object.fromEntries(
    Object.entries(payload).map(([name, value]) => [
      name,
      Object.hasOwn(values, name) ? values[name] : value,
    ]),
  )
}
