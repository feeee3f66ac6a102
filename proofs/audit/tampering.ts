import {
  AuditChainError,
  readSignedHeads,
  type SignedHeads,
  verifyExport,
} from '../../server/test/proofs/audit.ts'
import type { Measurement } from '../tools/report.ts'
import { type ChainFile, createChainFile, signer } from './chain-file.ts'
import { tamperings } from './tamper.ts'

const MIN_ROWS_PER_SECOND = 50_000
/** A quick run beside other tests cannot measure time; only the full proof does. */
const MIN_TIMED_ROWS = 1_000_000

export interface TamperingOptions {
  readonly rows: number
  /** Trials of each kind. */
  readonly trials: number
  /** The number of trials per chain. */
  readonly trialsOfChain: number
  readonly withHeads: boolean
}

interface Tally {
  readonly missed: Map<string, number>
  readonly misnamed: Map<string, number>
  alarms: number
  honest: number
  seconds: number
  clockSeconds: number
}

/** Every kind of tampering is detected and the first bad row reported; an unaltered chain is valid. */
export async function proveTampering(options: TamperingOptions): Promise<Measurement[]> {
  const { rows, trials, trialsOfChain, withHeads } = options
  const tally: Tally = {
    missed: new Map(),
    misnamed: new Map(),
    alarms: 0,
    honest: 0,
    seconds: 0,
    clockSeconds: 0,
  }
  for (let done = 0; done < trials; done += trialsOfChain) {
    const chain = await createChainFile(rows, Math.ceil(rows / 4))
    const heads = withHeads
      ? await readSignedHeads(
          [{ name: 'heads', pieces: renderHeadLines(chain) }],
          [signer.publicKey],
          chain.root,
        )
      : null
    await verifyHonest(chain, heads, tally)
    await tamperWith(chain, heads, Math.min(trialsOfChain, trials - done), tally)
    chain.remove()
  }
  return toMeasurements(options, tally)
}

async function verifyHonest(chain: ChainFile, heads: SignedHeads | null, tally: Tally): Promise<void> {
  const started = process.cpuUsage()
  const startedAt = performance.now()
  if ((await findChainFault(chain.pieces(), heads)) !== null) tally.alarms += 1
  const { user, system } = process.cpuUsage(started)
  tally.seconds += (user + system) / 1_000_000
  tally.clockSeconds += (performance.now() - startedAt) / 1000
  tally.honest += 1
}

async function tamperWith(
  chain: ChainFile,
  heads: SignedHeads | null,
  trials: number,
  tally: Tally,
): Promise<void> {
  const count = (of: Map<string, number>, kind: string) => of.set(kind, (of.get(kind) ?? 0) + 1)
  for (const [kind, tamper] of Object.entries(tamperings)) {
    for (let trial = 0; trial < trials; trial++) {
      const { pieces, firstBad } = tamper(chain)
      const fault = await findChainFault(pieces, heads)
      if (fault === null) count(tally.missed, kind)
      else if (fault.position !== firstBad) count(tally.misnamed, kind)
    }
  }
}

function toMeasurements({ rows, trials, withHeads }: TamperingOptions, tally: Tally): Measurement[] {
  const { missed, misnamed, alarms, honest, seconds, clockSeconds } = tally
  const renderCounts = (of: ReadonlyMap<string, number>) =>
    of.size === 0 ? '0' : [...of].map(([kind, count]) => `${kind} ${count}`).join(', ')
  const kinds = Object.keys(tamperings)
  const size = rows.toLocaleString('en')
  return [
    {
      measure: `${kinds.length} × ${trials} tamperings (${kinds.join(', ')}) with chains of ${size} rows: not detected`,
      goal: '0',
      result: renderCounts(missed),
      met: missed.size === 0,
    },
    {
      measure: '… detected, but another row reported',
      goal: '0',
      result: renderCounts(misnamed),
      met: misnamed.size === 0,
    },
    {
      measure: `… ${honest} unaltered chains: false alarms`,
      goal: '0',
      result: alarms,
      met: alarms === 0,
    },
    toRateMeasurement('of elapsed time', (honest * rows) / clockSeconds, rows >= MIN_TIMED_ROWS, withHeads),
    toRateMeasurement('of processor time', (honest * rows) / seconds, rows >= MIN_TIMED_ROWS, withHeads),
  ]
}

function toRateMeasurement(second: string, rate: number, isTimed: boolean, withHeads: boolean): Measurement {
  return {
    measure: `… rows verified per second ${second}, with ${withHeads ? 'signed heads and ' : ''}clear values`,
    goal: isTimed ? `≥ ${MIN_ROWS_PER_SECOND.toLocaleString('en')}` : '–',
    result: Math.round(rate).toLocaleString('en'),
    met: !isTimed || rate >= MIN_ROWS_PER_SECOND,
  }
}

async function* renderHeadLines({ heads }: ChainFile): AsyncGenerator<string, void> {
  for (const head of heads) yield await Promise.resolve(`${JSON.stringify(head)}\n`)
}

export async function findChainFault(
  pieces: AsyncIterable<string>,
  heads: SignedHeads | null,
): Promise<AuditChainError | null> {
  try {
    await verifyExport(pieces, () => Promise.resolve(heads))
    return null
  } catch (error) {
    if (error instanceof AuditChainError) return error
    throw error
  }
}
