import { spawnSync } from 'node:child_process'
import type { Finding } from './finding.ts'

export interface AddedLine {
  readonly file: string
  readonly line: number
  readonly text: string
}

/** Findings are stored as notes of the reviewed commits, so that no other storage is needed until the merge. */
const NOTES = '--ref=scholiast'

export function readDiff(base: string, head: string): string {
  return git(['diff', '--no-color', '--unified=3', '--diff-filter=AMR', `${base}...${head}`])
}

/** The lines that a diff adds, with their numbers in the new file. */
export function findAddedLines(diff: string): AddedLine[] {
  const added: AddedLine[] = []
  let file = ''
  let line = 0
  for (const text of diff.split('\n')) {
    const hunk = /^@@ -\d+(?:,\d+)? \+(\d+)/.exec(text)
    if (text.startsWith('+++ ')) file = text.slice(4).replace(/^b\//, '')
    else if (hunk) line = Number(hunk[1])
    else if (text.startsWith('+')) added.push({ file, line: line++, text: text.slice(1) })
    else if (text.startsWith(' ')) line++
  }
  return added
}

export function writeFindings(commit: string, findings: readonly Finding[]): void {
  git(['notes', NOTES, 'add', '--force', '--file=-', commit], JSON.stringify(findings))
}

/** The findings of all reviewed commits of a pull request; the latest review of a finding counts. */
export function readFindings(base: string, head: string): Finding[] {
  const commits = git(['rev-list', '--reverse', `${base}..${head}`])
    .split('\n')
    .filter(Boolean)
  const notes = new Set(
    git(['notes', NOTES, 'list'])
      .split('\n')
      .map((line) => line.split(' ')[1]),
  )
  const findings = commits
    .filter((commit) => notes.has(commit))
    .flatMap((commit) => JSON.parse(git(['notes', NOTES, 'show', commit])) as Finding[])
  return [...new Map(findings.map((finding) => [finding.id, finding])).values()]
}

/** The lines of a file at a commit; none if the file does not exist there. */
export function readLines(commit: string, file: string): string[] {
  const { status, stdout } = spawnSync('git', ['show', `${commit}:${file}`], { encoding: 'utf8' })
  return status === 0 ? stdout.split('\n') : []
}

export function git(words: readonly string[], input?: string): string {
  const { status, stdout, stderr, error } = spawnSync('git', words, {
    encoding: 'utf8',
    input,
    maxBuffer: 256 * 1024 ** 2,
  })
  if (status !== 0) throw new Error(`git ${words[0]} failed: ${error?.message ?? stderr.trim()}`)
  return stdout
}
