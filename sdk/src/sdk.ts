// The entry point of the package.
export {
  type AuditCrypto,
  type AuditLog,
  AuditLogError,
  type AuditVerification,
  type AuditVerificationOptions,
  verifyAuditLog,
} from './audit-log.ts'
export type { Change, ChangeBatch, ChangesOptions } from './changes.ts'
export { type Client, createClient } from './client.ts'
export { ScholiastError } from './error.ts'
export type { IngestEvent } from './event.ts'
export type {
  EventWarning,
  IngestClient,
  IngestOptions,
  IngestResult,
  RejectedEvent,
} from './ingest.ts'
export type { EventStore } from './keep.ts'
export type { components, paths } from './openapi.ts'
export type { ClientOptions } from './request.ts'
export type { RetryInfo, RetryOptions } from './retry.ts'
export type { Get, Item, Options, PagedPath, PathsOf, Result, RowsPath, StreamOptions } from './types.ts'
