// Every table with rows of a tenant root, in an order that foreign keys allow. delete.test.ts compares the list with the
// database catalogue and fails if a table is missing.

/** In the main database; deleted by the worker role under row-level security. */
export const mainTables = [
  'connector_budget',
  'connector_check_run',
  'connector_command',
  'connector_code_scanning',
  'connector_delivery',
  'connector_instruction',
  'connector_pull_request',
  'connector_repository',
  'connector',
  'role_job_user',
  'role_job',
  'learning_task',
  'learning_origin',
  'learning_index',
  'learning',
  'learning_tombstone',
  'closed_pull_request',
  'applied_learning_event',
  'learning_setting',
  'reviewer_price',
  'learning_count',
  'learning_head',
  'security_finding',
  'security_scan',
  'security_head',
  'sarif_upload_part',
  'sarif_upload',
  'sarif_upload_usage',
  'idempotent_request',
  'limit_window',
  'refusal_count',
  'received_event_count',
  'counted_event_id',
  'event_status',
  'seat_request',
  'seat',
  'seat_head',
  'repository_access',
  'membership',
  'scim_group_role',
  'scim_group_member',
  'scim_group',
  'scim_user',
  'scim_credential',
  'custom_role',
  'account',
  'inventory_removal',
  'api_key',
  'session',
  'identity',
  'passkey',
  'sign_in_link',
  'person',
  'repository',
  'organization',
  'instance',
  'subscription',
  'outbox',
  'restriction',
  'audit_clear',
  'metrics_placement',
  'restore_position',
] as const

/** In every metrics store. */
export const metricsTables = [
  'pull_request',
  'outcome',
  'review_comment_change',
  'finding',
  'finding_week',
  'mcp_usage',
  'mcp_event',
  'metrics_day',
  'mcp_day',
  'metrics_head',
] as const

/** Deleted only by a function of the owner role, and only while the root has an unfinished tombstone. */
export const auditTables = [
  'audit_log',
  'audit_count',
  'audit_actor',
  'audit_checkpoint',
  'audit_signed',
  'audit_signed_head',
  'audit_head',
] as const

/** Deleted together with the vector indexes that it lists. */
export const vectorIndexTable = 'learning_vector_index'

export type RootTable =
  | (typeof mainTables)[number]
  | (typeof metricsTables)[number]
  | (typeof auditTables)[number]
  | typeof vectorIndexTable

/** In the main database. Learnings come first, so that no vector index is created for the root again. */
export const deletionOrder: readonly RootTable[] = [
  ...mainTables.slice(0, mainTables.indexOf('closed_pull_request')),
  vectorIndexTable,
  ...mainTables.slice(mainTables.indexOf('closed_pull_request')),
  ...auditTables,
]
