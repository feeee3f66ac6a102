import { type Measurement, report } from '../proofs/tools/report.ts'
import { ensureTools } from './engine-tools.ts'
import { measureHttpBatch, measureLocalBatch } from './learnings/batch.ts'
import { createLearningsBench } from './learnings/bench-setup.ts'
import { measureEventLoop } from './learnings/event-loop.ts'
import { measureRetrieval, type Plan } from './learnings/retrieve.ts'

const quick = process.argv.includes('--quick')
const onlySize = process.argv.find((argument) => argument.startsWith('--size='))?.slice('--size='.length)
const sizes = onlySize === undefined ? (quick ? [1_000, 12_000] : [1_000, 100_000]) : [Number(onlySize)]
const plan: Plan = quick ? { rounds: 1, seconds: 3 } : { rounds: 5, seconds: 4 }
const REVIEW_ROUNDS = quick ? 2 : 6
const BATCHES = quick ? 3 : 7

ensureTools()
const bench = await createLearningsBench()
try {
  const measurements: Measurement[] = []
  for (const size of sizes) {
    console.error(`growing to ${size} Learnings`)
    const start = performance.now()
    await bench.grow(size)
    console.error(`  grown and indexed in ${((performance.now() - start) / 1000).toFixed(1)} s`)
    measurements.push(...(await measureRetrieval(bench, size, plan)))
    measurements.push(await measureEventLoop(bench, size, REVIEW_ROUNDS))
    measurements.push(await measureLocalBatch(bench, size, BATCHES))
    if (size === sizes[0]) measurements.push(await measureHttpBatch(bench, size, BATCHES))
  }
  report('learnings: retrieval for a review, and batches of a hundred', measurements)
} finally {
  await bench.end()
}
