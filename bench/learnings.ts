import { type Measurement, report } from '../proofs/tools/report.ts'
import { ensureTools } from './engine-tools.ts'
import { measureBatches } from './learnings/batch.ts'
import { makeLearningsBench } from './learnings/bench-setup.ts'
import { measureRetrieval, type Plan } from './learnings/retrieve.ts'

const quick = process.argv.includes('--quick')
const sizes = quick ? [1_000, 20_000] : [1_000, 100_000, 1_000_000]
const plan: Plan = quick ? { rounds: 3, seconds: 3 } : { rounds: 7, seconds: 5 }
const BATCHES = quick ? 5 : 15

ensureTools()
const bench = await makeLearningsBench()
try {
  const measurements: Measurement[] = []
  for (const size of sizes) {
    console.error(`growing to ${size} Learnings`)
    const start = performance.now()
    await bench.grow(size)
    console.error(`  grown and indexed in ${((performance.now() - start) / 1000).toFixed(1)} s`)
    measurements.push(...(await measureRetrieval(bench, size, plan)))
  }
  measurements.push(...(await measureBatches(bench, BATCHES, !quick)))
  report('learnings: retrieval for a review, and batches of a hundred', measurements)
} finally {
  await bench.end()
}
