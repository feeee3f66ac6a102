import { hash } from 'node:crypto'
import type { OrganizationId, RootId } from '../../ids.ts'
import type { Calibrations } from '../rank/calibration.ts'

const MAX_VECTORS = 2_000

/** The vectors of one model for texts that are compared again and again. The least recently used one is dropped first. */
export class VectorCache {
  readonly #vectors = new Map<string, Float32Array>()
  readonly #maxVectors: number

  constructor(maxVectors = MAX_VECTORS) {
    this.#maxVectors = maxVectors
  }

  get(model: string, text: string): Float32Array | undefined {
    const key = toKey(model, text)
    const vector = this.#vectors.get(key)
    if (vector !== undefined) this.#put(key, vector)
    return vector
  }

  set(model: string, text: string, vector: Float32Array): void {
    this.#put(toKey(model, text), vector)
    const [oldest] = this.#vectors.keys()
    if (this.#vectors.size > this.#maxVectors && oldest !== undefined) this.#vectors.delete(oldest)
  }

  #put(key: string, vector: Float32Array): void {
    this.#vectors.delete(key)
    this.#vectors.set(key, vector)
  }
}

/** A digest, so that no text stays in memory. */
function toKey(model: string, text: string): string {
  return `${model} ${hash('sha256', text, 'base64')}`
}

export interface EmbedOptions {
  /** The tenant whose texts they are: tenants take turns. Absent for work of the operator. */
  readonly root?: RootId
  /** Aborted if nobody waits for the vectors any more. */
  readonly signal?: AbortSignal
}

/** Turns redacted texts into vectors of one model. */
export interface Embedder {
  /** Identifies the vectors, including a version: vectors of two models are never compared. */
  readonly model: string
  readonly dimensions: number
  /** Returns one unit vector per text, in order. Rejects with EmbeddingError if any text fails, or if the caller aborts it. */
  embed(texts: readonly string[], options?: EmbedOptions): Promise<Float32Array[]>
  /** Loads the model, so that the first texts need not wait for it. Absent if there is nothing to load. */
  warmUp?(): Promise<void>
  /** Texts that wait for the model; absent if it has no queue in this process. */
  countWaiting?(): number
}

/** The similarity of two unit vectors. */
export function dotProduct(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += (a[i] as number) * (b[i] as number)
  return sum
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
  readonly fallbacks?: Fallbacks
}

/** Searches that used words only, because the model failed or was too slow. */
interface Fallbacks {
  count: number
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
  /** Vectors of pending Learnings, which are not indexed. */
  readonly pendingVectors: VectorCache
  readonly fallbacks: Fallbacks
}

export function createEmbedderSet(configured: readonly Embedder[]): EmbedderSet {
  return {
    configured,
    cachedModels: null,
    commonTerms: new Map(),
    pendingVectors: new VectorCache(),
    fallbacks: { count: 0 },
  }
}

/** The model is unavailable, too slow, or its response is invalid. The message never quotes texts or keys. */
export class EmbeddingError extends Error {
  override readonly name = 'EmbeddingError'
}
