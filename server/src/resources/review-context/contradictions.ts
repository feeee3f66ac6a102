import type { RequestContext } from '../../http/endpoint.ts'
import type { LearningId, OrganizationId } from '../../ids.ts'
import { type LearningPair, readPairSimilarities } from '../../learning-index/sql.ts'
import { findEvidence, isContradiction } from '../../text/contradictions/contradictions.ts'
import type { ReadGuidance } from '../../text/contradictions/read-guidance.ts'
import { getCloseness } from '../../text/embed/closeness.ts'
import type { EmbeddingModels } from '../../text/embed/embedder.ts'
import type { FoundLearning } from './schema.ts'
import type { CandidateRow } from './sql.ts'

/** A Learning that a review may receive. */
export interface RankedLearning {
  readonly row: CandidateRow
  /** What is returned of it. Only those that are returned are rendered. */
  readonly render: () => Omit<FoundLearning, 'contradicts'>
}

/** What a comparison needs. */
interface Prepared {
  readonly models: EmbeddingModels
  readonly readGuidance: ReadGuidance
}

/** By id: the Learnings that contradict it. */
type Contradictions = ReadonlyMap<LearningId, readonly LearningId[]>

// Every Learning is compared with every other one.
const MAX_COMPARED = 60

/** How many of the ranked Learnings are compared, to return `k` of them: a newer one may come before one of the first. */
export function getComparedCount(k: number): number {
  return Math.min(2 * k, MAX_COMPARED)
}

/** Returns the first `k`, each with those of them that contradict it. The one approved later comes first. */
export async function resolveContradictions(
  context: RequestContext<Prepared>,
  organization: OrganizationId,
  ranked: readonly RankedLearning[],
  k: number,
): Promise<FoundLearning[]> {
  const rows = ranked.map(({ row }) => row)
  const contradictions = await findContradictions(context, organization, rows)
  const ordered = putNewerFirst(rows, contradictions).slice(0, k)
  const returned = new Set(ordered.map(({ id }) => id))
  const byId = new Map(ranked.map(({ row, render }) => [row.id, render]))
  return ordered.flatMap(({ id }) => {
    const render = byId.get(id)
    const contradicts = (contradictions.get(id) ?? []).filter((other) => returned.has(other))
    return render === undefined ? [] : [{ ...render(), contradicts }]
  })
}

/** Reads from the database only if the words of two Learnings speak against each other. */
async function findContradictions(
  { scope, tx, prepared }: RequestContext<Prepared>,
  organization: OrganizationId,
  rows: readonly CandidateRow[],
): Promise<Contradictions> {
  const read = rows.map(({ id, text }) => ({ id, guidance: prepared.readGuidance(text) }))
  const suspected = read.flatMap((one, index) =>
    read.slice(index + 1).flatMap((other) => {
      const evidence = findEvidence(one.guidance, other.guidance)
      return evidence.length === 0 ? [] : [{ pair: [one.id, other.id] as LearningPair, evidence }]
    }),
  )
  const { active } = prepared.models
  const closeness = active && getCloseness(active.model)
  const pairs = suspected.map(({ pair }) => pair)
  const similarities = closeness
    ? await readPairSimilarities(scope, tx, organization, active.model, pairs)
    : []
  const found = new Map<LearningId, LearningId[]>()
  for (const [index, { pair, evidence }] of suspected.entries()) {
    const similarity = similarities[index] ?? null
    if (!isContradiction(evidence, closeness && similarity !== null ? { similarity, closeness } : null))
      continue
    for (const [id, other] of [pair, pair.toReversed()] as LearningPair[])
      found.set(id, [...(found.get(id) ?? []), other])
  }
  return found
}

/** If two contradict each other, the one approved later comes first. Otherwise the order stays. */
export function putNewerFirst<Learning extends Pick<CandidateRow, 'id' | 'position'>>(
  ranked: readonly Learning[],
  contradictions: Contradictions,
): Learning[] {
  const byId = new Map(ranked.map((learning) => [learning.id, learning]))
  const ordered = new Set<Learning>()
  const place = (learning: Learning): void => {
    const newer = (contradictions.get(learning.id) ?? [])
      .flatMap((id) => byId.get(id) ?? [])
      .filter((other) => getPosition(other) > getPosition(learning))
      .sort((a, b) => getPosition(b) - getPosition(a))
    for (const other of newer) place(other)
    ordered.add(learning)
  }
  for (const learning of ranked) place(learning)
  return [...ordered]
}

function getPosition({ position }: Pick<CandidateRow, 'position'>): number {
  return position ?? 0
}
