import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient, type IngestEvent } from '@scholiast/sdk'
import { type EventFile, openEventFile } from '@scholiast/sdk/event-file'
import { toReviewTarget } from '../server/test/pull-requests.ts'
import { createNumberedEvents, type NumberedEvents } from './ingest/events.ts'
import { connectToQueue } from './ingest/hostile.ts'
import { type Installation, startInstallation } from './ingest/installation.ts'
import { createWriteLog } from './ingest/verify.ts'
import type { ProofOptions } from './run.ts'
import { type Measurement, report } from './tools/report.ts'

/** Everything that holds events or what is known of them. */
const lostStreams = ['QUEUE', 'WAITS', 'DEAD', 'STATUS'] as const
const KEEPERS = 3
const PLAIN = 2
const PAUSE_MS = 20
const FLUSH_EVERY = 20
const BACKLOG_MS = 1_500
const MIN_EVENTS = 150
const SETTLE_MS = 60_000
const NEVER_MS = 3_600_000

/** The queue is deleted with all that it has acknowledged: senders that keep their events lose none. */
export async function prove({ withoutCure, quick }: ProofOptions): Promise<void> {
  const rounds = quick ? 3 : 20
  const folder = await mkdtemp(join(tmpdir(), 'scholiast-proof-'))
  const installation = await startInstallation()
  try {
    // Without the cure, events are kept, but what the service does not know is never sent again.
    const resendAfterMs = withoutCure ? NEVER_MS : 2_000
    const settleMs = withoutCure ? 5_000 : SETTLE_MS
    const title = 'lost-queue: the streams of the queue are deleted under load'
    report(
      withoutCure ? `${title}, and unknown events are not sent again` : title,
      await run(installation, { rounds, folder, resendAfterMs, settleMs }),
    )
  } finally {
    await installation.stop()
    await rm(folder, { recursive: true })
  }
}

interface Plan {
  readonly rounds: number
  readonly folder: string
  readonly resendAfterMs: number
  readonly settleMs: number
}

async function run(installation: Installation, plan: Plan): Promise<Measurement[]> {
  const superuser = installation.database.superuser()
  try {
    await superuser.query(createWriteLog)
    const events = createNumberedEvents(
      installation.root.organizations.map((organization) => toReviewTarget(organization)),
    )
    const numbers = { next: 1 }
    const sending = { on: true }
    const keepers = Array.from({ length: KEEPERS }, (_, index) =>
      sendKept(installation, events, numbers, sending, {
        ...plan,
        file: join(plan.folder, `${index}.jsonl`),
      }),
    )
    const plain = Array.from({ length: PLAIN }, () => sendPlain(installation, events, numbers, sending))
    for (let round = 0; round < plan.rounds; round += 1) {
      // The senders wait for the queue of the round before, as long as its answers said.
      for (const before = numbers.next; numbers.next < before + MIN_EVENTS; ) await sleep(100)
      await loseQueue(installation)
      console.error(`  round ${round + 1}: the queue was deleted after ${numbers.next} events`)
    }
    sending.on = false
    const stoppedAt = performance.now()
    const kept = await Promise.all(keepers)
    const settledMs = performance.now() - stoppedAt
    const accepted = (await Promise.all(plain)).flat()
    const { rows } = await superuser.query<{ number: string }>('select number from pull_request')
    const stored = new Set(rows.map(({ number }) => Number(number)))
    const { rows: repeated } = await superuser.query<{ found: number }>(
      'select count(*)::int - count(distinct number)::int as found from write_log',
    )
    const keptNumbers = kept.flatMap(({ numbers: own }) => own)
    const lost = keptNumbers.filter((number) => !stored.has(number)).length
    const plainLost = accepted.filter((number) => !stored.has(number)).length
    const left = kept.reduce((sum, one) => sum + one.left, 0)
    return [
      {
        measure: `${plan.rounds} times ${lostStreams.join(', ')} deleted; ${keptNumbers.length} events of senders that keep them: lost`,
        goal: '0',
        result: lost,
        met: lost === 0 && keptNumbers.length > 0,
      },
      {
        measure: `of ${accepted.length} that other senders got accepted: lost`,
        goal: '> 0, or the faults were none',
        result: plainLost,
        met: plainLost > 0,
      },
      {
        measure: 'stored twice',
        goal: '0',
        result: repeated[0]?.found ?? -1,
        met: repeated[0]?.found === 0,
      },
      {
        measure: `still in the files ${(settledMs / 1000).toFixed(1)} s after the last event`,
        goal: '0',
        result: left,
        met: left === 0,
      },
    ]
  } finally {
    await superuser.end()
  }
}

/** Deletes the streams while events wait in them, as after the loss of every copy. A worker that starts creates them again. */
function loseQueue(installation: Installation): Promise<void> {
  return installation.kill('worker', async () => {
    await sleep(BACKLOG_MS)
    const { bus } = await connectToQueue(installation)
    for (const name of lostStreams) await bus.manager.streams.delete(bus.streamName(name))
    await bus.close()
  })
}

type Sending = { readonly on: boolean }

/** Sends with a file. In the middle, the process of the sender ends without a word, and the next one goes on with its file. */
async function sendKept(
  installation: Installation,
  events: NumberedEvents,
  numbers: { next: number },
  sending: Sending,
  { file, resendAfterMs, settleMs }: Pick<Plan, 'resendAfterMs' | 'settleMs'> & { readonly file: string },
): Promise<{ readonly numbers: readonly number[]; readonly left: number }> {
  const own: number[] = []
  const client = createClient({ baseUrl: installation.url(), ingestKey: installation.credential })
  let keep: EventFile = await openEventFile(file)
  let ingest = client.ingest({ keep, resendAfterMs })
  for (let count = 1; sending.on; count += 1) {
    const number = numbers.next++
    await ingest.add(events.finalized(number) as IngestEvent).catch(() => undefined)
    own.push(number)
    if (count % FLUSH_EVERY === 0) await ingest.flush().catch(() => undefined)
    if (count % (11 * FLUSH_EVERY) === 0) {
      await keep.close()
      keep = await openEventFile(file)
      ingest = client.ingest({ keep, resendAfterMs })
    }
    await sleep(PAUSE_MS)
  }
  const left = await ingest.settle(settleMs)
  await keep.close()
  return { numbers: own, left }
}

/** Sends without a file. Returns the numbers of the accepted events. */
async function sendPlain(
  installation: Installation,
  events: NumberedEvents,
  numbers: { next: number },
  sending: Sending,
): Promise<readonly number[]> {
  const ingest = createClient({ baseUrl: installation.url(), ingestKey: installation.credential }).ingest()
  const accepted: number[] = []
  let waiting: number[] = []
  while (sending.on || waiting.length > 0) {
    if (sending.on) {
      const number = numbers.next++
      waiting.push(number)
      await ingest.add(events.finalized(number) as IngestEvent)
    }
    if (waiting.length >= FLUSH_EVERY || !sending.on) {
      const isSent = await ingest.flush().then(
        () => true,
        () => false,
      )
      if (isSent) {
        accepted.push(...waiting)
        waiting = []
      }
    }
    await sleep(PAUSE_MS)
  }
  return accepted
}
