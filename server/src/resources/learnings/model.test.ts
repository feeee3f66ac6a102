import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { anyHistory } from '../../../test/learnings/model/history.ts'
import { type Lane, openLane } from '../../../test/learnings/model/lane.ts'
import { runHistory } from '../../../test/learnings/model/run.ts'

const HISTORIES = 200

let lane: Lane

before(async () => {
  lane = await openLane()
})
after(() => lane.close())

// `npm run prove -- lifecycle` runs ten thousand.
test('whatever happens to Learnings, the service is where the contract says', async () => {
  await fc.assert(
    fc.asyncProperty(anyHistory, (history) => runHistory(lane, history)),
    { numRuns: HISTORIES, endOnFailure: false },
  )
})
