/** What a worker of the proof gets as JSON in its first argument. */
export interface WorkerSettings {
  /** The folder `src` of the server, or of a copy without a cure. */
  readonly source: string
  readonly clockFile: string
}

export type FromWorker =
  | { readonly kind: 'ready'; readonly owner: string }
  | { readonly kind: 'sleep'; readonly ms: number; readonly isIdle: boolean }
  /** A pull request was read because it changed. */
  | { readonly kind: 'read'; readonly repository: string; readonly number: number; readonly at: number }
  | { readonly kind: 'memory'; readonly heap: number; readonly rss: number }

export type ToWorker = { readonly kind: 'wake' } | { readonly kind: 'measure' }
