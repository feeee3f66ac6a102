// Records what main commands print against the demo tenants in cli/test/terminal.txt, which the documentation site shows.
//   SCHOLIAST_DEMO=.dev/demo.json node scripts/record-terminal.ts [--check]
// What differs between machines and days (ids, times, keys, counts of the audit log) is replaced. With --check it writes nothing and
// fails if the file is stale; `npm run test:clients` does that on its own service.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'

interface Recording {
  readonly title: string
  readonly words: readonly string[]
  /** Name of a key of the demo. */
  readonly key?: string
  readonly input?: string
  /** The worker stores events and signs the audit log later: the command is repeated until it prints this. */
  readonly until?: RegExp
}

const repository = fileURLToPath(new URL('..', import.meta.url))
const file = `${repository}cli/test/terminal.txt`

const WAIT_MS = 500
const MAX_WAITS = 120
// Older than the demo's data, so that the figures of this window do not depend on the day.
const window = ['--from', '2024-03-04', '--to', '2024-03-10']

const recordings: readonly Recording[] = [
  { title: 'Sign in', words: ['login'] },
  { title: 'Who am I, what may I do', words: ['status'] },
  { title: 'Organizations and repositories', words: ['organizations', 'list'], key: 'workspace' },
  { title: '', words: ['repositories', 'list'] },
  { title: 'Users', words: ['users', 'list'], key: 'instance' },
  {
    title: 'Set a role, rehearsed',
    words: ['users', 'set-role', 'admin', '19431339', '--dry-run'],
    key: 'instance',
  },
  { title: 'Roles', words: ['roles', 'show', 'cr_member'] },
  { title: 'Audit log, verified', words: ['audit', 'verify'], until: /signed heads match/ },
  {
    title: 'Learnings from a rules file, planned',
    words: ['learnings', 'import', 'AGENTS.md', '--repo', '620118401'],
  },
  { title: 'Seats, rehearsed', words: ['seats', 'assign', '19431339', '--dry-run'], key: 'instance' },
  { title: 'Send events', words: ['events', 'send'], input: toLines(createReviewedPullRequest()) },
  {
    title: 'How many findings were accepted',
    words: ['metrics', 'summary', ...window, '--by', 'severity'],
    until: /2 {2,}2 {2,}0 .*\n.*2 {2,}0 {2,}1 /,
  },
  {
    title: 'Export findings',
    words: ['metrics', 'export', 'comments', ...window, '--format', 'csv'],
  },
  { title: 'Compare reviewers', words: ['metrics', 'reviewers', ...window] },
  { title: 'Finding outcomes', words: ['metrics', 'findings', ...window] },
  { title: 'Connectors', words: ['connectors', 'list'], key: 'other_tenant' },
  {
    title: 'Events, one of them rejected',
    words: ['events', 'send'],
    input: '{"id":"7f3c","type":"pull_request.finalised","version":1}\n',
  },
  { title: 'Errors say what to do next', words: ['users', 'list'], key: 'agentic' },
  { title: '', words: ['roles', 'list'], key: 'workspace' },
]

const rules = `# Rules

- Store amounts of money in cents, as integers.
- Log in JSON, one object per line.
`

function main(): number {
  const demo = JSON.parse(
    readFileSync(process.env['SCHOLIAST_DEMO'] ?? `${repository}.dev/demo.json`, 'utf8'),
  ) as Demo
  const home = mkdtempSync(`${tmpdir()}/scholiast-`)
  writeFileSync(`${home}/AGENTS.md`, rules)
  try {
    const parts = recordings.map(({ title, ...recording }) => {
      const text = `\`\`\`console\n${normalize(recordUntil(recording, demo, home))}\`\`\`\n`
      return title === '' ? text : `## ${title}\n\n${text}`
    })
    const recorded = parts.join('\n')
    if (!process.argv.includes('--check')) writeFileSync(file, recorded)
    else if (readFileSync(file, 'utf8') !== recorded) return reportStale(recorded)
    return 0
  } finally {
    rmSync(home, { recursive: true })
  }
}

/** Four findings of two reviewers: two accepted, one not, one unknown. */
function createReviewedPullRequest(): object[] {
  const url = 'https://github.com/meridian-platform/booking-api/pull/4711'
  const about = {
    organization: { provider: 'github', id: '41207731' },
    repository: { id: '620118401' },
    number: 4711,
  }
  const merged_at = '2024-03-06T10:00:00Z'
  const findings = ['major', 'major', 'minor', 'minor'].map((severity, index) => ({
    id: `f-${index + 1}`,
    url: `${url}#discussion_r${index + 1}`,
    severity,
    category: 'functional_correctness',
    reviewer: index % 2 === 0 ? 'coderabbit' : 'copilot',
    file: 'src/booking.ts',
    start_line: 10 * (index + 1),
    end_line: 10 * (index + 1),
    posted_at: '2024-03-06T08:00:00Z',
  }))
  const outcomes = [true, true, false].map((accepted, index) => ({
    id: `recorded-outcome-${index + 1}`,
    type: 'finding.outcome',
    version: 1,
    occurred_at: merged_at,
    payload: {
      ...about,
      finding_id: `f-${index + 1}`,
      accepted,
      source: 'person',
      evidence: accepted ? [{ kind: 'commit', at: '2024-03-06T08:45:00Z' }] : [],
    },
  }))
  return [
    {
      id: 'recorded-pull-request',
      type: 'pull_request.finalized',
      version: 1,
      occurred_at: merged_at,
      payload: { ...about, url, status: 'merged', merged_at, findings },
    },
    ...outcomes,
  ]
}

function toLines(values: readonly object[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join('')
}

interface Demo {
  readonly base_url: string
  readonly keys: Record<string, string>
}

function recordUntil(recording: Omit<Recording, 'title'>, demo: Demo, home: string): string {
  for (let waits = 0; ; waits++) {
    const text = record(recording, demo, home)
    if (recording.until === undefined || recording.until.test(text)) return text
    if (waits === MAX_WAITS) throw new Error(`The output never matched ${recording.until.source}:\n${text}`)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, WAIT_MS)
  }
}

function record(
  { words, key = 'user', input = '' }: Omit<Recording, 'title'>,
  demo: Demo,
  home: string,
): string {
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [`${repository}cli/dist/scholiast.js`, ...words],
    {
      encoding: 'utf8',
      cwd: home,
      input,
      env: {
        PATH: process.env['PATH'] ?? '',
        HOME: home,
        SCHOLIAST_URL: demo.base_url,
        SCHOLIAST_API_KEY: demo.keys[key] ?? '',
        SCHOLIAST_INGEST_KEY: demo.keys['ingest'] ?? '',
      },
    },
  )
  const typed = input === '' ? '' : ' < events.jsonl'
  const exit = status === 0 ? '' : `$ echo $?\n${status}\n`
  return `$ scholiast ${words.join(' ')}${typed}\n${stdout}${stderr}${exit}`
    .replaceAll(demo.base_url, 'http://127.0.0.1:8420')
    .replaceAll(home, '~')
}

function normalize(text: string): string {
  return (
    text
      .replaceAll('\r', '')
      .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '01a1e670-bcdc-7d85-b6a4-4a7719a1bfb9')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '2026-11-16T09:30:00.000Z')
      // The last activity of a user: the demo's history ends today.
      .replaceAll(/(system|custom) +\d{4}-\d\d-\d\d$/gm, '$1  2026-11-16')
      .replaceAll(/(sch_[a-z]+_…)\w{4}/g, '$14aQ9')
      .replaceAll(/^(request id: ).+$/gm, '$101a1e670-bcdc-7d85-b6a4-4a7719a1bfb9')
      .replace(/\d+ of \d+ allowed/, '30 of 31 allowed')
      .replace(/\d+ rows, \d+ of them/, '214 rows, 96 of them')
      .replace(
        /\d+ signed heads match; the last one covers row \d+/,
        '2 signed heads match; the last one covers row 214',
      )
      .replace(/Signing keys: \S+/, 'Signing keys: 55f81a12910a1d66')
  )
}

function reportStale(recorded: string): number {
  const [before, after] = [readFileSync(file, 'utf8').split('\n'), recorded.split('\n')]
  const line = after.findIndex((text, index) => text !== before[index])
  console.error(
    `cli/test/terminal.txt is stale at line ${line + 1}: it has "${before[line] ?? ''}", recorded was "${after[line] ?? ''}".\n` +
      'Run `npm run dev -- --once`, then `npx node scripts/record-terminal.ts`, and review the difference.',
  )
  return 1
}

process.exitCode = main()
