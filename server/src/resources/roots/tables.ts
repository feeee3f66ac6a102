// Every table that holds rows of a tenant root, in an order that foreign keys allow. delete.test.ts compares them with
// the catalogue of the database: a table that is forgotten here fails it.

/** Of the main database, deleted by the worker's role under row-level security. */
export const mainTables = [
  'role_job_user',
  'role_job',
  'learning_task',
  'learning_origin',
  'learning_index',
  'learning',
  'learning_closing',
  'learning_event',
  'learning_setting',
  'learning_count',
  'learning_head',
  'security_finding',
  'security_scan',
  'security_head',
  'sarif_upload_part',
  'sarif_upload',
  'idempotency',
  'limit_window',
  'refusal_count',
  'seat_request',
  'seat',
  'seat_head',
  'repository_access',
  'membership',
  'custom_role',
  'account',
  'inventory_removal',
  'api_key',
  'person',
  'repository',
  'organization',
  'instance',
  'subscription',
  'outbox',
  'audit_clear',
  'metrics_placement',
] as const

/** In every metrics store. */
export const metricsTables = [
  'pull_request',
  'outcome',
  'review_comment_change',
  'review',
  'finding_count',
  'finding_stale',
  'mcp_usage',
  'mcp_event',
  'metrics_day',
  'review_day',
  'mcp_day',
  'metrics_head',
] as const

/** Only a function of the owner's deletes these, and only while the tombstone of their root stands there unfinished. */
export const auditTables = [
  'audit_log',
  'audit_count',
  'audit_actor',
  'audit_checkpoint',
  'audit_signed',
  'audit_head',
] as const

/** Goes with the indexes that it lists. */
export const vectorIndexTable = 'learning_near_index'

export type RootTable =
  | (typeof mainTables)[number]
  | (typeof metricsTables)[number]
  | (typeof auditTables)[number]
  | typeof vectorIndexTable

/** Of the main database. No near index is made of a root that has no Learnings left. */
export const deletionOrder: readonly RootTable[] = [
  ...mainTables.slice(0, mainTables.indexOf('learning_closing')),
  vectorIndexTable,
  ...mainTables.slice(mainTables.indexOf('learning_closing')),
  ...auditTables,
]
