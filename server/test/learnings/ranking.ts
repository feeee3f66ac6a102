// The lexical and the vector half of the search, which a proof compares with the whole.
import { connect } from '../../src/db/connect.ts'
import { measureRecall } from '../../src/learning-index/maintenance/recall.ts'
import type { TestDatabase } from '../database.ts'

export { createLocalEmbedder } from '../../src/text/embed/local.ts'
export { lexicalScore } from '../../src/text/rank/rank.ts'
export { openWords } from '../../src/text/words/words.ts'

/** The share of the ten nearest rows of the local model that a search finds. */
export async function measureSearchRecall({ urls }: TestDatabase): Promise<number> {
  const pool = connect({ url: urls.worker, name: 'proof', connections: 1 })
  try {
    return (await measureRecall(pool, { model: 'local-words-1', dimensions: 100 })) ?? 0
  } finally {
    await pool.end()
  }
}
