import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import {
  type Comment,
  calendarOf,
  dayAfter,
  type Entry,
  eventually,
  finalized,
  findingOf,
  mergedOn,
  outcomeOf,
  readWhole,
  store,
  storeSequentially,
  windowOf,
} from './metrics-data.ts'
import { at, demo, home, organizationsOf } from './service.ts'

// The recipe of docs/sync.md, run as a reader would run it.

const script = fileURLToPath(new URL('../docs/sync.py', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'scholiast-sync-'))
const file = join(folder, 'copy.db')
const nextDay = calendarOf(2012)
const env = { ...process.env, SCHOLIAST_URL: demo.base_url, SCHOLIAST_API_KEY: demo.keys.workspace }

after(() => rmSync(folder, { recursive: true }))

function run(...args: string[]): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    execFile('python3', [script, file, ...args], { env }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : 1, output: `${stdout}${stderr}${error?.message ?? ''}` })
    })
  })
}

async function follow(): Promise<number> {
  const { code, output } = await run()
  assert.equal(code, 0, output)
  return Number(/^(\d+) changes applied$/m.exec(output)?.[1])
}

const organizationOf = ({ org_id, repositories }: typeof home) => ({
  organization: { provider: 'github', id: org_id },
  repository: { id: at(repositories, 0).repository_id },
})

/** SQLite has no booleans. */
type CopiedFinding = Omit<Entry, 'coderabbit_comments'> &
  Omit<Comment, 'accepted'> & { pull_request_key: string; accepted: number | null }

/** The copy in the form of the pages. */
function readCopy(): Entry[] {
  const database = new DatabaseSync(file, { readOnly: true })
  const rows = database
    .prepare('select * from pull_request join finding using (pull_request_key) order by finding.rowid')
    .all() as CopiedFinding[]
  database.close()
  return [...Map.groupBy(rows, ({ pull_request_key }) => pull_request_key).values()].map((findings) => {
    const { pr_url, organization_id, repository_id, author_id, merged_at } = at(findings, 0)
    const coderabbit_comments = findings.map(({ url, severity, category, accepted }) => {
      return { url, severity, category, accepted: accepted === null ? null : accepted === 1 }
    })
    return { pr_url, organization_id, repository_id, author_id, merged_at, coderabbit_comments }
  })
}

const toSorted = (entries: readonly Entry[]) => entries.map((entry) => JSON.stringify(entry)).sort()

async function compare(): Promise<void> {
  // Events that other files sent may still be on their way.
  let output = ''
  await eventually('the copy equals the summary', async () => {
    await follow()
    const compared = await run('compare')
    output = compared.output.trim()
    return compared.code === 0
  })
  console.log(output)
  assert.match(output, /^[1-9]\d* groups compared, 0 differ$/)
  assert.deepEqual(
    toSorted(readCopy()),
    toSorted(await readWhole(`${windowOf('0001-01-01', '9999-12-31')}&limit=30`)),
  )
}

test('the recipe’s copy equals the pages and the summary per week, organization and repository, also after more events [P11-day-2 P11-feed-7]', async () => {
  const [here, there] = [home, at(organizationsOf('workspace'), 1)]
  const day = nextDay()
  const unmerged = mergedOn(day, { merged_at: null })
  const closing = mergedOn(day, { merged_at: null, closed_at: `${dayAfter(day, 9)}T12:00:00.000Z` })
  const one = mergedOn(day, organizationOf(here))
  const other = { ...one, ...organizationOf(there), findings: [findingOf(one.url, 3)] }
  const [moving, removed, judged] = [mergedOn(day), mergedOn(day), mergedOn(day)]
  await store(one, other, moving, removed, judged, closing)
  await store(finalized(unmerged, `${dayAfter(day, 20)}T12:00:00.000Z`))
  assert.ok((await follow()) > 100)
  assert.equal(await follow(), 0)
  await compare()

  const later = (days: number) => `${dayAfter(day, days)}T12:00:00.000Z`
  const { organization } = organizationOf(there)
  await storeSequentially(
    finalized({ ...moving, organization }, later(1)),
    finalized({ ...unmerged, findings: unmerged.findings.slice(1) }, later(40)),
    finalized({ ...removed, status: 'closed' }, later(1)),
    outcomeOf(judged, 0, true),
    outcomeOf(one, 0, false),
    outcomeOf(other, 0, true),
  )
  assert.ok((await follow()) >= 8)
  await compare()
})
