import { type Reading, UNKNOWN } from './read.ts'
import type { Words } from './words.ts'

/** What a text is about, as shares of subjects; of length 1 unless no word of it tells. */
export interface Subjects {
  readonly ids: Uint16Array
  readonly shares: Float32Array
}

const RARITY = 0.7
/** Makes the subject that several words speak for stand out from those that one word happens to belong to. */
const SHARPNESS = 1.5
/** What speaks less than this share of the loudest is left out: there is always a little of everything. */
const FAINT = 0.2
const MOST_SUBJECTS = 24

export function readSubjects(words: Words, reading: Reading): Subjects {
  const sums = addUp(words, reading)
  let loudest = 0
  for (let id = 0; id < sums.length; id++) loudest = Math.max(loudest, sums[id] as number)
  const heard: number[] = []
  for (let id = 0; id < sums.length; id++) if ((sums[id] as number) > FAINT * loudest) heard.push(id)
  if (heard.length > MOST_SUBJECTS) {
    heard.sort((a, b) => (sums[b] as number) - (sums[a] as number))
    heard.length = MOST_SUBJECTS
  }
  const ids = Uint16Array.from(heard)
  const shares = new Float32Array(ids.length)
  let squares = 0
  for (let at = 0; at < ids.length; at++) {
    const share = ((sums[ids[at] as number] as number) / loudest) ** SHARPNESS
    shares[at] = share
    squares += share * share
  }
  const length = Math.sqrt(squares) || 1
  for (let at = 0; at < shares.length; at++) shares[at] = (shares[at] as number) / length
  return { ids, shares }
}

function addUp(words: Words, { places, weights }: Reading): Float32Array {
  const { subjectStarts, subjects, subjectShares } = words
  const sums = new Float32Array(words.subjectCount)
  for (let at = 0; at < places.length; at++) {
    const place = places[at] as number
    if (place === UNKNOWN) continue
    const weight = (weights[at] as number) ** RARITY
    const end = subjectStarts[place + 1] as number
    for (let link = subjectStarts[place] as number; link < end; link++) {
      const subject = subjects[link] as number
      sums[subject] = (sums[subject] as number) + weight * (subjectShares[link] as number)
    }
  }
  return sums
}
