import type { IngestEvent } from '@scholiast/sdk'
import type { Command } from 'commander'
import { addExamples } from '../command.ts'
import type { CliContext } from '../context.ts'
import { CliError, exitCodes } from '../exit.ts'
import { readInput } from '../files.ts'

export function addEventsCommands(events: Command, context: CliContext): void {
  const send = events
    .command('send')
    .description('Send events from a JSON or JSONL file (needs an ingest credential)')
    .argument('[file]', 'an event, an array of events, or one event per line; - for stdin', '-')
    .action((file: string) => sendEvents(context, file))
  addExamples(send, [
    {
      command: 'scholiast events send events.jsonl',
      explains: 'Rejected events are listed; then the exit code is 8',
    },
    { command: 'my-reviewer | scholiast events send', explains: 'From a pipe' },
  ])
  const status = events
    .command('status')
    .description('Show the status of events sent with your ingest credential')
    .action(() => showStatus(context))
  addExamples(status, [
    { command: 'scholiast events status', explains: 'Last event, waiting events, dead letters' },
  ])
}

async function sendEvents(context: CliContext, file: string): Promise<void> {
  const { out } = context
  const events = parseEvents((await readInput(context, file)).toString('utf8'), file)
  const warnings: { index: number; path: string; message: string }[] = []
  const ingest = context.ingestClient().ingest({
    onWarning: ({ index, path, message }) => warnings.push({ index, path, message }),
  })
  const progress = out.progress({ label: 'Sending', total: events.length })
  try {
    for (const [index, event] of events.entries()) {
      await ingest.add(event)
      progress.update(index + 1)
    }
    const { accepted, rejected } = await ingest.close()
    const refused = rejected.map(({ index, event, errors }) => ({ index, id: event.id, errors }))
    if (refused.length > 0) process.exitCode = exitCodes.partial
    if (out.isJson) {
      out.json({ accepted, rejected: refused, warnings })
      return
    }
    out.line(`${accepted} accepted, ${refused.length} rejected.`)
    if (refused.length > 0) {
      out.table(refused, [
        { heading: 'EVENT', value: ({ index }) => index, right: true },
        { heading: 'ID', value: ({ id }) => id },
        { heading: 'CODE', value: ({ errors }) => errors[0]?.code },
        { heading: 'REASON', value: ({ errors }) => errors[0]?.message, flexible: true },
      ])
    }
    for (const { index, path, message } of warnings) out.note(`Event ${index}, ${path}: ${message}`)
  } finally {
    progress.done()
  }
}

async function showStatus(context: CliContext): Promise<void> {
  const { out } = context
  const status = await context.ingestClient().get('/ingest/v1/status')
  if (out.isJson) {
    out.json(status)
    return
  }
  out.fields([
    ['Last event', status.last_event_at ?? 'never'],
    ['Seconds behind', status.lag_seconds],
    ['Dead letters', status.dead_letters],
    ['Waiting', status.waiting.reduce((sum, { count }) => sum + count, 0)],
  ])
  if (status.waiting.length === 0) return
  out.table(status.waiting, [
    { heading: 'WAITING', value: ({ count }) => count, right: true },
    { heading: 'TYPE', value: ({ type }) => type },
    { heading: 'ORGANIZATION', value: ({ organization }) => organization },
    { heading: 'REPOSITORY', value: ({ repository }) => repository },
    { heading: 'SINCE', value: ({ since }) => since },
  ])
}

/** The service checks the events; here it only matters where one ends. */
function parseEvents(text: string, file: string): IngestEvent[] {
  const whole = parseJson(text)
  if (whole !== undefined) return (Array.isArray(whole) ? whole : [whole]) as IngestEvent[]
  return text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return []
    const event = parseJson(line)
    if (event !== undefined) return [event as IngestEvent]
    throw new CliError(`Line ${index + 1} of ${file === '-' ? 'stdin' : file} is not JSON.`, {
      next: 'Send a JSON array, or one event per line.',
      exitCode: exitCodes.usage,
    })
  })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
