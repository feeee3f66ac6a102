import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  createOutcomeDetector,
  GitWorkspaces,
  serveRepositories,
} from '../../server/test/connectors/outcomes.ts'
import type { Row } from '../evaluation.ts'
import { bot, createComment, createFinding, createSnapshot, createThread, toTime } from './pull-request.ts'

const FINDINGS = 100
const FILES = 25
const LINES = 200

/** A pull request with many findings in many files, over HTTP: processes and time. The CPU is that of this process, not of git. */
export async function measureSpeed(rounds: number): Promise<Row> {
  const folder = mkdtempSync(join(tmpdir(), 'scholiast-speed-'))
  const server = await serveRepositories(folder)
  const workspaces = await GitWorkspaces.open({ directory: join(folder, 'work'), allowHttp: true })
  try {
    const [commented, head] = createRepository(folder)
    const { snapshot, findings } = createPullRequest(commented, head)
    const review = { reviewers: [], findings, unparsedComments: 0 }
    const detect = createOutcomeDetector()
    const times: number[] = []
    const cpuTimes: number[] = []
    let calls = 0
    for (let round = 0; round < rounds; round++) {
      const started = performance.now()
      const cpu = process.cpuUsage()
      const remote = { url: `${server.origin}/repository.git`, header: null }
      const outcomes = await workspaces.withRepository('tenant', remote, [], async (repository) => {
        const found = await detect(snapshot, review, repository)
        calls = repository.calls
        return found
      })
      times.push(performance.now() - started)
      const { user, system } = process.cpuUsage(cpu)
      cpuTimes.push((user + system) / 1000)
      const decided = outcomes.filter(({ accepted }) => accepted !== null).length
      if (decided !== FINDINGS) throw new Error(`${FINDINGS - decided} of ${FINDINGS} findings are unknown.`)
    }
    const median = (all: readonly number[]) => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0
    return {
      measure: `a pull request with ${FINDINGS} findings in ${FILES} files`,
      result: `${calls} calls of git (1 for all reads, 2 fetches), ${median(times).toFixed(0)} ms, ${median(cpuTimes).toFixed(0)} ms of CPU`,
    }
  } finally {
    await workspaces.close()
    await server.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

function createRepository(folder: string): [commented: string, head: string] {
  const path = join(folder, 'repository.git')
  const git = (input: string, ...args: string[]) =>
    execFileSync('git', ['-C', path, ...args], { encoding: 'utf8', input }).trim()
  execFileSync('git', ['init', '--quiet', '--bare', path])
  git('', 'config', 'uploadpack.allowFilter', 'true')
  git('', 'config', 'uploadpack.allowAnySHA1InWant', 'true')
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
  git(commit('commented', false) + commit('head', true), 'fast-import', '--quiet')
  return [git('', 'rev-parse', 'commented'), git('', 'rev-parse', 'head')]
}

function createPullRequest(originalCommit: string, headSha: string) {
  const all = Array.from({ length: FINDINGS }, (_, index) => {
    const [id, path] = [String(index), `src/file-${index % FILES}.ts`]
    const line = Math.floor(index / FILES) * 50 + 10
    const comments = [createComment(index, { user: bot, body: '', createdAt: toTime(10) })]
    const lines = { originalStartLine: line, originalEndLine: line }
    const thread = createThread({ id, path, originalCommit, comments, ...lines })
    const clues = { suggestion: [`fixed ${index % FILES} ${line - 1}`] }
    return { thread, finding: createFinding(thread, { id, startLine: line, endLine: line }, clues) }
  })
  const threads = all.map(({ thread }) => thread)
  return { snapshot: createSnapshot({ headSha, threads }), findings: all.map(({ finding }) => finding) }
}
