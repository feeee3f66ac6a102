import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { historyArbitrary } from '../../../test/learnings/model/history.ts'
import {
  type LearningsInstallation,
  startLearningsInstallation,
} from '../../../test/learnings/model/installation.ts'
import { runHistory } from '../../../test/learnings/model/run.ts'

const HISTORIES = 200

let lane: LearningsInstallation

before(async () => {
  lane = await startLearningsInstallation()
})
after(() => lane.close())

// `npm run prove -- lifecycle` runs ten thousand histories.
test('random histories of Learnings leave the server in the state of the model [P11-identity-2 P11-dry-run-1]', async () => {
  await fc.assert(
    fc.asyncProperty(historyArbitrary, (history) => runHistory(lane, history)),
    { numRuns: HISTORIES, endOnFailure: false },
  )
})
