import { postJson } from '../../proofs/tools/client.ts'
import type { Measurement } from '../../proofs/tools/report.ts'
import { createSentences } from '../../server/test/bulk/learnings.ts'
import { freePort } from '../../server/test/free-port.ts'
import { startApi } from '../../server/test/process.ts'
import type { LearningsBench } from './bench-setup.ts'

const CALLERS = 50
const GOAL_MS = 50
const FILES = 6
const LINES_PER_FILE = 40

/** Concurrent reviews of diffs: the longest time in which the API process could not react to anything else. */
export async function measureEventLoop(
  bench: LearningsBench,
  size: number,
  rounds: number,
): Promise<Measurement> {
  const { database, repositories, key } = bench
  const metricsPort = await freePort()
  const settings = { LIMIT_REVIEW_CONTEXT: 'off', METRICS_PORT: String(metricsPort) }
  const api = await startApi(database, settings)
  const sendAll = async (round: number): Promise<number[]> =>
    Promise.all(
      Array.from({ length: CALLERS }, async (_, caller) => {
        const repository_id = repositories[caller % repositories.length]
        const body = JSON.stringify({ repository_id, diff: createDiff(round * CALLERS + caller) })
        const start = performance.now()
        const { status, text } = await postJson(`${api.url}/v1/review-context`, key, body)
        if (status !== 200) throw new Error(`A review returned ${status}: ${text.slice(0, 400)}`)
        return performance.now() - start
      }),
    )
  try {
    // The first round starts the threads of the model.
    await sendAll(0)
    await readMetrics(metricsPort)
    const times: number[] = []
    for (let round = 1; round <= rounds; round++) times.push(...(await sendAll(round)))
    // Reading the metrics also resets the maximum.
    const metrics = await readMetrics(metricsPort)
    const longest = 1000 * getMetric(metrics, 'nodejs_eventloop_lag_max_seconds')
    const megabytes = Math.round(getMetric(metrics, 'process_resident_memory_bytes') / 1024 ** 2)
    const sorted = times.toSorted((a, b) => a - b)
    const at = (share: number) => Math.round(sorted[Math.floor(share * (sorted.length - 1))] ?? 0)
    const response = `p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, ${megabytes} MB resident`
    return {
      measure: `${size} Learnings, ${CALLERS} concurrent diffs of ${FILES * LINES_PER_FILE} lines: longest block (${response})`,
      goal: `≤ ${GOAL_MS} ms`,
      result: `${longest.toFixed(1)} ms`,
      met: longest <= GOAL_MS,
    }
  } finally {
    await api.stop()
  }
}

async function readMetrics(port: number): Promise<string> {
  return (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
}

function getMetric(metrics: string, name: string): number {
  const line = metrics.split('\n').find((text) => text.startsWith(`${name} `))
  if (line === undefined) throw new Error(`The metric ${name} is missing.`)
  return Number(line.slice(name.length))
}

/** Code with comments; no two diffs are equal. */
function createDiff(number: number): string {
  const sentences = createSentences()
  return Array.from({ length: FILES }, (_, file) => {
    const path = `src/module-${(number + file) % 97}/part-${file}.ts`
    const lines = Array.from({ length: LINES_PER_FILE }, (_line, line) => {
      const name = `value${number}x${line}`
      return line % 8 === 0
        ? `+  // ${sentences[(number * 31 + file * 7 + line) % sentences.length]}`
        : `+  const ${name} = await this.client.fetchRecords(${name}Options, { retries: ${line}, timeoutMs: ${number} })`
    })
    return [`--- a/${path}`, `+++ b/${path}`, `@@ -1,2 +1,${LINES_PER_FILE + 2} @@`, ...lines].join('\n')
  }).join('\n')
}
