import { postJson } from '../../proofs/tools/client.ts'
import type { Finding } from '../../proofs/tools/report.ts'
import { makeSentences } from '../../server/test/bulk/learnings.ts'
import { startEmbeddingServer } from '../../server/test/engines/embedding-server.ts'
import { type Embedder, openHttpEmbedder } from '../../server/test/learning-search.ts'
import { startApi } from '../../server/test/process.ts'
import type { World } from './world.ts'

const ITEMS = 100
const GOAL = 1.3
const PACE_MS = 100
const DIMENSIONS = 768

interface Setting {
  readonly name: string
  readonly embedder: Embedder
  readonly settings: Readonly<Record<string, string>>
}

/** A hundred Learnings through the door, against the embedding of the same texts alone. */
export async function measureBatches(world: World, rounds: number, local: boolean): Promise<Finding[]> {
  const server = await startEmbeddingServer({ dimensions: DIMENSIONS })
  try {
    await server.behave('slow', { delayMs: PACE_MS })
    const http = httpSetting(server.url)
    const findings = [await measureBatch(world, http, rounds)]
    if (local)
      findings.push(
        await measureBatch(
          world,
          { name: 'the local model', embedder: world.embedder, settings: {} },
          rounds,
        ),
      )
    return findings
  } finally {
    await server.stop()
  }
}

function httpSetting(url: string): Setting {
  return {
    name: `a model over HTTP that takes ${PACE_MS} ms a batch`,
    embedder: openHttpEmbedder({
      url,
      model: 'bench',
      dimensions: DIMENSIONS,
      sendDimensions: false,
      apiKey: null,
      timeoutMs: 5_000,
    }),
    settings: { EMBEDDER_URL: url, EMBEDDER_MODEL: 'bench', EMBEDDER_DIMENSIONS: String(DIMENSIONS) },
  }
}

async function measureBatch(
  world: World,
  { name, embedder, settings }: Setting,
  rounds: number,
): Promise<Finding> {
  const { superuser, database, key, repositories } = world
  await superuser.query('delete from learning_model')
  await superuser.query(`insert into learning_model values ($1, $2, 'active')`, [
    embedder.model,
    embedder.dimensions,
  ])
  const api = await startApi(database, { ...settings, LIMIT_LEARNINGS_WRITES: 'off' })
  try {
    const taken: { door: number; bare: number }[] = []
    for (let round = 0; round <= rounds; round++) {
      const texts = newTexts(name, round)
      const data = texts.map((learning, place) => ({
        repository_id: repositories[place % repositories.length],
        learning,
      }))
      const bare = await timeOf(() => embedder.embed(texts))
      const door = await timeOf(async () => {
        const { status, text } = await postJson(`${api.url}/v1/learnings`, key, JSON.stringify({ data }))
        if (status !== 200 || !text.includes(`"created_count":${ITEMS}`))
          throw new Error(`A batch was answered ${status}: ${text.slice(0, 400)}`)
      })
      // The first warms up both.
      if (round > 0) taken.push({ door, bare })
    }
    const middle = taken.toSorted((a, b) => a.door / a.bare - b.door / b.bare)[Math.floor(rounds / 2)]
    if (middle === undefined) throw new Error('There was no round.')
    const { door, bare } = middle
    return {
      measure: `${ITEMS} created ÷ embedded alone, ${name} (${door.toFixed(1)} ms ÷ ${bare.toFixed(1)} ms, median of ${rounds})`,
      goal: `≤ ${GOAL}`,
      result: (door / bare).toFixed(2),
      met: door / bare <= GOAL,
    }
  } finally {
    await api.stop()
  }
}

function newTexts(name: string, round: number): string[] {
  const sentences = makeSentences()
  return Array.from(
    { length: ITEMS },
    (_, place) =>
      `${sentences[(round * ITEMS + place) % sentences.length]} Told with ${name}, ${round}-${place}.`,
  )
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}
