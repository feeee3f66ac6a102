// Rules that create Learnings, and delete them again.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { parseTable } from './csv.ts'
import type { Reply } from './http.ts'
import type { Rule } from './rule.ts'
import {
  assertRefused,
  learningsPath,
  NotApplicableError,
  readPage,
  repositoriesPath,
  requireAccess,
  type Service,
} from './service.ts'

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

interface Item {
  readonly learning: string
  readonly [field: string]: unknown
}

interface Result {
  readonly index: number
  readonly status: 'created' | 'duplicate' | 'failed'
  readonly id?: string
  readonly error?: { readonly code: string; readonly message: string }
}

interface Batch {
  readonly status: string
  readonly created_count: number
  readonly duplicate_count: number
  readonly failed_count: number
  readonly results: readonly Result[]
}

/** Learnings of one rule, in one repository, under a file name of their own. */
interface Workbench {
  readonly post: (
    items: readonly Item[],
    options?: { idempotencyKey?: string; dryRun?: true },
  ) => Promise<Reply>
  readonly create: (items: readonly Item[]) => Promise<Batch>
  readonly remove: (id: string, body?: string) => Promise<Reply>
  /** Those under the file name, as the export shows them. */
  readonly read: () => Promise<{ id: string; learning: string }[]>
  readonly readCsv: () => Promise<string[][]>
}

async function withWorkbench(service: Service, work: (bench: Workbench) => Promise<void>): Promise<void> {
  requireAccess(service, 'POST', learningsPath)
  requireAccess(service, 'DELETE', `${learningsPath}/{learning_id}`)
  const [organization] = service.self.organizations.first
  if (organization === undefined) throw new NotApplicableError('the key sees no organization')
  const file = `conformance/${randomUUID()}.ts`
  const repository_id = await findRepository(service, organization.id)
  const orgId = service.self.kind === 'workspace' ? { org_id: organization.provider_organization_id } : {}
  const suffix = 'org_id' in orgId ? `?org_id=${encodeURIComponent(orgId.org_id ?? '')}` : ''
  const bench: Workbench = {
    post: (items, { idempotencyKey, dryRun } = {}) =>
      service.call(learningsPath, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
        },
        body: JSON.stringify({
          ...orgId,
          ...(dryRun && { dry_run: true }),
          data: items.map((item) => ({ repository_id, file, ...item })),
        }),
      }),
    async create(items) {
      const reply = await bench.post(items)
      assert.equal(reply.status, 200, reply.text.slice(0, 500))
      return reply.body as Batch
    },
    remove: (id, body) =>
      service.call(`${learningsPath}/${id}${suffix}`, {
        method: 'DELETE',
        ...(body !== undefined && { body }),
      }),
    async read() {
      const { data } = await readPage(service, `${learningsPath}?files=${file}`)
      return data as { id: string; learning: string }[]
    },
    async readCsv() {
      return parseTable((await service.call(`${learningsPath}?files=${file}&format=csv`)).text)
    },
  }
  try {
    await work(bench)
  } finally {
    for (const { id } of await bench.read()) await bench.remove(id)
  }
}

/** Read once for all rules. */
const repositories = new WeakMap<Service, Promise<string>>()

function findRepository(service: Service, organizationId: string): Promise<string> {
  const known = repositories.get(service)
  if (known !== undefined) return known
  const reading = readPage(service, repositoriesPath(organizationId)).then((page) => {
    const [first] = page['repositories'] as { provider_repository_id: string }[]
    if (first === undefined) throw new NotApplicableError('the organization has no repository')
    return first.provider_repository_id
  })
  repositories.set(service, reading)
  return reading
}

const ownText = () => `Conformance check ${randomUUID()}`

export const writeRules: readonly Rule[] = [
  {
    id: 'learning-identity',
    title: 'the same content again is a duplicate with the same id, and the export has it once',
    contract: ['S-learning-1', 'S-lpost-6', 'S-lpost-10'],
    writes: true,
    check: (service) =>
      withWorkbench(service, async ({ create, read }) => {
        const learning = ownText()
        const first = await create([{ learning }])
        const second = await create([{ learning: `  ${learning}\n` }])
        const [created, again] = [first.results[0], second.results[0]]
        assert.deepEqual([created?.status, again?.status], ['created', 'duplicate'])
        assert.match(created?.id ?? '', uuid)
        assert.equal(again?.id, created?.id)
        assert.deepEqual([first.created_count, second.duplicate_count, second.created_count], [1, 1, 0])
        assert.deepEqual(
          (await read()).map(({ id, learning: text }) => ({ id, text })),
          [{ id: created?.id ?? '', text: learning }],
        )
      }),
  },
  {
    id: 'learning-delete',
    title: 'a repeated DELETE is 204, refuses a body, and the Learning is gone',
    contract: ['P7-patch-5', 'P11-delete-1'],
    writes: true,
    check: (service) =>
      withWorkbench(service, async ({ create, remove, read }) => {
        const { results } = await create([{ learning: ownText() }])
        const id = results[0]?.id ?? ''
        assertRefused(learningsPath, await remove(id, '{"a":1}'), 400, 'INVALID_REQUEST', 'a body on DELETE')
        assert.equal((await read()).length, 1, 'a refused DELETE deletes nothing')
        for (const reply of [await remove(id), await remove(id)]) {
          assert.equal(reply.status, 204, reply.text)
          assert.equal(reply.text, '')
        }
        assert.deepEqual(await read(), [])
      }),
  },
  {
    id: 'learning-items',
    title: 'an invalid item fails with INVALID_ITEM while the batch is 200 and the others are created',
    contract: ['S-lpost-6', 'S-lpost-7', 'P7-post-2', 'P7-post-6'],
    writes: true,
    check: (service) =>
      withWorkbench(service, async ({ create }) => {
        const batch = await create([{ learning: ownText() }, { learning: '  ' }, { learning: ownText() }])
        assert.deepEqual(
          batch.results.map(({ index, status }) => [index, status]),
          [
            [0, 'created'],
            [1, 'failed'],
            [2, 'created'],
          ],
        )
        assert.equal(batch.results[1]?.error?.code, 'INVALID_ITEM')
        assert.deepEqual([batch.status, batch.created_count, batch.failed_count], ['partial_success', 2, 1])
      }),
  },
  {
    id: 'learning-batch-size',
    title: 'a batch has 1 to 100 items: none and 101 are 400, and nothing is written',
    contract: ['S-lpost-1', 'S-lpost-3'],
    writes: true,
    check: (service) =>
      withWorkbench(service, async ({ post, read }) => {
        const many = Array.from({ length: 101 }, () => ({ learning: ownText() }))
        for (const items of [[], many]) {
          const reply = await post(items)
          assert.equal(reply.status, 400, reply.text.slice(0, 300))
          assert.ok(
            Array.isArray((reply.body as { errors?: unknown } | null)?.errors),
            reply.text.slice(0, 300),
          )
        }
        assert.deepEqual(await read(), [])
      }),
  },
  {
    id: 'learning-redaction',
    title: 'recognized credentials are removed from a text before it is stored',
    contract: ['S-lpost-9', 'S-learning-3'],
    writes: true,
    check: (service) =>
      withWorkbench(service, async ({ create, read }) => {
        // Put together here, so that scanners do not take this file for a leak.
        const secret = ['ghp', 'A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8'].join('_')
        await create([{ learning: `${ownText()}: never commit ${secret}` }])
        const [stored] = await read()
        assert.ok(stored !== undefined, 'the Learning is not exported')
        assert.ok(!stored.learning.includes(secret), 'the credential is stored')
      }),
  },
  {
    id: 'learning-csv-guard',
    title: 'a text that a spreadsheet would run gets a leading quote in CSV, and only there',
    contract: ['P7-get-10'],
    writes: true,
    check: (service) =>
      withWorkbench(service, async ({ create, read, readCsv }) => {
        const texts = ['=1+1', '+1', '-1', '@SUM(A1)', '＝1'].map((start) => `${start} ${ownText()}`)
        await create(texts.map((learning) => ({ learning })))
        const [header = [], ...lines] = await readCsv()
        const column = header.indexOf('learning')
        const cells = lines.map((line) => line[column])
        assert.deepEqual(
          cells,
          texts.map((text) => `'${text}`),
        )
        assert.deepEqual(
          (await read()).map(({ learning }) => learning),
          texts,
        )
      }),
  },
  {
    id: 'dry-run',
    title: 'a dry run has the results of the real one and writes nothing',
    contract: ['P11-dry-run-1'],
    writes: true,
    check: (service) =>
      withWorkbench(service, async ({ post, create, read }) => {
        const items = [{ learning: ownText() }, { learning: ' ' }]
        const reply = await post(items, { dryRun: true })
        assert.equal(reply.status, 200, reply.text.slice(0, 300))
        assert.deepEqual(await read(), [], 'the dry run has written')
        const statuses = ({ results }: Batch) => results.map(({ status }) => status)
        assert.deepEqual(statuses(reply.body as Batch), statuses(await create(items)))
      }),
  },
  {
    id: 'idempotency-replay',
    title: 'the same request with the same Idempotency-Key returns the first answer',
    contract: ['P1-idem-1', 'P1-idem-4'],
    writes: true,
    check: (service) =>
      withWorkbench(service, async ({ post }) => {
        const items = [{ learning: ownText() }]
        const idempotencyKey = randomUUID()
        const [first, again] = [await post(items, { idempotencyKey }), await post(items, { idempotencyKey })]
        assert.equal(first.status, 200, first.text.slice(0, 300))
        assert.equal((first.body as Batch).results[0]?.status, 'created')
        assert.deepEqual([again.status, again.text], [first.status, first.text])
        assert.equal(again.headers.get('idempotency-replayed'), 'true')
      }),
  },
  {
    id: 'idempotency-reused',
    title: 'another request with a used Idempotency-Key is 409, and a key of 256 characters is 400',
    contract: ['P1-idem-1', 'P1-idem-5', 'P1-code-21'],
    writes: true,
    check: (service) =>
      withWorkbench(service, async ({ post, read }) => {
        const idempotencyKey = randomUUID()
        assert.equal((await post([{ learning: ownText() }], { idempotencyKey })).status, 200)
        const other = await post([{ learning: ownText() }], { idempotencyKey })
        assertRefused(learningsPath, other, 409, 'IDEMPOTENCY_KEY_REUSED')
        const long = await post([{ learning: ownText() }], { idempotencyKey: 'x'.repeat(256) })
        assertRefused(learningsPath, long, 400, 'INVALID_REQUEST', 'a long Idempotency-Key')
        assert.equal((await read()).length, 1)
      }),
  },
]
