import type { RepositoryRef } from '../snapshot.ts'
import { ProviderError } from './provider-client.ts'

// What writing back needs of a Git provider. It is apart from the client that reads, so that only the code for writing back can write.

export interface WriteClient {
  /** As it is now, not as it was read before. */
  isPrivate(repository: RepositoryRef): Promise<boolean>
  /** Paths of the files that a pull request changes, at most 300. */
  listChangedFiles(repository: RepositoryRef, number: number): Promise<string[]>
  /** ID of the check run of this App with this external id; null = there is none. */
  findCheckRun(repository: RepositoryRef, commit: string, externalId: string): Promise<string | null>
  createCheckRun(repository: RepositoryRef, run: NewCheckRun): Promise<string>
  updateCheckRun(repository: RepositoryRef, id: string, output: CheckRunOutput): Promise<void>
  createComment(repository: RepositoryRef, number: number, body: string): Promise<void>
}

export interface NewCheckRun {
  readonly commit: string
  readonly externalId: string
  readonly output: CheckRunOutput
}

export interface CheckRunOutput {
  readonly title: string
  /** Markdown. */
  readonly summary: string
}

/** The Git provider understands the request and refuses its content, so that another try is useless. */
export class WriteRefusedError extends ProviderError {
  override readonly name = 'WriteRefusedError'
}
