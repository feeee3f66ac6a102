import type { Command } from 'commander'
import { addExamples } from '../command.ts'
import type { CliContext } from '../context.ts'

export function addIngestCommands(ingest: Command, context: CliContext): void {
  const status = ingest
    .command('status')
    .description('Show whether events of the workspace or of the organization arrive')
    .action(() => showStatus(context))
  addExamples(status, [
    { command: 'scholiast ingest status', explains: 'Last event, queue, parked messages, dead letters' },
    {
      command: 'scholiast ingest status --org 41207731',
      explains: 'Status of one organization, with a workspace token',
    },
  ])
}

async function showStatus(context: CliContext): Promise<void> {
  const { out } = context
  const query = context.selectOrganization()
  const status = await context.client().get('/v1/ingest/status', { query })
  if (out.isJson) {
    out.json(status)
    return
  }
  const wholeWorkspace: (readonly [string, number])[] =
    status.queued === null || status.lag_seconds === null
      ? []
      : [
          ['Queued messages', status.queued],
          ['Seconds behind', status.lag_seconds],
        ]
  out.fields([
    ['Last event', status.last_event_at ?? 'none in the last 30 days'],
    ...wholeWorkspace,
    ['Parked messages', status.parked],
    ['Dead letters', status.dead_letters ?? 'unknown: their credential sends for several organizations'],
  ])
}
