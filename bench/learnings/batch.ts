import { postJson } from '../../proofs/tools/client.ts'
import type { Measurement } from '../../proofs/tools/report.ts'
import { createSentences } from '../../server/test/bulk/learnings.ts'
import { startEmbeddingServer } from '../../server/test/engines/embedding-server.ts'
import { createHttpEmbedder, type Embedder } from '../../server/test/learning-search.ts'
import { startApi } from '../../server/test/process.ts'
import type { LearningsBench } from './bench-setup.ts'

const ITEMS = 100
const GOAL = 1.5
const MODEL_DELAY_MS = 100
const DIMENSIONS = 768

interface ModelSetting {
  readonly name: string
  readonly embedder: Embedder
  readonly settings: Readonly<Record<string, string>>
}

/** A hundred Learnings through the API, compared with only embedding the same texts. */
export function measureLocalBatch(bench: LearningsBench, size: number, rounds: number): Promise<Measurement> {
  const local = { name: 'the local model', embedder: bench.embedder, settings: {} }
  return measureBatch(bench, local, size, rounds)
}

/** The same with a model of constant speed. */
export async function measureHttpBatch(
  bench: LearningsBench,
  size: number,
  rounds: number,
): Promise<Measurement> {
  const server = await startEmbeddingServer({ dimensions: DIMENSIONS })
  try {
    await server.setFault('slow', { delayMs: MODEL_DELAY_MS })
    return await measureBatch(bench, httpSetting(server.url), size, rounds)
  } finally {
    await server.stop()
    await bench.activate(bench.embedder)
  }
}

function httpSetting(url: string): ModelSetting {
  return {
    name: `a model over HTTP that takes ${MODEL_DELAY_MS} ms a batch`,
    embedder: createHttpEmbedder({
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
  bench: LearningsBench,
  { name, embedder, settings }: ModelSetting,
  size: number,
  rounds: number,
): Promise<Measurement> {
  const { database, key, repositories } = bench
  await bench.activate(embedder)
  const api = await startApi(database, { ...settings, LIMIT_LEARNINGS_WRITES: 'off' })
  try {
    const taken: { service: number; bare: number }[] = []
    for (let round = 0; round <= rounds; round++) {
      const texts = newTexts(`${name} at ${size}`, round)
      const data = texts.map((learning, index) => ({
        repository_id: repositories[index % repositories.length],
        learning,
      }))
      const bare = await timeWork(() => embedder.embed(texts))
      const service = await timeWork(async () => {
        const { status, text } = await postJson(`${api.url}/v1/learnings`, key, JSON.stringify({ data }))
        if (status !== 200 || !text.includes(`"created_count":${ITEMS}`))
          throw new Error(`A batch returned ${status}: ${text.slice(0, 400)}`)
      })
      // The first round warms up both.
      if (round > 0) taken.push({ service, bare })
    }
    const middle = taken.toSorted((a, b) => a.service / a.bare - b.service / b.bare)[Math.floor(rounds / 2)]
    if (middle === undefined) throw new Error('No round was measured.')
    const { service, bare } = middle
    return {
      measure: `${size} Learnings: ${ITEMS} created ÷ only embedded, ${name} (${service.toFixed(1)} ms ÷ ${bare.toFixed(1)} ms, median of ${rounds})`,
      goal: `≤ ${GOAL}`,
      result: (service / bare).toFixed(2),
      met: service / bare <= GOAL,
    }
  } finally {
    await api.stop()
  }
}

function newTexts(name: string, round: number): string[] {
  const sentences = createSentences()
  return Array.from(
    { length: ITEMS },
    (_, index) =>
      `${sentences[(round * ITEMS + index) % sentences.length]} Written with ${name}, ${round}-${index}.`,
  )
}

async function timeWork(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}
