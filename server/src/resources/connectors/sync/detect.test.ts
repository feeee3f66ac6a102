import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openGit } from '../../../../test/connectors/git-server.ts'
import { MemoryForge } from '../../../../test/connectors/memory-forge.ts'
import { readConnectorHosts } from '../../../settings/connector-hosts.ts'
import type { ParsedFinding } from '../finding.ts'
import { GitError } from '../git/git-error.ts'
import { type CodeScanningAlert, HostRefusedError } from '../git-providers/provider-client.ts'
import { resolveAllowed } from '../git-providers/request.ts'
import type { ReviewThread } from '../snapshot.ts'
import type { SyncedConnector } from './context.ts'
import { createGitDetector } from './detect.ts'

const HEADER = 'Authorization: Basic secret'
/** What git sent, with its headers. */
let sent = ''
/** What the forge answers to git; null = what it has. */
let refusal: number | null = null
const { folder, server, workspaces } = await openGit((request, response) => {
  sent += `${request.headers.authorization}\n`
  request.on('data', (chunk: Buffer) => {
    sent += chunk.toString('latin1')
  })
  if (refusal !== null) response.writeHead(refusal).end()
  return refusal !== null
})
/** The same server, by a name that has to be resolved. */
const named = server.origin.replace('127.0.0.1', 'localhost')

const source = folder.create('source.git')
const commented = source.commit({ 'a.ts': 'one\ntwo\n' })
const head = source.commit({ 'a.ts': 'one\n2\n' }, commented)
source.git('update-ref', 'refs/heads/main', head)

const finding: ParsedFinding = {
  id: 'c1',
  reviewer: 'reviewer',
  severity: null,
  category: null,
  rawSeverity: null,
  botKey: null,
  parser: 'reviewer@1',
  postedAs: 'body',
  postedAt: '2026-11-01T10:00:00Z',
  url: 'https://forge.example/c/1',
  file: 'a.ts',
  startLine: 2,
  endLine: 2,
  commit: commented,
  threadId: null,
  sketch: [],
  clues: { suggestion: ['2'], botOutcome: null, botCommits: [] },
}

interface Situation {
  readonly allowed?: string
  readonly address?: string
  readonly failures?: number
  readonly alert?: CodeScanningAlert['state'] | null
  /** A person who disapproves of the comment with the finding. */
  readonly thumbsDownBy?: 'member' | 'outsider'
}

/** With the thumb of a person. */
function createThread(userId: string): ReviewThread {
  const at = '2026-11-01T10:00:00Z'
  const user = (id: string, isBot: boolean) => ({ id, login: `user-${id}`, isBot })
  return {
    id: 't1',
    path: 'a.ts',
    originalStartLine: 1,
    originalEndLine: 1,
    side: 'right',
    originalCommit: commented,
    isResolved: true,
    resolvedBy: null,
    resolvedAt: null,
    isOutdated: false,
    suggestionApplied: null,
    comments: [
      {
        id: '1',
        url: finding.url,
        user: user('1', true),
        body: 'A finding.',
        createdAt: at,
        updatedAt: at,
        reactions: [{ user: user(userId, false), content: 'thumbs_down' }],
      },
    ],
  }
}

/** What an admin reads about git. */
let gitErrors: (string | null)[] = []

/** Detects the outcomes of a merged pull request. Everything that git sends is in `sent`. */
async function detect(
  provider: SyncedConnector['provider'],
  findings: readonly ParsedFinding[],
  headSha: string,
  { allowed = named, address = '127.0.0.1', failures = 0, alert = null, thumbsDownBy }: Situation = {},
) {
  sent = ''
  gitErrors = []
  const forge = new MemoryForge('1', () => new Date())
  const at = '2026-11-02T10:00:00Z'
  forge.permissions.set('8', 'write')
  const threads = thumbsDownBy === undefined ? [] : [createThread(thumbsDownBy === 'member' ? '8' : '9')]
  const written = { state: 'merged', mergedAt: at, closedAt: at, headSha, threads } as const
  const snapshot = forge.write(forge.addRepository('700'), 7, written)
  const client = {
    ...forge.createClient(),
    readCodeScanningAlert: () =>
      Promise.resolve(
        alert === null ? null : ({ state: alert, fixedAt: at, dismissedAt: at } as CodeScanningAlert),
      ),
    getCloneCredential: () => Promise.resolve({ url: `${named}/source.git`, header: HEADER }),
  }
  const connector = {
    provider,
    host: 'forge.example',
    root: '00000000-0000-7000-8000-000000000001',
  } as SyncedConnector
  const recordGitError = async (error: string | null) => {
    gitErrors.push(error)
  }
  const review = { reviewers: ['reviewer'], findings, unparsedComments: 0 }
  const hosts = readConnectorHosts([allowed], [], [])
  const resolve = () => Promise.resolve([{ address, family: 4 }])
  const detector = createGitDetector(workspaces, (url) => resolveAllowed(url, { hosts, resolve }))
  return detector(connector, client, snapshot, review, { failures, recordGitError })
}

test('git reads with the credential of the connector', async () => {
  const [outcome] = await detect('github', [finding], head)
  assert.deepEqual([outcome?.accepted, outcome?.rule], [true, 'suggestion'])
  assert.match(sent, /^Basic secret$/m)
})

test('a head that the Git provider does not serve by its id is fetched by its ref', async () => {
  const lost = 'e'.repeat(40)
  await detect('github', [finding], lost)
  assert.match(sent, /refs\/pull\/7\/head/)
  await detect('gitlab', [finding], lost)
  assert.match(sent, /refs\/merge-requests\/7\/head/)
  assert.doesNotMatch(sent, /refs\/pull/)
})

test('git connects only to allowed hosts, at the addresses that were checked', async () => {
  for (const refused of [{ allowed: 'github.com' }, { address: '10.0.0.1' }, { address: '203.0.113.7' }]) {
    await assert.rejects(detect('github', [finding], head, refused), HostRefusedError)
    assert.equal(sent, '')
  }
})

test('without findings nothing is cloned', async () => {
  assert.deepEqual(await detect('github', [], head), [])
  assert.equal(sent, '')
})

test('outcomes are decided without git if the Git provider does not let it read, and the connector says so', async () => {
  for (const status of [401, 403, 404]) {
    refusal = status
    const [outcome, ...others] = await detect('gitlab', [finding], head)
    assert.deepEqual([outcome?.accepted, outcome?.rule, others], [null, 'undecided', []])
    assert.match(gitErrors.join(), /read_api and read_repository/)
    await detect('github', [finding], head)
    assert.match(gitErrors.join(), /permission to read contents/)
  }
  refusal = null
  const [outcome] = await detect('gitlab', [finding], head)
  assert.equal(outcome?.accepted, true)
  assert.deepEqual(gitErrors, [null])
})

test('the thumb of a person who may not write does not count', async () => {
  const kinds = async (thumbsDownBy: Situation['thumbsDownBy']) => {
    const inThread = { ...finding, threadId: 't1', clues: { ...finding.clues, suggestion: null } }
    const [outcome] = await detect('github', [inThread], head, thumbsDownBy ? { thumbsDownBy } : {})
    return outcome?.evidence.map(({ kind }) => kind) ?? []
  }
  assert.ok((await kinds('member')).includes('thumbs_down'))
  assert.ok(!(await kinds('outsider')).includes('thumbs_down'))
})

test('a git outage is waited for, but not forever', async () => {
  refusal = 503
  for (const failures of [0, 3])
    await assert.rejects(detect('gitlab', [finding], head, { failures }), GitError)
  const [outcome] = await detect('gitlab', [finding], head, { failures: 4 })
  refusal = null
  assert.deepEqual([outcome?.accepted, gitErrors.length], [null, 1])
  assert.match(gitErrors.join(), /git cannot read/)
})

test('an alert that is open again withdraws what the provider said', async () => {
  const ofAlert = { ...finding, reviewer: 'codeql', botKey: '43' }
  const decide = async (alert: CodeScanningAlert['state'] | null) => {
    const outcomes = await detect('github', [ofAlert], head, { alert })
    return outcomes.map((one) => [one.source, one.accepted, one.rule])
  }
  assert.deepEqual(await decide('dismissed'), [['provider', false, 'provider']])
  assert.deepEqual(await decide('fixed'), [['provider', true, 'provider']])
  assert.deepEqual(await decide('open'), [
    ['detector', true, 'suggestion'],
    ['provider', null, 'provider'],
  ])
  assert.deepEqual(await decide(null), [['detector', true, 'suggestion']])
})
