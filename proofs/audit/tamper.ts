import { chainHash, contentDigest } from '../../server/test/proofs/audit.ts'
import type { ChainFile } from './chain-file.ts'

/** Alters an export as somebody would who can write to the database, and says which row has to be named for it. */
export interface Tampering {
  readonly pieces: AsyncIterable<string>
  readonly firstBad: number
}

type Row = Record<string, unknown> & { position: number; hash: string }
type Tamper = (chain: ChainFile) => Tampering

const hexDigits = '0 1 2 3 4 5 6 7 8 9 a b c d e f'.split(' ')

/** From 1 to the number of rows. */
function pick(rows: number): number {
  return 1 + Math.floor(Math.random() * rows)
}

/** The lines of an export, each handed to `alter` with its position; the first has 0 and the last `null`. */
async function* altered(
  chain: ChainFile,
  alter: (line: string, position: number | null) => string,
): AsyncGenerator<string, void> {
  let rest = ''
  let position = 0
  for await (const piece of chain.pieces()) {
    const lines = (rest + piece).split('\n')
    rest = lines.pop() ?? ''
    let text = ''
    for (const line of lines) {
      text += alter(line, position > chain.rows ? null : position)
      position += 1
    }
    yield text
  }
}

const flip: Tamper = (chain) => {
  const place = pick(chain.rows)
  return {
    firstBad: place,
    pieces: altered(chain, (line, position) => `${position === place ? flipOne(line) : line}\n`),
  }
}

/** One character for another. */
function flipOne(line: string): string {
  const at = Math.floor(Math.random() * line.length)
  const others = hexDigits.filter((digit) => digit !== line[at])
  return line.slice(0, at) + (others[Math.floor(Math.random() * others.length)] ?? '') + line.slice(at + 1)
}

const remove: Tamper = (chain) => {
  const place = pick(chain.rows)
  const last = Math.min(chain.rows, place + Math.floor(Math.random() * 3))
  return {
    firstBad: place,
    pieces: altered(chain, (line, position) =>
      position !== null && position >= place && position <= last ? '' : `${line}\n`,
    ),
  }
}

/** Two neighbours change places, with their positions or without. */
const reorder: Tamper = (chain) => {
  const place = pick(chain.rows - 1)
  const renumber = Math.random() < 0.5
  let held = ''
  return {
    firstBad: place,
    pieces: altered(chain, (line, position) => {
      if (position === place) {
        held = line
        return ''
      }
      if (position !== place + 1) return `${line}\n`
      return renumber ? `${numbered(line, place)}\n${numbered(held, place + 1)}\n` : `${line}\n${held}\n`
    }),
  }
}

/** A row that never was: a copy, one that is chained on, or one for which all that follow make room. */
const insert: Tamper = (chain) => {
  const place = pick(chain.rows)
  const way = Math.floor(Math.random() * 3)
  return {
    // One that is chained on is right as far as it goes, unless its place was signed; then comes the row that it replaced.
    firstBad:
      way === 1 && chain.heads.every(({ position }) => position !== place + 1) ? place + 2 : place + 1,
    pieces: altered(chain, (line, position) => {
      if (position === place) return `${line}\n${forged(line, way)}\n`
      const shifts = way === 2 && position !== null && position > place
      return `${shifts ? numbered(line, position + 1) : line}\n`
    }),
  }
}

function forged(line: string, way: number): string {
  if (way === 0) return line
  const { position, hash, clear: _, ...content } = JSON.parse(line) as Row
  const next = chainHash(Buffer.from(hash, 'hex'), position + 1, contentDigest(content)).toString('hex')
  return JSON.stringify({ ...content, position: position + 1, hash: way === 1 ? next : hash })
}

/** Everything behind a row is gone, and the head says that the chain ends there. */
const cut: Tamper = (chain) => {
  const last = pick(chain.rows) - 1
  let hash = '0'.repeat(64)
  return {
    firstBad: last + 1,
    pieces: altered(chain, (line, position) => {
      if (position === null) return `${JSON.stringify({ kind: 'end', head: { position: last, hash } })}\n`
      if (position > last) return ''
      if (position > 0) hash = (JSON.parse(line) as Row).hash
      return `${line}\n`
    }),
  }
}

/** A row says something else, and every hash from there on is made anew. */
const rebuild: Tamper = (chain) => {
  const place = pick(chain.rows)
  let previous: Buffer = Buffer.alloc(32)
  return {
    firstBad: chain.heads.find(({ position }) => position >= place)?.position ?? 0,
    pieces: altered(chain, (line, position) => {
      if (position === 0) return `${line}\n`
      if (position === null) {
        const head = { position: chain.rows, hash: previous.toString('hex') }
        return `${JSON.stringify({ kind: 'end', head })}\n`
      }
      const { position: _, hash, clear, ...content } = JSON.parse(line) as Row
      if (position < place) {
        previous = Buffer.from(hash, 'hex')
        return `${line}\n`
      }
      if (position === place) content['actor_id'] = null
      previous = chainHash(previous, position, contentDigest(content))
      return `${JSON.stringify({ ...content, position, hash: previous.toString('hex'), clear })}\n`
    }),
  }
}

function numbered(line: string, position: number): string {
  return JSON.stringify({ ...(JSON.parse(line) as Row), position })
}

export const tamperings: Readonly<Record<string, Tamper>> = {
  flip,
  delete: remove,
  reorder,
  insert,
  cut,
  rebuild,
}
