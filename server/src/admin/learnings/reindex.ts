import { readSettings } from '../../config.ts'
import { reindex } from '../../learning-index/maintenance/reindex.ts'
import { type IndexStatus, readIndexStatusUnscoped } from '../../learning-index/maintenance/status-sql.ts'
import { makeLog } from '../../observe/log.ts'
import { createEmbedders } from '../../text/embed/create.ts'
import { createLocalEmbedder } from '../../text/embed/local.ts'
import { openWords } from '../../text/words/words.ts'
import { type AdminCommand, briefOutput, defineCommand, dryRunOption } from '../command.ts'
import type { AdminContext } from '../context.ts'

const embedderSettings = [
  'EMBEDDER_URL',
  'EMBEDDER_MODEL',
  'EMBEDDER_DIMENSIONS',
  'EMBEDDER_SEND_DIMENSIONS',
  'EMBEDDER_API_KEY',
  'EMBEDDER_TIMEOUT_MS',
]

const reindexCommand = defineCommand({
  name: 'learnings reindex',
  summary: 'Embed every shared Learning with the configured model, then search by it',
  environment: ['WORKER_DATABASE_URL', ...embedderSettings],
  options: {
    to: {
      kind: 'choice',
      choices: ['configured', 'local'],
      summary: 'The model that EMBEDDER_* names (configured), or the one that needs no server',
    },
    force: { kind: 'flag', summary: 'Search by it even if some node does not seem to know it' },
    'dry-run': dryRunOption,
  },
  positionals: ['to'],
  example: '--to local --dry-run',
  async run(admin, { to: choice = 'configured', force, 'dry-run': dryRun }) {
    const to = chooseEmbedder(admin, choice)
    const { pool, now } = await admin.operator()
    const { shared, active } = await readIndexStatusUnscoped(pool)
    if (dryRun) {
      const fields = { from: active, to: to.model, learnings: shared, dry_run: true }
      return briefOutput(
        `Would embed ${shared} Learnings with ${to.model}; searches use ${active ?? 'none'}.`,
        fields,
      )
    }
    const log = makeLog('admin', 'silent')
    const result = await reindex({ database: pool, log, now, to, force, report: admin.say })
    const { from, embedded, recallBefore, recallAfter } = result
    const fields = { from, to: to.model, embedded, recall_before: recallBefore, recall_after: recallAfter }
    const recall = `Searches found ${renderPercent(recallBefore)} of the ten nearest before, and ${renderPercent(recallAfter)} now.`
    return briefOutput(`${embedded} Learnings were embedded; searches use ${to.model}. ${recall}`, fields)
  },
})

function chooseEmbedder(admin: AdminContext, choice: 'configured' | 'local') {
  const local = createLocalEmbedder(openWords())
  const [first = local] = createEmbedders(
    readSettings(admin.env, (read) => read.embedder()),
    local,
  )
  return choice === 'local' ? local : first
}

function renderPercent(recall: number | null): string {
  return recall === null ? 'none' : `${(recall * 100).toFixed(1)} %`
}

const statusCommand = defineCommand({
  name: 'learnings status',
  summary: 'Show how many are shared, which models are in use, and what waits',
  options: {},
  example: '',
  async run(admin) {
    const status = await readIndexStatusUnscoped((await admin.operator()).pool)
    return { message: describeStatus(status), fields: { ...status } }
  },
})

function describeStatus({ active, filling, failing, terms_indexed }: IndexStatus): string {
  const sentences = [active === null ? 'No model is in use yet.' : `Searches use ${active}.`]
  if (filling.length > 0)
    sentences.push(`${filling.join(', ')} is being filled: run learnings reindex to finish it.`)
  if (failing > 0) sentences.push(`${failing} Learnings could not be indexed so far: is the model reachable?`)
  if (!terms_indexed) sentences.push('Searches for words are slow: run the database bootstrap again.')
  return sentences.join(' ')
}

export const learningCommands: readonly AdminCommand[] = [reindexCommand, statusCommand]
