import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { after, before, test } from 'node:test'
import { startService, type TestResponse, type TestService } from '../../test/call.ts'
import { copyDatabase, createDatabase, type TestDatabase } from '../../test/database.ts'
import { plantFindings } from '../../test/planted/findings.ts'
import { plantOrganizationLearnings } from '../../test/planted/learnings.ts'
import { plantPullRequest } from '../../test/planted/pull-request.ts'
import { createTestWriter } from '../../test/pull-requests.ts'
import { createTenant, type TestOrganization } from '../../test/tenant.ts'
import { createSigner, parseSignedHead } from '../access/audit/heads.ts'
import { signHeads } from '../access/audit/sign-heads.ts'
import { writeAuditEntry } from '../access/audit.ts'
import { rootScope } from '../access/scope.ts'
import { commands } from '../commands.ts'
import type { Environment } from '../config.ts'
import { inTransaction } from '../db/transaction.ts'
import { createAdminContext } from './context.ts'
import { explainFailure } from './output.ts'
import { runCommand } from './program.ts'

const january = 'start_date=2026-01-01&end_date=2026-01-31'
/** Every endpoint whose cursors hold positions, one record a page. */
const feeds = [
  `/v1/metrics/review-comments?${january}&limit=1`,
  `/v1/metrics/review-comments/changes?limit=1`,
  `/v1/metrics/reviews?${january}&limit=1`,
  `/v1/metrics/mcp?${january}&limit=1`,
  '/v1/audit-logs?page_size=1&actions=role_changed&cursor=start',
  '/v1/learnings?limit=1',
  '/v1/security/scans/code?limit=1',
] as const

const signingKey = randomBytes(32).toString('base64')
const folder = mkdtempSync(`${tmpdir()}/scholiast-`)
const [headsFile, exported, keyFile] = ['heads', 'export', 'key'].map((name) => `${folder}/${name}`) as [
  string,
  string,
  string,
]
const signing = { AUDIT_SIGNING_KEY: signingKey, AUDIT_HEADS_FILE: headsFile }
const restoredTo = '2026-11-16T04:00:00.000Z'

/** The database, the same database restored to an earlier point, and again to a still earlier one. */
let original: TestDatabase
let restored: TestDatabase
let restoredAgain: TestDatabase
let organization: TestOrganization
let key: string
/** The records and cursors of each feed in the original, read to the end. */
const readBefore = new Map<string, FeedPage[]>()

interface FeedPage {
  readonly records: readonly unknown[]
  readonly cursor: string | null
}

before(async () => {
  original = await createDatabase()
  const tenant = await createTenant(original)
  organization = tenant.workspace.organizations[0]
  key = (await tenant.createKey('workspace')).value
  await tenant.close()
  await write(original, 'first', 2)
  restoredAgain = await copyDatabase(original)
  await write(original, 'second', 1)
  await sign(original)
  restored = await copyDatabase(original)
  await write(original, 'lost', 3)
  await sign(original)
  await withService(original, async (service) => {
    for (const feed of feeds) readBefore.set(feed, await readFeed(service, feed))
  })
  writeFileSync(keyFile, (await run(original, ['audit', 'public-key'])).stdout)
})
after(async () => {
  await Promise.all([original.drop(), restored.drop(), restoredAgain.drop()])
  rmSync(folder, { recursive: true })
})

/** Writes records of every kind that the feeds return. */
async function write(database: TestDatabase, word: string, count: number): Promise<void> {
  const writer = createTestWriter(database)
  const superuser = database.superuser()
  try {
    for (let number = 1; number <= count; number++) {
      const text = `${word} ${number}`
      await plantPullRequest(writer, organization, { day: '2026-01-15', word, number, repositoryId: word })
      await plantOrganizationLearnings(writer.database, organization, [{ text }])
      await plantFindings(superuser, organization, [{ title: text, scan_id: text }])
      const scope = rootScope(organization.root)
      await inTransaction(writer.database, scope, (tx) =>
        writeAuditEntry(
          tx,
          scope,
          {
            action: 'role_changed',
            resourceId: text,
            organization: null,
            actor: { kind: 'operator', id: null },
            metadata: { name: text },
            personal: {},
          },
          new Date(),
        ),
      )
    }
  } finally {
    await Promise.all([writer.close(), superuser.end()])
  }
}

async function sign(database: TestDatabase): Promise<void> {
  const writer = createTestWriter(database)
  await signHeads(writer.database, createSigner(signingKey), headsFile, () => new Date())
  await writer.close()
}

async function withService(
  database: TestDatabase,
  work: (service: TestService) => Promise<void>,
): Promise<void> {
  const service = startService(database, { LIMIT_METRICS: 'off', LIMIT_AUDIT: 'off', LIMIT_SECURITY: 'off' })
  try {
    await work(service)
  } finally {
    await service.stop()
  }
}

async function run(database: TestDatabase, args: readonly string[], env: Environment = signing) {
  let stdout = ''
  const admin = createAdminContext(
    { WORKER_DATABASE_URL: database.urls.worker, ...env },
    () => {},
    (text) => {
      stdout += text
      return Promise.resolve()
    },
  )
  try {
    const output = await runCommand(admin, commands, [...args])
    return { stdout: stdout + output, stderr: '' }
  } catch (error) {
    return { stdout, stderr: explainFailure(error) }
  } finally {
    await admin.close()
  }
}

const declare = (database: TestDatabase, options: readonly string[] = [], env: Environment = signing) =>
  run(
    database,
    ['restore-point', 'declare', '--restored-to', restoredTo, '--without-restrictions', ...options],
    env,
  )

const withCursor = (feed: string, cursor: string) => `${feed.replace('&cursor=start', '')}&cursor=${cursor}`

async function readPage(service: TestService, url: string) {
  const { status, body, text } = await service.call(url, { key })
  assert.equal(status, 200, text)
  const { data, next_cursor, has_more } = body as unknown as {
    data: readonly unknown[]
    next_cursor: string | null
    has_more?: boolean
  }
  return { records: data, cursor: next_cursor, more: has_more ?? next_cursor !== null }
}

/** Reads to the end and returns every page with the cursor after it. */
async function readFeed(service: TestService, feed: string, cursor?: string): Promise<FeedPage[]> {
  const pages: FeedPage[] = []
  for (let url = cursor === undefined ? feed : withCursor(feed, cursor); ; ) {
    const page = await readPage(service, url)
    pages.push(page)
    if (!page.more || page.cursor === null) return pages
    url = withCursor(feed, page.cursor)
  }
}

const recordsOf = (pages: readonly FeedPage[]) => pages.flatMap(({ records }) => records)
const isLost = (page: FeedPage) => JSON.stringify(page.records).includes('lost')

/** The last page before the lost rows, and the pages of lost rows. */
function splitPages(feed: string) {
  const pages = readBefore.get(feed) ?? []
  return { kept: pages.filter((page) => !isLost(page)), lost: pages.filter(isLost) }
}

const messageIn = ({ body }: TestResponse) => {
  const { error, errors } = body as unknown as Record<string, never> & {
    error?: { code: string; message: string }
    errors?: readonly { code: string; message: string }[]
  }
  const { code, message } = error ?? errors?.[0] ?? assert.fail(JSON.stringify(body))
  return `${code} ${message}`
}

const cursorIn = (message: string) => /cursor=([\w-]+);/.exec(message)?.[1] ?? assert.fail(message)

test('a restore point is declared while the service is stopped, and a dry run changes nothing', async () => {
  await withService(restored, async (service) => {
    await readPage(service, feeds[0])
    assert.match((await declare(restored)).stderr, /Stop every API process and worker.*scholiast-api/)
  })
  for (const time of ['yesterday', '2026-11-16', '2999-01-01T00:00:00Z'])
    assert.match(
      (await run(restored, ['restore-point', 'declare', '--restored-to', time])).stderr,
      /--restored-to/,
    )
  assert.match((await declare(restored, [], {})).stderr, /heads of this installation are signed/)
  assert.match((await declare(restored, [], { AUDIT_HEADS_FILE: headsFile })).stderr, /require each other/)
  const unchanged = readFileSync(headsFile, 'utf8')
  assert.match((await declare(restored, ['--dry-run'])).stdout, /Dry run: positions of 4 tenant roots/)
  assert.equal(readFileSync(headsFile, 'utf8'), unchanged)
  assert.match((await run(restored, ['restore-point', 'list'])).stdout, /No restore point was declared/)
})

test('before a restore point is declared, a cursor from beyond skips rows, which is why it is refused afterwards', async () => {
  const undeclared = await copyDatabase(restored)
  try {
    await write(undeclared, 'new', 2)
    await withService(undeclared, async (service) => {
      for (const feed of feeds) {
        const page = splitPages(feed).lost.findLast(({ cursor }) => cursor !== null)
        const cursor = page?.cursor ?? assert.fail(feed)
        const read = JSON.stringify(recordsOf(await readFeed(service, feed, cursor)))
        assert.ok(!read.includes('new 1') && !read.includes('new/pull/1'), feed)
      }
    })
  } finally {
    await undeclared.drop()
  }
})

test('after it, cursors are valid up to the restore point and refused beyond it [P11-restore-1]', async () => {
  assert.match((await declare(restored)).stdout, /Declared: positions of 4 tenant roots.*signed in/)
  const listed = await run(restored, ['restore-point', 'list'])
  assert.match(listed.stdout + listed.stderr, /2026-11-16T04:00:00\.000Z/)
  await write(restored, 'new', 2)
  await withService(restored, async (service) => {
    for (const feed of feeds) {
      const now = recordsOf(await readFeed(service, feed))
      const { kept, lost } = splitPages(feed)
      assert.ok(kept.length > 0 && lost.length > 0, feed)
      // Until the restore point, a cursor continues with what it has not read.
      const [first] = kept
      const rest = recordsOf(await readFeed(service, feed, first?.cursor ?? assert.fail(feed)))
      assert.deepEqual(rest, now.slice(1), feed)
      for (const { cursor } of lost.filter((page) => page.cursor !== null)) {
        const response = await service.call(withCursor(feed, cursor ?? ''), { key })
        assert.equal(response.status, 400, feed)
        const message = messageIn(response)
        assert.match(
          message,
          /^INVALID_CURSOR .* restored to its state of 2026-11-16T04:00:00\.000Z.*cursor is beyond that point/,
        )
        const again = recordsOf(await readFeed(service, feed, cursorIn(message)))
        assert.deepEqual(again, now.slice(recordsOf(kept).length), feed)
        assert.match(JSON.stringify(again), /new/)
      }
    }
  })
})

test('cursors of the new epoch continue, and a filter or another endpoint still does not match', async () => {
  await withService(restored, async (service) => {
    for (const feed of feeds) {
      const pages = await readFeed(service, feed)
      const cursor = pages[0]?.cursor ?? assert.fail(feed)
      assert.deepEqual(recordsOf(await readFeed(service, feed, cursor)), recordsOf(pages).slice(1), feed)
    }
    const [comments, changes] = feeds
    const { cursor } = await readPage(service, comments)
    const { body } = await service.call(withCursor(changes, cursor ?? ''), { key })
    assert.match(body.error?.message ?? '', /belongs to another endpoint/)
  })
})

test('after a second restore, the earliest restore point after a cursor counts, and unknown epochs start again', async () => {
  const cursors = new Map<string, string>()
  await withService(restored, async (service) => {
    for (const feed of feeds)
      cursors.set(
        feed,
        (await readFeed(service, feed)).findLast((page) => page.cursor !== null)?.cursor ?? '',
      )
  })
  const otherFile = { ...signing, AUDIT_HEADS_FILE: `${folder}/other` }
  await declare(restoredAgain, [], otherFile)
  await withService(restoredAgain, async (service) => {
    for (const feed of feeds) {
      const response = await service.call(withCursor(feed, cursors.get(feed) ?? ''), { key })
      assert.match(
        messageIn(response),
        /before the cursor was issued\. Read again from the start, with/,
        feed,
      )
    }
  })
  const again = await copyDatabase(restored)
  try {
    await declare(again, [], otherFile)
    await withService(again, async (service) => {
      for (const feed of feeds) {
        const { kept, lost } = splitPages(feed)
        await readFeed(service, feed, cursors.get(feed) ?? '')
        await readFeed(service, feed, kept[0]?.cursor ?? '')
        const { status } = await service.call(withCursor(feed, lost[0]?.cursor ?? ''), { key })
        assert.equal(status, 400, feed)
      }
    })
  } finally {
    await again.drop()
  }
})

test('a signed record of the restore lets the audit chain verify, and nothing else does', async () => {
  const heads = ['--heads', headsFile, '--public-key', keyFile]
  const audit = (...args: string[]) => run(restored, ['audit', ...args])
  await sign(restored)
  await audit('export', '--root', organization.root, '--out', exported)
  const valid = await audit('verify', exported, ...heads)
  assert.match(
    valid.stdout,
    /signed heads match\. The database was restored to an earlier point, declared at/,
  )
  assert.match(valid.stdout, /rows after \d+ were cut off\. 1 signed head belongs to rows that were cut off/)
  const honest = readFileSync(headsFile, 'utf8')
  const lines = honest.trimEnd().split('\n')
  const isRecord = (line: string) => parseSignedHead(line)?.kind === 'restored'
  const without = lines.filter((line) => !isRecord(line))
  writeFileSync(headsFile, `${without.join('\n')}\n`)
  assert.match(
    (await audit('verify', exported, ...heads)).stderr,
    /was rewritten|is missing: row \d+ was signed/,
  )
  writeFileSync(headsFile, honest.replaceAll('"kind":"head"', '"kind":"restored"'))
  assert.match((await audit('verify', exported, ...heads)).stderr, /signature in line \d+ of heads is wrong/)
  writeFileSync(headsFile, honest)
})

test('a record of a restore does not cover rows that are removed after it', async () => {
  const superuser = restored.superuser()
  await superuser.query(
    `with cut as (delete from audit_log where root_id = $1 and position = (
       select max(position) from audit_log where root_id = $1) returning position)
     update audit_head h set position = l.position, hash = l.hash from audit_log l, cut
     where h.root_id = $1 and l.root_id = $1 and l.position = cut.position - 1`,
    [organization.root],
  )
  await superuser.end()
  await run(restored, ['audit', 'export', '--root', organization.root, '--out', exported])
  const { stderr } = await run(restored, [
    'audit',
    'verify',
    exported,
    '--heads',
    headsFile,
    '--public-key',
    keyFile,
  ])
  assert.match(stderr, /is missing: row \d+ was signed/)
})

test('the clock of the machine must be later than the signed heads', async () => {
  const signer = createSigner(signingKey)
  const head = { kind: 'head', root: organization.root, position: 1, hash: '0'.repeat(64) } as const
  const future = `${folder}/future`
  writeFileSync(future, `${JSON.stringify(signer.sign(head, new Date(Date.now() + 60_000)))}\n`)
  const { stderr } = await declare(restored, [], { ...signing, AUDIT_HEADS_FILE: future })
  assert.match(stderr, /was signed at .*Set its clock/)
  assert.ok(existsSync(future))
})
