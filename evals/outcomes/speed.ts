import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  createOutcomeDetector,
  GitWorkspaces,
  type ParsedFinding,
  type PullRequestSnapshot,
  type ReviewThread,
  serveRepositories,
} from '../../server/test/connectors/outcomes.ts'

const FINDINGS = 100
const FILES = 25
const LINES = 200

/** A pull request with many findings in many files, over HTTP: processes and time. */
export async function measureSpeed(rounds: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'scholiast-speed-'))
  const server = await serveRepositories(folder)
  const workspaces = await GitWorkspaces.open({ directory: join(folder, 'work'), allowHttp: true })
  try {
    const [commented, head] = createRepository(folder)
    const { snapshot, findings } = createPullRequest(commented, head)
    const review = { reviewers: [], findings, unparsedComments: 0 }
    const detect = createOutcomeDetector()
    const times: number[] = []
    let calls = 0
    for (let round = 0; round < rounds; round++) {
      const started = performance.now()
      const remote = { url: `${server.origin}/repository.git`, header: null }
      const outcomes = await workspaces.withRepository('tenant', remote, [], async (repository) => {
        const found = await detect(snapshot, review, repository)
        calls = repository.calls
        return found
      })
      times.push(performance.now() - started)
      const decided = outcomes.filter(({ accepted }) => accepted !== null).length
      if (decided !== FINDINGS) throw new Error(`${FINDINGS - decided} of ${FINDINGS} findings are unknown.`)
    }
    const median = times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0
    console.log(
      `\n  a pull request with ${FINDINGS} findings in ${FILES} files: ${calls} calls of git (1 for all reads, 2 fetches), ${median.toFixed(0)} ms`,
    )
  } finally {
    await workspaces.close()
    await server.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

function createRepository(folder: string): [commented: string, head: string] {
  const path = join(folder, 'repository.git')
  const git = (...args: string[]) => execFileSync('git', ['-C', path, ...args], { encoding: 'utf8' }).trim()
  execFileSync('git', ['init', '--quiet', '--bare', path])
  git('config', 'uploadpack.allowFilter', 'true')
  git('config', 'uploadpack.allowAnySHA1InWant', 'true')
  const write = (file: number, isFixed: boolean) => {
    const lines = Array.from({ length: LINES }, (_, line) =>
      isFixed && line % 50 === 9 ? `fixed ${file} ${line}` : `line ${file} ${line}`,
    )
    const content = `${lines.join('\n')}\n`
    return `M 100644 inline src/file-${file}.ts\ndata ${Buffer.byteLength(content)}\n${content}`
  }
  const commit = (branch: string, isFixed: boolean) =>
    [
      `commit refs/heads/${branch}`,
      'committer Alice <alice@example.com> 1793000000 +0000',
      'data 4',
      'Work',
      ...Array.from({ length: FILES }, (_, file) => write(file, isFixed)),
      '',
    ].join('\n')
  const stream = join(folder, 'stream')
  writeFileSync(stream, commit('commented', false) + commit('head', true))
  execFileSync('sh', ['-c', `git -C '${path}' fast-import --quiet < '${stream}'`])
  return [git('rev-parse', 'commented'), git('rev-parse', 'head')]
}

function createPullRequest(
  commit: string,
  head: string,
): { snapshot: PullRequestSnapshot; findings: ParsedFinding[] } {
  const threads: ReviewThread[] = []
  const findings: ParsedFinding[] = []
  const user = { id: '1', login: 'review-bot[bot]', isBot: true }
  for (let index = 0; index < FINDINGS; index++) {
    const [id, path] = [String(index), `src/file-${index % FILES}.ts`]
    const line = Math.floor(index / FILES) * 50 + 10
    const [postedAt, url] = ['2026-11-02T10:00:00Z', `https://forge.example/${id}`]
    const comment = { id, url, user, body: '', createdAt: postedAt, updatedAt: postedAt, reactions: [] }
    threads.push({
      id,
      path,
      originalStartLine: line,
      originalEndLine: line,
      side: 'right',
      originalCommit: commit,
      isResolved: true,
      resolvedBy: null,
      resolvedAt: null,
      isOutdated: true,
      suggestionApplied: null,
      comments: [comment],
    })
    findings.push({
      id,
      reviewer: 'review-bot',
      severity: null,
      category: null,
      rawSeverity: null,
      botKey: null,
      parser: 'review-bot@1',
      postedAs: 'inline',
      postedAt,
      url,
      file: path,
      startLine: line,
      endLine: line,
      commit,
      threadId: id,
      sketch: [],
      clues: { suggestion: [`fixed ${index % FILES} ${line - 1}`], botOutcome: null, botCommits: [] },
    })
  }
  const at = '2026-11-02T18:00:00Z'
  const snapshot: PullRequestSnapshot = {
    repository: { id: '1', fullName: 'acme/shop', isPrivate: true },
    number: 1,
    url: 'https://forge.example/acme/shop/pull/1',
    state: 'merged',
    author: null,
    createdAt: at,
    readyForReviewAt: null,
    mergedAt: at,
    closedAt: at,
    updatedAt: at,
    headSha: head,
    mergeSha: null,
    commits: [],
    reviews: [],
    threads,
    comments: [],
    readAt: at,
  }
  return { snapshot, findings }
}
