import type { ProviderUser, PullRequestSnapshot, RepositoryRef } from '../snapshot.ts'

// What the engine needs of a Git provider. A client belongs to one connector and one class of work. It waits a few seconds for the rate
// budget, renews an expired token and makes pages smaller that are too slow; otherwise it throws one of the errors below, and the
// caller decides when to try again.

export interface ProviderClient {
  /** Throws if nothing can be read: the Git provider is unavailable, or does not accept the credential. As cheap as possible. */
  checkConnection(): Promise<void>
  /** The organization or group that the connector was made for. */
  readOrganization(): Promise<OrganizationInfo>
  /** Repositories that the credential can read. */
  listRepositories(): AsyncIterable<RepositoryRef>
  listMembers(): AsyncIterable<MemberInfo>
  /** Accounts that can read a repository. */
  listAccess(repository: RepositoryRef): AsyncIterable<ProviderUser>
  /** What an account may do in a repository at this moment. `none` also if the account is gone. */
  readPermission(repository: RepositoryRef, user: ProviderUser): Promise<Permission>
  /** Pull requests by creation, oldest first, from a cursor: for the backfill. */
  listCreated(repository: RepositoryRef, page: CreatedPageRequest): Promise<PullRequestPage>
  /** Pull requests updated since a time, newest first: for polling and the sweep. One that changes meanwhile can come twice. */
  listUpdated(repository: RepositoryRef, since: string): AsyncIterable<PullRequestHead>
  /** null = it is gone. */
  readPullRequest(repository: RepositoryRef, number: number): Promise<PullRequestSnapshot | null>
  /** All alerts of code scanning. None where the Git provider has it not, where it is switched off, or without the permission. */
  listCodeScanningAlerts(repository: RepositoryRef): AsyncIterable<CodeScanningAlert>
  /** null = there is none, for the same reasons. */
  readCodeScanningAlert(repository: RepositoryRef, number: number): Promise<CodeScanningAlert | null>
  /** For git. Never log it. */
  getCloneCredential(repository: RepositoryRef): Promise<CloneCredential>
}

/** Live work may use the whole rate budget, a backfill only the upper half. */
export type WorkClass = 'live' | 'backfill'

export interface OrganizationInfo {
  readonly id: string
  readonly name: string
}

export interface MemberInfo {
  readonly user: ProviderUser
  readonly name: string | null
  /** null where the Git provider does not show it. */
  readonly email: string | null
}

/** `read` may be what everybody has: of a public repository. */
export type Permission = 'none' | 'read' | 'write' | 'admin'

export function canWrite(permission: Permission): boolean {
  return permission === 'write' || permission === 'admin'
}

export interface CreatedPageRequest {
  /** `after` of the previous page; null = the first page. */
  readonly after: string | null
  readonly since: string
}

export interface PullRequestPage {
  /** Can be empty although pages follow. */
  readonly pullRequests: readonly PullRequestSnapshot[]
  /** Numbers of pull requests that the Git provider could not return: read them one by one later. */
  readonly failed: readonly number[]
  /** Pull requests that this page moved past, with those created before `since`: for the progress. */
  readonly examined: number
  /** Pull requests that there are to examine; null where the Git provider does not report it. */
  readonly total: number | null
  /** null = this was the last page. */
  readonly after: string | null
}

export interface PullRequestHead {
  readonly number: number
  readonly updatedAt: string
}

export interface CodeScanningAlert {
  readonly number: number
  readonly url: string
  readonly state: 'open' | 'fixed' | 'dismissed'
  readonly tool: string
  readonly ruleId: string
  readonly title: string
  readonly severity: 'critical' | 'high' | 'medium' | 'low' | null
  /** For example `CWE-79`. */
  readonly cwe: string | null
  readonly path: string | null
  readonly startLine: number | null
  readonly endLine: number | null
  readonly commit: string | null
  /** For example `refs/heads/main`. */
  readonly ref: string | null
  readonly createdAt: string
  readonly updatedAt: string
  readonly fixedAt: string | null
  readonly dismissedAt: string | null
  readonly dismissedReason: 'false_positive' | 'wont_fix' | 'used_in_tests' | 'other' | null
}

export interface CloneCredential {
  readonly url: string
  /** A whole header line for `http.extraHeader`. */
  readonly header: string
}

/** The message of these errors never has a secret, a query string or text of the Git provider. */
export abstract class ProviderError extends Error {}

/** The rate limit is used up, by the Git provider's word or by our own budget. */
export class RateLimitedError extends ProviderError {
  override readonly name = 'RateLimitedError'
  readonly retryAt: Date

  constructor(retryAt: Date) {
    super(`The rate limit is used up until ${retryAt.toISOString()}.`)
    this.retryAt = retryAt
  }
}

/** Time-out, connection failure, 5xx, an oversize or unreadable response: worth another try. */
export class ProviderUnavailableError extends ProviderError {
  override readonly name = 'ProviderUnavailableError'
}

/** The token, the key of the App or the installation is not accepted any more, or lacks a permission. */
export class CredentialRejectedError extends ProviderError {
  override readonly name = 'CredentialRejectedError'
}

/** It does not exist, or the credential cannot read it. */
export class NotFoundError extends ProviderError {
  override readonly name = 'NotFoundError'
}

export async function nullIfNotFound<Result>(work: Promise<Result>): Promise<Result | null> {
  try {
    return await work
  } catch (error) {
    if (error instanceof NotFoundError) return null
    throw error
  }
}

/** `user` is the name that the Git provider wants with a token. */
export function toCloneCredential(
  web: string,
  fullName: string,
  user: string,
  token: string,
): CloneCredential {
  const header = `Authorization: Basic ${Buffer.from(`${user}:${token}`).toString('base64')}`
  return { url: `${web}/${fullName}.git`, header }
}

/** The credential works, but may not read this part of a repository, or the part is switched off. */
export class RepositoryRefusedError extends ProviderError {
  override readonly name = 'RepositoryRefusedError'
}

/** Refused before anything was sent: the host is not on the operator's list, or its address is private. */
export class HostRefusedError extends ProviderError {
  override readonly name = 'HostRefusedError'
}
