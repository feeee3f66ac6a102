import type { OrganizationId } from '../../ids.ts'
import type { Calibrations } from '../rank/calibration.ts'
import { VectorCache } from './vector-cache.ts'

/** Turns redacted texts into vectors of one model. */
export interface Embedder {
  /** Identifies the vectors, including a version: vectors of two models are never compared. */
  readonly model: string
  readonly dimensions: number
  /**
   * Returns one unit vector per text, in order. Rejects with EmbeddingFailed if any text fails, or if the caller aborts it
   * because nobody waits for the vectors any more.
   */
  embed(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]>
  /** Loads the model, so that the first texts need not wait for it. Absent if there is nothing to load. */
  warmUp?(): Promise<void>
}

/** Which of the configured models an installation uses. */
export interface EmbeddingModels {
  /** All searches use it. Null: searches use words only, because there is no model or its rows are not complete yet. */
  readonly active: Embedder | null
  /** New texts are embedded with these too: a model that will become active, and briefly the one that was. */
  readonly filling: readonly Embedder[]
  /** Those that the operator chose; others are shipped. */
  readonly calibrations?: Calibrations
  /** By scope: organizations with a vector index of the active model. Valid as long as these models are cached. */
  readonly indexedOrganizations?: Map<string, ReadonlySet<OrganizationId>>
  readonly commonTerms?: CommonTermsCache
}

/** By organization: hashes of the terms that many of its Learnings contain. */
export type CommonTermsCache = Map<
  OrganizationId,
  { readonly until: number; readonly hashes: ReadonlySet<string> }
>

/** The models that a process is configured for, with its cache of those in use. */
export interface EmbedderSet {
  readonly configured: readonly Embedder[]
  cachedModels: { readonly until: number; readonly models: Promise<EmbeddingModels> } | null
  readonly commonTerms: CommonTermsCache
  /** Of pending Learnings, which are not indexed. */
  readonly pendingVectors: VectorCache
}

export function createEmbedderSet(configured: readonly Embedder[]): EmbedderSet {
  return { configured, cachedModels: null, commonTerms: new Map(), pendingVectors: new VectorCache() }
}

/** The model is unavailable, too slow, or its response is invalid. The message never quotes texts or keys. */
export class EmbeddingFailed extends Error {
  override readonly name = 'EmbeddingFailed'
}
