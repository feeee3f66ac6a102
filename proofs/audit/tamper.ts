import { chainHash, contentDigest } from '../../server/test/proofs/audit.ts'
import type { ChainFile } from './chain-file.ts'

/** Alters an export like an attacker who can write to the database, and returns the row that must be reported. */
export interface Tampering {
  readonly pieces: AsyncIterable<string>
  readonly firstBad: number
}

type ExportRow = Record<string, unknown> & { position: number; hash: string }
type Tamper = (chain: ChainFile) => Tampering

const hexDigits = '0 1 2 3 4 5 6 7 8 9 a b c d e f'.split(' ')

/** From 1 to the number of rows. */
function pickPosition(rows: number): number {
  return 1 + Math.floor(Math.random() * rows)
}

/** Passes each line of an export to `alter` with its position; the first has 0 and the last `null`. */
async function* alterLines(
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
  const target = pickPosition(chain.rows)
  return {
    firstBad: target,
    pieces: alterLines(chain, (line, position) => `${position === target ? flipCharacter(line) : line}\n`),
  }
}

/** Replaces one character. */
function flipCharacter(line: string): string {
  const at = Math.floor(Math.random() * line.length)
  const others = hexDigits.filter((digit) => digit !== line[at])
  return line.slice(0, at) + (others[Math.floor(Math.random() * others.length)] ?? '') + line.slice(at + 1)
}

const remove: Tamper = (chain) => {
  const target = pickPosition(chain.rows)
  const last = Math.min(chain.rows, target + Math.floor(Math.random() * 3))
  return {
    firstBad: target,
    pieces: alterLines(chain, (line, position) =>
      position !== null && position >= target && position <= last ? '' : `${line}\n`,
    ),
  }
}

/** Swaps two adjacent rows, with or without their positions. */
const reorder: Tamper = (chain) => {
  const target = pickPosition(chain.rows - 1)
  const renumber = Math.random() < 0.5
  let held = ''
  return {
    firstBad: target,
    pieces: alterLines(chain, (line, position) => {
      if (position === target) {
        held = line
        return ''
      }
      if (position !== target + 1) return `${line}\n`
      return renumber
        ? `${renumberRow(line, target)}\n${renumberRow(held, target + 1)}\n`
        : `${line}\n${held}\n`
    }),
  }
}

/** Inserts a forged row: a copy, one with a correct hash, or one after which all positions are shifted. */
const insert: Tamper = (chain) => {
  const target = pickPosition(chain.rows)
  const variant = Math.floor(Math.random() * 3)
  return {
    // A forged row with a correct hash is valid unless its position was signed; the row that it replaced then fails.
    firstBad:
      variant === 1 && chain.heads.every(({ position }) => position !== target + 1) ? target + 2 : target + 1,
    pieces: alterLines(chain, (line, position) => {
      if (position === target) return `${line}\n${forgeRow(line, variant)}\n`
      const shifts = variant === 2 && position !== null && position > target
      return `${shifts ? renumberRow(line, position + 1) : line}\n`
    }),
  }
}

function forgeRow(line: string, variant: number): string {
  if (variant === 0) return line
  const { position, hash, clear: _, ...content } = JSON.parse(line) as ExportRow
  const next = chainHash(Buffer.from(hash, 'hex'), position + 1, contentDigest(content)).toString('hex')
  return JSON.stringify({ ...content, position: position + 1, hash: variant === 1 ? next : hash })
}

/** Deletes everything after a row, and sets the head to that row. */
const cut: Tamper = (chain) => {
  const last = pickPosition(chain.rows) - 1
  let hash = '0'.repeat(64)
  return {
    firstBad: last + 1,
    pieces: alterLines(chain, (line, position) => {
      if (position === null) return `${JSON.stringify({ kind: 'end', head: { position: last, hash } })}\n`
      if (position > last) return ''
      if (position > 0) hash = (JSON.parse(line) as ExportRow).hash
      return `${line}\n`
    }),
  }
}

/** Changes a row and recomputes every hash from there on. */
const rebuild: Tamper = (chain) => {
  const target = pickPosition(chain.rows)
  let previous: Buffer = Buffer.alloc(32)
  return {
    firstBad: chain.heads.find(({ position }) => position >= target)?.position ?? 0,
    pieces: alterLines(chain, (line, position) => {
      if (position === 0) return `${line}\n`
      if (position === null) {
        const head = { position: chain.rows, hash: previous.toString('hex') }
        return `${JSON.stringify({ kind: 'end', head })}\n`
      }
      const { position: _, hash, clear, ...content } = JSON.parse(line) as ExportRow
      if (position < target) {
        previous = Buffer.from(hash, 'hex')
        return `${line}\n`
      }
      if (position === target) content['actor_id'] = null
      previous = chainHash(previous, position, contentDigest(content))
      return `${JSON.stringify({ ...content, position, hash: previous.toString('hex'), clear })}\n`
    }),
  }
}

function renumberRow(line: string, position: number): string {
  return JSON.stringify({ ...(JSON.parse(line) as ExportRow), position })
}

export const tamperings: Readonly<Record<string, Tamper>> = {
  flip,
  delete: remove,
  reorder,
  insert,
  cut,
  rebuild,
}
