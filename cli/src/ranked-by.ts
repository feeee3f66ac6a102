import type { Output } from './output.ts'

/** Says so if the service found Learnings by words only, which finds fewer. */
export function noteRanking(out: Output, rankedBy: 'meaning' | 'words' | undefined): void {
  if (rankedBy !== 'words') return
  out.note(
    'Found by words only, because the embedding model was not used: Learnings that say the same in other words are missing.',
  )
}
