import { toTimestamp } from './calendar.ts'
import type { Finding } from './findings.ts'
import type { Outcome } from './outcomes.ts'
import type { PullRequest } from './pull-requests.ts'
import { type Random, randomOf } from './random.ts'

/** Where and how a finding was posted, for comparing reviewers. */
export interface FindingDetails {
  readonly file: string
  readonly start_line: number
  readonly end_line: number
  readonly commit: string
  readonly posted_at: string
  readonly posted_as: 'inline' | 'body'
  readonly parser: string
  readonly sketch: readonly number[]
}

const folders = ['api', 'billing', 'events', 'search', 'storage', 'sync', 'users', 'web']
const files = ['client', 'handler', 'model', 'parser', 'queue', 'schema', 'service', 'worker']
const SKETCH_NUMBERS = 24
const MAX_NUMBER = 0xffff

/** Generated apart from the findings: they are the same as before the details existed. */
export function detailsOf(pullRequest: PullRequest, findings: readonly Finding[]): FindingDetails[] {
  const { repository, number, readyAt, finalizedAt } = pullRequest
  const random = randomOf(`details/${repository.repository_id}/${number}`)
  const commit = hexOf(random, 40)
  const details: FindingDetails[] = []
  for (const { reviewer } of findings) {
    const postedAt = Math.floor(readyAt + random.between(0.01, 0.15) * (finalizedAt - readyAt))
    const start_line = random.integer(1, 900)
    const fresh = {
      file: `src/${random.pick(folders)}/${random.pick(files)}.ts`,
      start_line,
      end_line: start_line + random.integer(0, 6),
      sketch: sketchOf(random),
    }
    const isSame = random.chance(0.3)
    const same = isSame ? details.findLast((_, at) => findings[at]?.reviewer !== reviewer) : undefined
    details.push({
      ...(same === undefined ? fresh : seenAgain(random, same)),
      commit,
      posted_at: toTimestamp(postedAt),
      posted_as: random.chance(0.92) ? 'inline' : 'body',
      parser: 'demo@1',
    })
  }
  return details
}

/** The same finding of another reviewer: close by, in mostly the same words. */
function seenAgain(random: Random, { file, start_line, end_line, sketch }: FindingDetails) {
  const distance = random.integer(0, 2)
  const others = sketchOf(random).slice(0, SKETCH_NUMBERS / 4)
  const numbers = [...new Set([...sketch.slice(0, (3 * SKETCH_NUMBERS) / 4), ...others])]
  return {
    file,
    start_line: start_line + distance,
    end_line: end_line + distance,
    sketch: numbers.toSorted((a, b) => a - b),
  }
}

function sketchOf(random: Random): number[] {
  const numbers = Array.from({ length: SKETCH_NUMBERS }, () => random.integer(0, MAX_NUMBER))
  return [...new Set(numbers)].toSorted((a, b) => a - b)
}

function hexOf(random: Random, length: number): string {
  return Array.from({ length }, () => random.integer(0, 15).toString(16)).join('')
}

/** Reviewers that looked at a pull request, also without a finding. */
export function reviewersOf({ repository, number }: PullRequest): string[] {
  const random = randomOf(`reviewers/${repository.repository_id}/${number}`)
  return ['scholiast', 'scholiast-security', ...(random.chance(0.7) ? ['house-rules'] : [])]
}

/** Why a detector or the provider decided as it did. */
export function reasonOf(pullRequest: PullRequest, { finding, accepted, source, at }: Outcome): object {
  if (source === 'person') return {}
  if (source === 'provider')
    return { rule: 'provider', evidence: [{ kind: 'provider', at: toTimestamp(at) }] }
  if (accepted !== true) return { rule: 'unresolved', evidence: [{ kind: 'thread', at: null }] }
  const random = randomOf(`reason/${finding}`)
  const { readyAt, lastCommitAt } = pullRequest
  const fixedAt = Math.floor(lastCommitAt - random.between(0, 0.6) * Math.max(0, lastCommitAt - readyAt))
  return { rule: 'suggestion', evidence: [{ kind: 'commit', at: toTimestamp(fixedAt) }] }
}
