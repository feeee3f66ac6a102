import { type Finding, report } from '../proofs/tools/report.ts'
import { readyTools } from './engine-tools.ts'
import { measureBatches } from './learnings/batch.ts'
import { measureRetrieval, type Plan } from './learnings/retrieve.ts'
import { makeWorld } from './learnings/world.ts'

const quick = process.argv.includes('--quick')
const sizes = quick ? [1_000, 20_000] : [1_000, 100_000, 1_000_000]
const plan: Plan = quick ? { rounds: 3, seconds: 3 } : { rounds: 7, seconds: 5 }
const BATCHES = quick ? 5 : 15

readyTools()
const world = await makeWorld()
try {
  const findings: Finding[] = []
  for (const size of sizes) {
    console.error(`growing to ${size} Learnings`)
    const start = performance.now()
    await world.grow(size)
    console.error(`  grown and indexed in ${((performance.now() - start) / 1000).toFixed(1)} s`)
    findings.push(...(await measureRetrieval(world, size, plan)))
  }
  findings.push(...(await measureBatches(world, BATCHES, !quick)))
  report('learnings: retrieval for a review, and batches of a hundred', findings)
} finally {
  await world.end()
}
