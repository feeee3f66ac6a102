import type { Command } from 'commander'
import { addExamples } from '../command.ts'
import type { CliContext } from '../context.ts'
import { CliError, exitCodes } from '../exit.ts'
import { findRepositoryId, git } from '../git.ts'
import { parseCount } from '../numbers.ts'
import { noteRanking } from '../ranked-by.ts'

interface ContextOptions {
  readonly repo?: string
  readonly base?: string
  readonly text?: string
  readonly k: number
  readonly pullRequest?: number
  readonly recordUse?: boolean
}

const MAX_DIFF_CHARACTERS = 1_048_576
const MAX_FILES = 300

export function addReviewContextCommand(reviewContext: Command, context: CliContext): void {
  reviewContext
    .option(
      '--base <ref>',
      'compare with the merge base of this branch or commit (default: uncommitted changes)',
    )
    .option(
      '--repo <id>',
      'repository: its ID at the Git provider (default: by the name of the remote "origin")',
    )
    .option('--text <text>', 'the change in your own words')
    .option('-k <count>', 'at most this many Learnings, 1 to 50', parseCount, 10)
    .option('--pull-request <number>', 'include private Learnings of this pull request', parseCount)
    .option('--record-use', 'count the Learnings as used, as a reviewer does')
    .action((options: ContextOptions) => showContext(context, options))
  addExamples(reviewContext, [
    {
      command: 'scholiast review-context --base main',
      explains: 'What a reviewer would be given for this branch',
    },
    { command: 'scholiast review-context --repo 620118401 --json', explains: 'Uncommitted changes, as JSON' },
  ])
}

async function showContext(context: CliContext, options: ContextOptions): Promise<void> {
  const { out } = context
  const { diff, files } = await readDiff(context, options.base)
  if (diff === '' && options.text === undefined) {
    throw new CliError('There is no change to look at.', {
      next: 'Change a file, or use --base REF or --text TEXT.',
      exitCode: exitCodes.usage,
    })
  }
  const repository = options.repo ?? (await findRepositoryId(context))
  const { learnings, ranked_by } = await context.client().post('/v1/review-context', {
    body: {
      repository_id: repository,
      ...context.selectOrganization(),
      ...(diff !== '' && { diff: diff.slice(0, MAX_DIFF_CHARACTERS), files: files.slice(0, MAX_FILES) }),
      ...(options.text !== undefined && { text: options.text }),
      ...(options.pullRequest !== undefined && { pull_request: options.pullRequest }),
      k: options.k,
      record_use: options.recordUse === true,
    },
  })
  if (diff.length > MAX_DIFF_CHARACTERS || files.length > MAX_FILES) {
    out.note('The diff is longer than the service accepts: its end was left out.')
  }
  out.rows(
    learnings,
    [
      { heading: 'MATCH', value: ({ match }) => match },
      { heading: 'SCORE', value: ({ score }) => score.toFixed(2), right: true },
      { heading: 'FILE', value: ({ file }) => file },
      { heading: 'AUTHOR', value: (learning) => learning.author_username },
      { heading: 'LEARNING', value: ({ learning }) => learning, flexible: true },
    ],
    'No Learning matches this change.',
  )
  noteRanking(out, ranked_by)
}

async function readDiff(
  context: CliContext,
  base: string | undefined,
): Promise<{ diff: string; files: string[] }> {
  const range = base === undefined ? ['HEAD'] : ['--merge-base', base]
  const names = await git(context.cwd, ['diff', ...range, '--name-only', '-z', '--'])
  return {
    diff: await git(context.cwd, ['diff', '--no-ext-diff', '--no-color', ...range, '--']),
    files: names.split('\0').filter((name) => name !== ''),
  }
}
