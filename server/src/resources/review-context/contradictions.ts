import type { Scope } from '../../access/scope.ts'
import type { Tx } from '../../db/transaction.ts'
import type { LearningId, OrganizationId } from '../../ids.ts'
import { type LearningPair, readPairSimilarities } from '../../learning-index/similar-sql.ts'
import { findEvidence, isContradiction, readGuidance } from '../../text/contradictions.ts'
import { getCloseness } from '../../text/embed/closeness.ts'
import type { EmbeddingModels } from '../../text/embed/embedder.ts'

/** A Learning that a review may receive. */
interface Comparable {
  readonly id: LearningId
  readonly text: string
  /** Rises with every approval; null if the Learning is not approved. */
  readonly position: number | null
}

/** By id: the Learnings that contradict it. */
export type Contradictions = ReadonlyMap<LearningId, readonly LearningId[]>

/** Compares each Learning with each other one. Reads from the database only if the words of two speak against each other. */
export async function findContradictions(
  scope: Scope,
  tx: Tx,
  { active }: EmbeddingModels,
  organization: OrganizationId,
  learnings: readonly Comparable[],
): Promise<Contradictions> {
  const read = learnings.map(({ id, text }) => ({ id, guidance: readGuidance(text) }))
  const suspected = read.flatMap((one, index) =>
    read.slice(index + 1).flatMap((other) => {
      const evidence = findEvidence(one.guidance, other.guidance)
      return evidence.length === 0 ? [] : [{ pair: [one.id, other.id] as LearningPair, evidence }]
    }),
  )
  const closeness = active && getCloseness(active.model)
  const pairs = suspected.map(({ pair }) => pair)
  const similarities = closeness
    ? await readPairSimilarities(scope, tx, organization, active.model, pairs)
    : []
  const found = new Map<LearningId, LearningId[]>()
  const add = (id: LearningId, other: LearningId) => found.set(id, [...(found.get(id) ?? []), other])
  for (const [index, { pair, evidence }] of suspected.entries()) {
    const similarity = similarities[index] ?? null
    if (!isContradiction(evidence, closeness && similarity !== null ? { similarity, closeness } : null)) continue
    add(pair[0], pair[1])
    add(pair[1], pair[0])
  }
  return found
}

/** Of two that contradict each other, the one approved later comes first. Otherwise the order stays. */
export function putNewerFirst<Learning extends Comparable>(
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

function getPosition({ position }: Comparable): number {
  return position ?? 0
}
