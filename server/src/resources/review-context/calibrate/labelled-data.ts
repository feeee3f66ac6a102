import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { type Static, Type } from 'typebox'
import { explainShapeErrors } from '../../../http/explain-shape.ts'
import { closedObject, compileShape } from '../../../shape.ts'

const id = Type.String({ minLength: 1, maxLength: 200 })
const path = Type.String({ minLength: 1, maxLength: 1024 })

const LabelledLearning = closedObject({
  id,
  learning: Type.String({ minLength: 1, maxLength: 20_000 }),
  /** The file or folder that it was written for. */
  file: Type.Optional(path),
})

const Situation = closedObject({
  id,
  text: Type.Optional(Type.String({ maxLength: 20_000 })),
  diff: Type.Optional(Type.String({ maxLength: 1_048_576 })),
  files: Type.Optional(Type.Array(path, { maxItems: 300 })),
  /** Ids of the Learnings that the review needs; empty if none applies. */
  relevant: Type.Array(id, { maxItems: 50 }),
  /** A query without a meaning, which must find nothing. */
  nonsense: Type.Optional(Type.Boolean()),
  /** The set and the source of labelled data, and whether nothing may be chosen on it; evals/README.md describes them. */
  set: Type.Optional(id),
  source: Type.Optional(id),
  split: Type.Optional(Type.Union([Type.Literal('calibration'), Type.Literal('held-out')])),
})

export type LabelledLearning = Static<typeof LabelledLearning>
/** What a review asks for, and the Learnings that it needs. */
export type Situation = Static<typeof Situation>

export interface LabelledData {
  readonly learnings: readonly LabelledLearning[]
  readonly situations: readonly Situation[]
}

const isLearning = compileShape(LabelledLearning)
const isSituation = compileShape(Situation)
const MAX_RECORDS = 20_000

/** The sets of situations that come with the server. */
const shippedSets = ['paraphrases', 'diffs', 'identifiers', 'nothing-applies', 'nonsense'] as const

/** Written by hand, without looking at the ranking. */
export function readShippedLearnings(): Promise<LabelledData> {
  return readShippedFile('learnings')
}

/** `relevant` names Learnings of `readShippedLearnings`. */
async function readShippedSituations(set: (typeof shippedSets)[number]): Promise<readonly Situation[]> {
  return (await readShippedFile(set)).situations
}

function readShippedFile(name: string): Promise<LabelledData> {
  return readLabelledFile(fileURLToPath(new URL(`../../../../calibration/${name}.jsonl`, import.meta.url)))
}

/** The labelled data that comes with the server, and that of a team. */
export async function readLabelledData(ownFile?: string): Promise<LabelledData> {
  const { learnings } = await readShippedLearnings()
  const situations = await Promise.all(shippedSets.map(readShippedSituations))
  const shipped = { learnings, situations: situations.flat() }
  checkReferences(shipped)
  if (ownFile === undefined) return shipped
  const own = await readLabelledFile(ownFile)
  checkReferences(own, ownFile)
  return {
    learnings: [
      ...shipped.learnings,
      ...own.learnings.map((learning) => ({ ...learning, id: toOwnId(learning.id) })),
    ],
    situations: [
      ...shipped.situations,
      ...own.situations.map((situation) => ({
        ...situation,
        id: toOwnId(situation.id),
        relevant: situation.relevant.map(toOwnId),
      })),
    ],
  }
}

/** The ids of a team and ours do not meet. */
function toOwnId(given: string): string {
  return `own:${given}`
}

/** Nothing is chosen on these situations: they show what a choice is worth. About half of those that do not say. */
export function isHeldOut({ id: name, split }: Pick<Situation, 'id' | 'split'>): boolean {
  if (split !== undefined) return split === 'held-out'
  return Number.parseInt(hash('sha256', name).slice(0, 2), 16) % 2 === 1
}

async function readLabelledFile(file: string): Promise<LabelledData> {
  const learnings: LabelledLearning[] = []
  const situations: Situation[] = []
  const lines = (await readFile(file, 'utf8')).split('\n')
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '') continue
    const record = parseLine(line, `${file}:${index + 1}`)
    if ('learning' in record) learnings.push(record)
    else situations.push(record)
    if (learnings.length + situations.length > MAX_RECORDS)
      throw new Error(`${file} has more than ${MAX_RECORDS} records. Leave some of them out.`)
  }
  return { learnings, situations }
}

function parseLine(line: string, position: string): LabelledLearning | Situation {
  let record: unknown
  try {
    record = JSON.parse(line)
  } catch {
    throw new Error(`${position}: The line is not JSON. Write one object per line.`)
  }
  const isKnownLearning = typeof record === 'object' && record !== null && 'learning' in record
  const isValid = isKnownLearning ? isLearning : isSituation
  if (!isValid(record))
    throw new Error(
      `${position}: ${explainShapeErrors(isKnownLearning ? 'Learning' : 'situation', isValid.errors)}`,
    )
  return record as LabelledLearning | Situation
}

function checkReferences({ learnings, situations }: LabelledData, file = 'The labelled data'): void {
  const known = learnings.map((learning) => learning.id)
  const repeated = findRepeated(known) ?? findRepeated(situations.map((situation) => situation.id))
  if (repeated !== undefined) throw new Error(`${file} has two records with the id "${repeated}".`)
  const ids = new Set(known)
  const unknown = situations.flatMap(({ relevant }) => relevant).find((relevant) => !ids.has(relevant))
  if (unknown !== undefined) throw new Error(`${file} has no Learning with the id "${unknown}".`)
}

function findRepeated(ids: readonly string[]): string | undefined {
  const seen = new Set<string>()
  return ids.find((each) => seen.size === seen.add(each).size)
}
