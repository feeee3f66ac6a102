import { randomUUID } from 'node:crypto'
import type { TestRoot } from '../tenant.ts'

/** Statements with values that insert one row of an organization into each table. */
type InsertStatements = [text: string, values: unknown[]][]

export const metricsTables = [
  'pull_request',
  'finding',
  'finding_week',
  'outcome',
  'review_comment_change',
  'mcp_usage',
  'mcp_event',
]

function metricsRows(
  root: string,
  organization: string | undefined,
  index: number,
  instance: string | null,
): InsertStatements {
  const key = randomUUID()
  const owned = [root, key, organization, instance]
  return [
    [
      `insert into pull_request (root_id, pull_request_key, provider, host, repository_id, number, organization_id, instance_id,
         provider_organization_id, organization_name, url, status, reviewers, day, position, event_id, event_at, counted, review)
       values ($1, $2, 'github', 'github.com', '1', 1, $3, $4, '1', 'o', 'u', 'merged', '{}', now(), $5, 'e', now(), false, '{}')`,
      [...owned, index],
    ],
    [
      `insert into finding (root_id, pull_request_key, organization_id, instance_id, ordinal, finding_id, repository_id, day, counted, url)
       values ($1, $2, $3, $4, 0, 'f', '1', now(), false, 'u')`,
      owned,
    ],
    [
      `insert into finding_week values ($1, $2, coalesce($3, gen_random_uuid()), '2026-01-05', '', '', '', 1, 0, 0)`,
      [root, organization, instance],
    ],
    [`insert into outcome values ($1, $2, 'f', 'e', $3, $4, null, true, 'person', null, null, now())`, owned],
    [`insert into review_comment_change values ($1, $5, $3, $4, $2, '{}')`, [...owned, index]],
    [`insert into mcp_usage values ($1, $2, '1', $3, $4, null, now(), $5, '[]', '{}')`, [...owned, index]],
    [`insert into mcp_event values ($1, $2, 'e', $3, $4)`, owned],
  ]
}

export const securityTables = ['security_finding', 'security_scan']

function securityRows(
  root: string,
  organization: string | undefined,
  index: number,
  instance: string | null,
): InsertStatements {
  const values = [root, organization, instance]
  return [
    [
      `insert into security_finding (root_id, organization_id, instance_id, id, provider, host, provider_organization_id,
         organization_name, repository_id, repository_name, scan_id, severity, state, title, description, file_path,
         rule_id, tool, fingerprint, first_seen_at, last_seen_at, position)
       values ($1, $2, $3, $4, 'github', 'github.com', '1', 'o', '1', 'r', 's', 'low', 'open', 't', '', 'f', 'r', 't',
         'f', now(), now(), $5)`,
      [...values, randomUUID(), index + 1],
    ],
    [
      `insert into security_scan values ($1, $2, $3, '1', 't', 's', '', true, '', '', null, now(), 'e', 1)`,
      values,
    ],
  ]
}

export const organizationOrRootTables = ['idempotent_request', 'sarif_upload', 'sarif_upload_part']

/** Rows of an organization, or of the whole root. */
function organizationOrRootRows(root: string, organization: string | null | undefined): InsertStatements {
  const upload = randomUUID()
  return [
    [
      `insert into idempotent_request (root_id, organization_id, key_hash, request_hash) values ($1, $2, '\\x01', '\\x02')`,
      [root, organization],
    ],
    [
      'insert into sarif_upload (root_id, organization_id, id, created_at, bytes) values ($1, $2, $3, now(), 1)',
      [root, organization, upload],
    ],
    [
      `insert into sarif_upload_part (root_id, organization_id, upload_id, run, part, findings)
       values ($1, $2, $3, 0, 0, '[]')`,
      [root, organization, upload],
    ],
  ]
}

export const connectorTables = [
  'connector',
  'connector_budget',
  'connector_check_run',
  'connector_command',
  'connector_code_scanning',
  'connector_delivery',
  'connector_instruction',
  'connector_pull_request',
  'connector_repository',
]

function connectorRows(root: string, organization: string | undefined): InsertStatements {
  const id = randomUUID()
  const values = [root, organization, id]
  return [
    [
      `insert into connector (root_id, organization_id, id, provider, host, mode, account, credential, key_id, created_at,
         inventory_due_at) values ($1, $2, $3, 'github', 'github.com', 'polling', 'a', '\\x01', 'k', now(), now())`,
      values,
    ],
    [
      `insert into connector_repository (root_id, organization_id, connector_id, repository_id, full_name, private,
         readers_due_at, poll_due_at, sweep_due_at, backfill_since)
       values ($1, $2, $3, '1', 'a/r', true, now(), now(), now(), now())`,
      values,
    ],
    [
      `insert into connector_budget (root_id, organization_id, connector_id, resource, calls, busy_ms, refilled_at)
       values ($1, $2, $3, 'rest', 1, 1, now())`,
      values,
    ],
    [
      `insert into connector_code_scanning (root_id, organization_id, connector_id, repository_id, due_at)
       values ($1, $2, $3, '1', now())`,
      values,
    ],
    [
      `insert into connector_instruction (root_id, organization_id, repository_id, digest, number, state, decided_at)
       values ($1, $2, '1', sha256('1'), 1, 'proposed', now())`,
      [root, organization],
    ],
    [`insert into connector_check_run values ($1, $2, $3, '1', 1, 'a', '2', '\\x01', now())`, values],
    [`insert into connector_command values ($1, $2, $3, '1', 1, '3', '4', 'done', now())`, values],
    [`insert into connector_delivery values ($1, $2, $3, 'd', 'push', '1', 1, now())`, values],
    [
      `insert into connector_pull_request (root_id, organization_id, connector_id, repository_id, number)
       values ($1, $2, $3, '1', 1)`,
      values,
    ],
  ]
}

/** Rows that a root has once, independent of its organizations. */
function rootRows(root: string): InsertStatements {
  return [
    [`insert into metrics_head (root_id, position, largest_entry) values ($1, 3, 2)`, [root]],
    [`insert into metrics_day values ($1, '2026-01-01', 1, 1)`, [root]],
    [`insert into mcp_day values ($1, '2026-01-01', 1, 1)`, [root]],
    [`insert into metrics_placement values ($1, 'shared')`, [root]],
    [`insert into restore_position values ($1, 1, 3, 3, 3, 3)`, [root]],
    [`insert into learning_head values ($1, 3, 1)`, [root]],
    [`insert into security_head values ($1, 3)`, [root]],
    [`insert into sarif_upload_usage values ($1, 2)`, [root]],
  ]
}

export const learningTables = [
  'applied_learning_event',
  'learning',
  'closed_pull_request',
  'learning_count',
  'learning_index',
  'learning_vector_index',
  'learning_origin',
  'learning_setting',
  'learning_task',
  'learning_tombstone',
  'reviewer_price',
]

/** One row in each table, except for the counts: one for the organization and one for its repository. */
function learningRows(
  root: string,
  organization: string | undefined,
  index: number,
  instance: string | null,
): InsertStatements {
  const id = randomUUID()
  return [
    [
      `insert into learning (root_id, organization_id, instance_id, id, repository_id, state, text, content_hash,
         redactor_version, source, position, created_at, updated_at)
       values ($1, $2, $3, $4, '1', 'shared', 't', sha256('t'), 1, 'api', $5, now(), now())`,
      [root, organization, instance, id, index + 1],
    ],
    [`insert into learning_origin values ($1, $2, $3, '1', 1, now())`, [root, organization, id]],
    [
      `insert into applied_learning_event (root_id, organization_id, event_id, at) values ($1, $2, 'e', now())`,
      [root, organization],
    ],
    [`insert into closed_pull_request values ($1, $2, '1', 1, true, now())`, [root, organization]],
    [`insert into learning_task values ($1, $2, $3, 'index', now())`, [root, organization, id]],
    [`insert into learning_setting values ($1, $2, '', 'auto', 0)`, [root, organization]],
    [`insert into reviewer_price values ($1, $2, 'reviewer', 20, '2026-01-01')`, [root, organization]],
    [
      `insert into learning_tombstone values ($1, $2, sha256('d'), $3, '1', 1, now())`,
      [root, organization, randomUUID()],
    ],
    [`insert into learning_vector_index values ($1, $2, 'm', 'n')`, [root, organization]],
    [
      `insert into learning_index values ($1, $2, $3, $4, '1', 'm', sha256('t'), '[1,0]', '{1}')`,
      [root, organization, instance, id],
    ],
  ]
}

function roleJobRows(root: string, id: string, instance: string): InsertStatements {
  return [
    [
      `insert into role_job (root_id, id, instance_id, role, user_ids, key_id, address, created_at)
       values ($1, $2, $3, 'cr_member', '{1}', $2, '127.0.0.1', now())`,
      [root, id, instance],
    ],
    [`insert into role_job_user values ($1, $2, '1')`, [root, id]],
  ]
}

function seatRows(root: string, organization: string, person: string): InsertStatements {
  return [
    ['insert into seat (root_id, person_id) values ($1, $2)', [root, person]],
    ['insert into seat_request values ($1, $2, $3, now())', [root, person, organization]],
    [
      `insert into identity values ($1, 'https://id.example.com', 'subject', $2, now(), now())`,
      [root, person],
    ],
    [
      `insert into session (root_id, id, hash, person_id, method, user_agent, created_at, authenticated_at, last_used_at,
         expires_at) values ($1, gen_random_uuid(), sha256(($2::uuid)::text::bytea), $2, 'link', '', now(), now(), now(), now())`,
      [root, person],
    ],
    [
      `insert into passkey values ($1, gen_random_uuid(), $2, sha256(($2::uuid)::text::bytea), '\\x01', 0, '{}', 'p', now(), null)`,
      [root, person],
    ],
    [
      `insert into sign_in_link values ($1, gen_random_uuid(), $2, 'sign_in', sha256(($2::uuid)::text::bytea), now(), now(), null)`,
      [root, person],
    ],
  ]
}

function scimRows(root: string, organizations: readonly string[], person: string): InsertStatements {
  const group = randomUUID()
  return [
    [
      `insert into scim_credential (root_id, id, name, hash, prefix, last_four, created_at, expires_at)
       values ($1, $2, 'n', sha256(($2::uuid)::text::bytea), 'sch_scm_', 'abcd', now(), now())`,
      [root, randomUUID()],
    ],
    [`insert into scim_user values ($1, $2, 'e', 'u', '{}', now(), now())`, [root, person]],
    [`insert into scim_group values ($1, $2, 'e', 'g', now(), now())`, [root, group]],
    ['insert into scim_group_member values ($1, $2, $3)', [root, group, person]],
    ...organizations.map((organization): InsertStatements[number] => [
      `insert into scim_group_role values ($1, $2, $3, 'cr_member', null, now())`,
      [root, group, organization],
    ]),
  ]
}

/**
 * Inserts rows of a workspace that no command of the operator creates, and a self-hosted instance with one organization,
 * `member`. Together with the rows of the commands, every table of a tenant has one.
 */
export function insertsForEveryTable(
  { root, admin, organizations }: TestRoot,
  instance: string,
  member: string,
): InsertStatements {
  const [first, second] = organizations
  const organizationIds = [first.id, second?.id, member]
  const instanceFor = (organization: string | undefined) => (organization === member ? instance : null)
  return [
    [`insert into instance values ($1, $2, 'gitlab', 'git.example.com', 'i')`, [root, instance]],
    [
      `insert into organization (root_id, id, instance_id, provider, host, provider_organization_id, name)
      values ($1, $2, $3, 'gitlab', 'git.example.com', '5', 'of the instance')`,
      [root, member, instance],
    ],
    [
      `insert into repository (root_id, organization_id, id, provider, provider_repository_id, name)
      values ($1, $2, $3, 'gitlab', '6', 'r')`,
      [root, member, randomUUID()],
    ],
    ...organizations.map(({ id }): InsertStatements[number] => [
      `insert into inventory_removal values ($1, $2, 'a', '', now())`,
      [root, id],
    ]),
    [`insert into audit_checkpoint values ($1, 1, '\\x01', now())`, [root]],
    ['insert into audit_signed values ($1, 1)', [root]],
    [
      `insert into audit_signed_head values ($1, 1, 'head', 'h', '2026-01-01T00:00:00.000Z', 'k', 's')`,
      [root],
    ],
    ['insert into root_tombstone (root_id, started_at) values ($1, now())', [root]],
    ...rootRows(root),
    ...organizationIds.flatMap((organization, index) =>
      [metricsRows, learningRows, securityRows].flatMap((createInserts) =>
        createInserts(root, organization, index, instanceFor(organization)),
      ),
    ),
    ...organizationIds.map((organization): InsertStatements[number] => [
      `insert into received_event_count values ($1, $2, $3, 't', now(), 1)`,
      [root, organization, randomUUID()],
    ]),
    ...organizationIds.map((organization): InsertStatements[number] => [
      `insert into counted_event_id values ($1, $2, 'e', '\\x01', now())`,
      [root, organization],
    ]),
    ...[...organizationIds, null].flatMap((organization) => organizationOrRootRows(root, organization)),
    ...organizationIds.flatMap((organization) => connectorRows(root, organization)),
    ...seatRows(root, first.id, admin),
    ...scimRows(
      root,
      organizations.map(({ id }) => id),
      admin,
    ),
    ...roleJobRows(root, member, instance),
    [`insert into event_status values ($1, $2, 'e', 'stored', now())`, [root, first.id]],
    [`insert into limit_window values ($1, 'keys', $2, '{now}')`, [root, first.id]],
    [`insert into refusal_count values ($1, $2, $3, 'r', 'c', now(), 1)`, [root, randomUUID(), first.id]],
  ]
}
