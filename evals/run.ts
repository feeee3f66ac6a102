// Runs one evaluation, or the same with a cure removed. `npm run prove -- NAME` calls it.
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { ProofOptions } from '../proofs/run.ts'
import { copyWithout, type SourceCopy } from '../proofs/tools/copy.ts'
import { readCases } from './cases.ts'
import type { Case, Cure, Evaluation } from './evaluation.ts'
import { measureAll, printErrors, printTable } from './table.ts'

const evaluations = new Map<string, () => Promise<{ readonly evaluation: Evaluation }>>([
  ['redaction', () => import('./redaction.ts')],
  ['retrieval', () => import('./retrieval.ts')],
  ['contradictions', () => import('./contradictions.ts')],
  ['same-finding', () => import('./same-finding.ts')],
  ['outcomes', () => import('./outcomes.ts')],
  ['identity', () => import('./identity.ts')],
])

/** Fails if a goal is missed. Without cures it fails, as it must, only if a goal is missed without each of them. */
export async function prove(options: ProofOptions): Promise<void> {
  const load = evaluations.get(options.name)
  if (load === undefined) throw new Error(`There is no evaluation called ${options.name}.`)
  const { evaluation } = await load()
  const { data, withoutCure } = options
  const read = readCases(data === undefined ? evaluation.data : pathToFileURL(resolve(data)))
  const prepared = evaluation.prepare?.(read, options)
  const cases = prepared?.cases ?? read
  try {
    const isMissed = withoutCure
      ? await missesWithoutCures(evaluation, options, cases)
      : !(await evaluate(evaluation, options, cases))
    if (isMissed) process.exitCode = 1
  } finally {
    prepared?.remove()
  }
}

async function missesWithoutCures(
  evaluation: Evaluation,
  options: ProofOptions,
  cases: readonly Case[],
): Promise<boolean> {
  const unnoticed: Cure[] = []
  for (const cure of evaluation.cures)
    if (await evaluate(evaluation, options, cases, cure)) unnoticed.push(cure)
  for (const { title } of unnoticed) console.log(`The missing cure was not noticed: ${title}`)
  return unnoticed.length === 0
}

/** Returns whether all goals are met. */
async function evaluate(
  evaluation: Evaluation,
  options: ProofOptions,
  cases: readonly Case[],
  cure?: Cure,
): Promise<boolean> {
  const copy = cure === undefined ? null : await copyWithout([cure.edit])
  try {
    const isBrought = options.data !== undefined
    const run = { cases, isBrought, options, copy, load: createLoader(copy) }
    const { judged, rows = [], notes = [] } = await evaluation.judge(run)
    const all = [...measureAll(evaluation.measures, judged), ...rows]
    printTable(cure === undefined ? options.name : `${options.name} without a cure: ${cure.title}`, all)
    if (cure === undefined) printErrors(judged)
    for (const note of notes) console.log(`\n  ${note}`)
    return all.every(({ met }) => met !== false)
  } finally {
    await copy?.remove()
  }
}

function createLoader(copy: SourceCopy | null) {
  return async <Module>(shipped: Module, file: string): Promise<Module> =>
    copy === null ? shipped : ((await import(pathToFileURL(`${copy.folder}/src/${file}`).href)) as Module)
}
