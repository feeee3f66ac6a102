import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readQueryTerms } from '../../../text/rank/query.ts'
import { chooseCalibration, measureCalibration } from './choose.ts'
import { isHeldOut, readLabelledData } from './labelled-data.ts'
import { type PreparedSituation, prepareSituations } from './prepare.ts'

/** A situation whose best candidate has this similarity. */
function situation(
  id: string,
  similarity: number,
  more: Partial<PreparedSituation['situation']> = {},
): PreparedSituation {
  const candidate = { id: 'rule', text: 'Hold the mutex.', file: null, similarity }
  const other = { id: 'other', text: 'Use the word plain.', file: null, similarity: 0 }
  return {
    situation: { id, text: 'plain', relevant: [], ...more },
    query: { terms: readQueryTerms(more.nonsense ? 'qwertz' : 'plain'), files: [] },
    candidates: [candidate, other],
    isPart: false,
  }
}

const nothingApplies = Array.from({ length: 100 }, (_, index) => situation(`nothing:${index}`, index / 200))

test('a rule that is missing costs as much as ten useless ones', () => {
  const hidden = (count: number) =>
    Array.from({ length: count }, (_, index) => situation(`relevant:${index}`, 0.3, { relevant: ['rule'] }))
  const alike = Array.from({ length: 30 }, (_, index) => situation(`alike:${index}`, 0.3))
  const isShown = (count: number) => chooseCalibration([...hidden(count), ...alike]).floor <= 0.3
  assert.deepEqual([isShown(2), isShown(4)], [false, true])
})

test('few situations in which nothing applies have a strong match', () => {
  const relevant = [situation('relevant', 0.9, { relevant: ['rule'] })]
  const calibration = chooseCalibration([...relevant, ...nothingApplies])
  const quality = measureCalibration([...relevant, ...nothingApplies], calibration)
  assert.ok(quality.withoutStrong >= 97)
  assert.equal(quality.withFloor.recallAt5, 1)
  assert.deepEqual(chooseCalibration([...nothingApplies, ...relevant]), calibration)
})

test('nonsense finds nothing, whatever it costs', () => {
  const nonsense = situation('nonsense', 0.71, { nonsense: true })
  const calibration = chooseCalibration([...nothingApplies, nonsense])
  assert.equal(measureCalibration([nonsense], calibration).answeredNonsense, 0)
  assert.equal(calibration.unsharedFloor, 0.74)
  assert.ok(calibration.strong >= 0.74)
})

test('the weight of terms is the one that ranks best', () => {
  const byTerms = {
    ...situation('terms', 0.5, { relevant: ['other'] }),
    query: { terms: readQueryTerms('use the plain word'), files: [] },
  }
  assert.equal(chooseCalibration([byTerms]).terms, 0.8)
  assert.equal(chooseCalibration([situation('similar', 0.5, { relevant: ['rule'] })]).terms, 0.05)
})

test('the shipped data has both halves of everything, and works without a model', async () => {
  const data = await readLabelledData()
  const prepared = await prepareSituations(data, null)
  for (const held of [true, false]) {
    const half = prepared.filter((each) => isHeldOut(each.situation) === held)
    const calibration = chooseCalibration(half)
    assert.deepEqual([calibration.similarity, calibration.terms], [0, 1])
    const quality = measureCalibration(half, calibration)
    assert.ok(quality.ranked.situations > 150 && quality.nothingApplies > 50 && quality.nonsense > 40)
    assert.equal(quality.answeredNonsense, 0)
  }
})
