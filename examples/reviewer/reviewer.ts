// A small complete reviewer. README.md explains it step by step.
//   node reviewer.ts review   before the merge: reviews BASE...HEAD, prints Markdown and stores the findings
//   node reviewer.ts merged   after the merge: sends the pull request, its findings and their outcomes
import { type Client, createClient, type IngestEvent, ScholiastError } from '@scholiast/sdk'
import { digestOf, type Finding, toFinding } from './finding.ts'
import {
  type AddedLine,
  findAddedLines,
  git,
  readDiff,
  readFindings,
  readLines,
  writeFindings,
} from './git.ts'
import { askModel } from './model.ts'
import { applyRules } from './rules.ts'

interface PullRequest {
  readonly organization: { readonly provider: string; readonly id: string }
  readonly repository: { readonly id: string }
  readonly number: number
  readonly url: string
  readonly base: string
  readonly head: string
  readonly author: { readonly id: string; readonly username: string } | null
  readonly createdAt: string | null
  readonly mergedAt: string
}

// Limits of POST /v1/review-context.
const MAX_DIFF_LENGTH = 1_048_576
const MAX_FILES = 300

const [command] = process.argv.slice(2)
if (command === 'review') await review(readPullRequest())
else if (command === 'merged') await reportMerge(readPullRequest())
else {
  console.error('Usage: node reviewer.ts review|merged')
  process.exitCode = 2
}

async function review({ repository, number, base, head }: PullRequest): Promise<void> {
  const diff = readDiff(base, head)
  const lines = findAddedLines(diff)
  const guidance = await askForGuidance(connect(), repository.id, number, diff, lines)
  const { MODEL_URL: url, MODEL_NAME: name = 'default', MODEL_KEY: key } = process.env
  const remarks = url ? await askModel({ url, name, key }, diff, guidance, lines) : applyRules(lines)
  const textOf = new Map(lines.map(({ file, line, text }) => [`${file}:${line}`, text]))
  const findings = remarks.map((remark) =>
    toFinding(remark, textOf.get(`${remark.file}:${remark.line}`) ?? ''),
  )
  writeFindings(git(['rev-parse', head]).trim(), findings)
  console.log(renderReview(findings, guidance))
}

/** Guidance helps, but a review without it is better than none. */
async function askForGuidance(
  client: Client,
  repositoryId: string,
  number: number,
  diff: string,
  lines: readonly AddedLine[],
): Promise<string[]> {
  try {
    const { learnings } = await client.post('/v1/review-context', {
      body: {
        repository_id: repositoryId,
        ...(process.env['REVIEW_ORGANIZATION_ID'] && { org_id: process.env['REVIEW_ORGANIZATION_ID'] }),
        files: [...new Set(lines.map(({ file }) => file))].slice(0, MAX_FILES),
        diff: diff.slice(0, MAX_DIFF_LENGTH),
        pull_request: number,
      },
    })
    return learnings.map(({ learning }) => learning)
  } catch (error) {
    if (!(error instanceof ScholiastError)) throw error
    console.error(`Reviewing without guidance: ${error.message} (${error.code})`)
    return []
  }
}

async function reportMerge(pullRequest: PullRequest): Promise<void> {
  const { organization, repository, number, url, base, head, author, createdAt, mergedAt } = pullRequest
  const findings = readFindings(base, head)
  const events = connect().ingest({
    onRejected: ({ event, errors }) => console.error(`${event.id} was rejected: ${errors[0]?.message}`),
    onWarning: ({ event, path, message }) => console.error(`${event.id} ${path}: ${message}`),
  })
  const about = { organization, repository, number }
  // The ids follow from the pull request, so that running this again sends the same events, which count once.
  const idOf = (what: string) => digestOf(`${organization.id}/${repository.id}/${number}/${mergedAt}/${what}`)
  await events.add({
    id: idOf('finalized'),
    type: 'pull_request.finalized',
    version: 1,
    occurred_at: mergedAt,
    payload: {
      ...about,
      url,
      status: 'merged',
      author,
      created_at: createdAt,
      merged_at: mergedAt,
      findings: findings.map(({ id, severity, category }) => ({
        id,
        url: `${url}#finding-${id}`,
        severity,
        category,
        reviewer: 'example-reviewer',
      })),
    },
  })
  for (const finding of findings) {
    const outcome: IngestEvent = {
      id: idOf(finding.id),
      type: 'finding.outcome',
      version: 1,
      occurred_at: mergedAt,
      payload: { ...about, finding_id: finding.id, accepted: isFixed(finding, head), source: 'detector' },
    }
    await events.add(outcome)
  }
  const { accepted, rejected } = await events.close()
  console.log(`Findings: ${findings.length}. Events: ${accepted} accepted, ${rejected.length} rejected.`)
  if (rejected.length > 0) process.exitCode = 1
}

/** A finding counts as accepted if the line it is about is no longer in the merged file. */
function isFixed({ file, digest }: Finding, head: string): boolean {
  return !readLines(head, file).some((text) => digestOf(text) === digest)
}

function renderReview(findings: readonly Finding[], guidance: readonly string[]): string {
  const heading = `## Review\n\n${findings.length === 0 ? 'No findings.' : `Findings: ${findings.length}`}`
  const list = findings.map(
    ({ file, line, severity, message }) => `- **${severity}** \`${file}:${line}\`: ${message}`,
  )
  const notes = guidance.map((text) => `> ${text.replaceAll('\n', '\n> ')}`)
  return [
    heading,
    ...(list.length > 0 ? [list.join('\n')] : []),
    ...(notes.length > 0 ? ['Guidance of the team:', ...notes] : []),
  ].join('\n\n')
}

function connect(): Client {
  return createClient({
    baseUrl: required('SCHOLIAST_URL'),
    apiKey: process.env['SCHOLIAST_API_KEY'],
    ingestKey: process.env['SCHOLIAST_INGEST_KEY'],
    userAgent: 'example-reviewer',
    onRetry: ({ waitMs, reason }) => console.error(`Waiting ${Math.ceil(waitMs / 1000)} s: ${reason}`),
  })
}

function readPullRequest(): PullRequest {
  const authorId = process.env['PR_AUTHOR_ID']
  return {
    organization: {
      provider: process.env['REVIEW_PROVIDER'] || 'github',
      id: required('REVIEW_ORGANIZATION_ID'),
    },
    repository: { id: required('REVIEW_REPOSITORY_ID') },
    number: Number(required('PR_NUMBER')),
    url: required('PR_URL'),
    base: required('PR_BASE'),
    head: process.env['PR_HEAD'] || 'HEAD',
    author: authorId ? { id: authorId, username: process.env['PR_AUTHOR'] || authorId } : null,
    createdAt: process.env['PR_CREATED_AT'] || null,
    mergedAt: process.env['PR_MERGED_AT'] || new Date().toISOString(),
  }
}

function required(name: string): string {
  const value = process.env[name]
  if (value) return value
  console.error(`${name} is not set. README.md lists what the reviewer needs.`)
  process.exit(2)
}
