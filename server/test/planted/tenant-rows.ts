import { randomUUID } from 'node:crypto'

/** Statements and their values that leave one row of an organization in each table. */
type Inserts = [text: string, values: unknown[]][]

export function metricsRows(
  root: string,
  organization: string | undefined,
  place: number,
  instance: string | null,
): Inserts {
  const values = [root, organization, place, instance]
  return [
    [
      `insert into pull_request values ($1, 'github', 'github.com', '1', $3, $2, $4, '1', 'u', null, 'merged', now(), null,
       now(), 0, $3, 'e', now(), '{}', '[]', '{}')`,
      values,
    ],
    [
      `insert into outcome values ($1, 'github', 'github.com', '1', $3, 'f', 'e', $2, $4, null, true, 'person', now())`,
      values,
    ],
    [`insert into review_comment_change values ($1, $3, $2, $4, '{}')`, values],
  ]
}

export const learningTables = [
  'learning',
  'learning_closing',
  'learning_count',
  'learning_index',
  'learning_near_index',
  'learning_origin',
  'learning_setting',
  'learning_task',
]

/** One of each, but for the counts: those are of the organization and of its repository. */
export function learningRows(
  root: string,
  organization: string | undefined,
  place: number,
  instance: string | null,
): Inserts {
  const id = randomUUID()
  return [
    [
      `insert into learning (root_id, organization_id, instance_id, id, repository_id, state, text, content_hash,
         redactor_version, source, position, created_at, updated_at)
       values ($1, $2, $3, $4, '1', 'shared', 't', sha256('t'), 1, 'api', $5, now(), now())`,
      [root, organization, instance, id, place + 1],
    ],
    [`insert into learning_origin values ($1, $2, $3, '1', 1, now())`, [root, organization, id]],
    [`insert into learning_closing values ($1, $2, '1', 1, true, now())`, [root, organization]],
    [`insert into learning_task values ($1, $2, $3, 'index', now())`, [root, organization, id]],
    [`insert into learning_setting values ($1, $2, '', 'auto', 0)`, [root, organization]],
    [`insert into learning_near_index values ($1, $2, 'm', 'n')`, [root, organization]],
    [
      `insert into learning_index values ($1, $2, $3, $4, '1', 'm', sha256('t'), '[1,0]', '{1}')`,
      [root, organization, instance, id],
    ],
  ]
}

export function roleJobRows(root: string, id: string, instance: string): Inserts {
  return [
    [
      `insert into role_job (root_id, id, instance_id, role, user_ids, key_id, address, created_at)
       values ($1, $2, $3, 'cr_member', '{1}', $2, '127.0.0.1', now())`,
      [root, id, instance],
    ],
    [`insert into role_job_user values ($1, $2, '1')`, [root, id]],
  ]
}

export function seatRows(root: string, organization: string, person: string): Inserts {
  return [
    ['insert into seat (root_id, person_id) values ($1, $2)', [root, person]],
    ['insert into seat_request values ($1, $2, $3, now())', [root, person, organization]],
  ]
}
