import { readFileSync } from 'node:fs'
import { commonInReviews } from './common.ts'
import { fold } from './fold.ts'
import { decodeWords, type Packed } from './format.ts'

/** The words the service knows, what they mean and how telling they are. Read-only, shared by all who embed and rank. */
export interface Words {
  readonly dimensions: number
  readonly size: number
  readonly vectors: Int8Array
  readonly scales: Float32Array
  /** From 0, says nothing, to 1, says most. Terms that are not known weigh 1. */
  readonly weights: Float32Array
  readonly kinStarts: Uint32Array
  readonly kin: Uint32Array
  readonly kinLikeness: Uint8Array
  readonly subjectStarts: Uint32Array
  readonly subjects: Uint16Array
  readonly subjectShares: Uint8Array
  readonly subjectCount: number
  /** The places of known terms; phrases by their terms with a space between. */
  readonly places: ReadonlyMap<string, number>
  /** Terms with which a known phrase begins. */
  readonly phraseStarts: ReadonlySet<string>
  readonly fingerprint: string
}

export const wordsFile = new URL('../../../words.bin', import.meta.url)

/** Fails when the file was not built, or not by this version. */
export function openWords(file: URL = wordsFile): Words {
  const packed = decodeWords(readWords(file))
  if (packed === null) {
    throw new Error('The file of words is of another version, or cut off. Build it again: npm run build')
  }
  const places = new Map<string, number>()
  const phraseStarts = new Set<string>()
  for (const [place, term] of packed.terms.entries()) {
    places.set(term, place)
    const space = term.indexOf(' ')
    if (space !== -1) phraseStarts.add(term.slice(0, space))
  }
  return { ...packed, size: packed.terms.length, places, phraseStarts, weights: weigh(packed, places) }
}

function readWords(file: URL): Uint8Array<ArrayBuffer> {
  try {
    return readFileSync(file)
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? 'unknown'
    throw new Error(`The file of words cannot be read: ${reason}. Build it: npm run build`, {
      cause: error,
    })
  }
}

/** Rarity by the logarithm of how often a term is written, as in the inverse document frequency. */
function weigh({ frequencies }: Packed, places: ReadonlyMap<string, number>): Float32Array {
  const shares = Float32Array.from(frequencies)
  for (const [perThousand, words] of commonInReviews) {
    for (const word of words.split(/\s+/)) {
      const place = places.get(fold(word))
      if (place !== undefined) shares[place] = Math.max(shares[place] as number, perThousand / 1000)
    }
  }
  const rarest = Math.log(1 / RAREST)
  return shares.map((share) =>
    Math.min(1, Math.max(0, Math.log(MOST_COMMON / share) / (rarest + Math.log(MOST_COMMON)))),
  )
}

// Shares of running text between which weights spread from 0 to 1.
const MOST_COMMON = 0.05
const RAREST = 1e-6
