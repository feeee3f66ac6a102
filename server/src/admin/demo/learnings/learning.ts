/** A Learning as somebody of the demo tenants wrote it. */
export interface DemoLearning {
  readonly text: string
  /** A path, or a folder with a slash at its end. */
  readonly file?: string
  readonly source: 'api' | 'chat' | 'review' | 'agent'
  /** Private ones belong to a pull request that is still open. */
  readonly state: 'shared' | 'pending' | 'private' | 'disapproved'
  readonly ageDays: number
  /** How often a review has used it so far. */
  readonly uses: number
}

/** By the repository_id of cast.ts. */
export type DemoLearnings = Readonly<Record<string, readonly DemoLearning[]>>
