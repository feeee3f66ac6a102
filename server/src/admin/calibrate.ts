import { readCalibrationsUnscoped, storeCalibrationUnscoped } from '../learning-index/sql.ts'
import {
  type CalibrationQuality,
  chooseCalibration,
  measureCalibration,
} from '../resources/review-context/calibrate/choose.ts'
import { isHeldOut, readLabelledData } from '../resources/review-context/calibrate/labelled-data.ts'
import { prepareSituations } from '../resources/review-context/calibrate/prepare.ts'
import { type Calibration, findCalibration, wordsCalibration } from '../text/rank/calibration.ts'
import { defineCommand, type OutputFields, option } from './command.ts'
import { chooseEmbedder, embedderOption, embedderSettings } from './embedder.ts'

export const calibrate = defineCommand({
  name: 'learnings calibrate',
  summary: 'Choose a model’s weights and floor on labelled data; without --apply, only show',
  environment: ['WORKER_DATABASE_URL', ...embedderSettings],
  options: {
    to: embedderOption,
    data: option.text(
      'FILE',
      'Labelled Learnings and situations of your own, besides the shipped ones (JSON Lines)',
      { maxLength: 1_000 },
    ),
    apply: option.flag('Store the calibration; searches use it within seconds'),
  },
  example: '--data our-situations.jsonl',
  async run(admin, { to, data, apply }) {
    const embedder = chooseEmbedder(admin, to)
    const { pool } = await admin.operator()
    const stored = await readCalibrationsUnscoped(pool)
    const before = findCalibration(embedder.model, stored)
    const labelled = await readLabelledData(data)
    admin.reportProgress(
      `Embedding ${labelled.learnings.length} Learnings and ${labelled.situations.length} situations with ${embedder.model}.`,
    )
    const situations = await prepareSituations(labelled, embedder, { inParts: true })
    const heldOut = situations.filter(({ situation, isPart }) => !isPart && isHeldOut(situation))
    const chosen = chooseCalibration(situations.filter(({ situation }) => !isHeldOut(situation)))
    if (apply) await storeCalibrationUnscoped(pool, embedder.model, chosen)
    const rows = [
      toRow(
        `before: ${describeOrigin(embedder.model, before, stored.has(embedder.model))}`,
        before ?? wordsCalibration,
        heldOut,
      ),
      toRow(apply ? 'now' : 'chosen', chosen, heldOut),
    ]
    const more = apply
      ? `Searches with ${embedder.model} use the new calibration within seconds.`
      : 'Nothing was changed. To store the chosen calibration, use --apply.'
    return { rows, emptyMessage: '', more }
  },
})

function describeOrigin(model: string, calibration: Calibration | null, isStored: boolean): string {
  if (calibration === null) return `words only, ${model} has no calibration`
  return isStored ? 'calibrated earlier' : 'shipped'
}

/** The figures are of the held-out half of the situations. */
function toRow(
  calibration: string,
  values: Calibration,
  heldOut: Parameters<typeof measureCalibration>[0],
): OutputFields {
  const { similarity, terms, floor, unsharedFloor, strong } = values
  return {
    calibration,
    similarity,
    terms,
    floor,
    unshared_floor: unsharedFloor,
    strong,
    ...renderQuality(measureCalibration(heldOut, values)),
  }
}

function renderQuality(quality: CalibrationQuality): OutputFields {
  const { ranked, withFloor, nothingApplies, withoutStrong, empty, nonsense, answeredNonsense } = quality
  return {
    mrr: round(ranked.reciprocalRank),
    recall_at_5: round(ranked.recallAt5),
    recall_at_5_with_floor: round(withFloor.recallAt5),
    no_strong_match: `${withoutStrong} of ${nothingApplies}`,
    empty: `${empty} of ${nothingApplies}`,
    nonsense_found: `${answeredNonsense} of ${nonsense}`,
  }
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000
}
