import type { Scope } from '../../access/scope.ts'
import { type Statement, statement } from '../../db/connect.ts'
import type { RowSink } from '../../db/divert-rows.ts'
import type { Tx } from '../../db/transaction.ts'
import type { Window } from '../page-sql.ts'
import type { Grain, Pieces } from './grain.ts'

export interface SumRequest {
  readonly scope: Scope
  readonly window: Window
  /** Organizations whose rows are not shown. */
  readonly hidden: readonly string[]
  readonly pieces: Pieces
}

// What a root has rows of is walked from organization to organization: no index leads from a root to its periods.
const organizationsOfRoot = `with recursive known as (
    (select organization_id from finding_count where root_id = $1 order by organization_id limit 1)
    union all
    select (select f.organization_id from finding_count f where f.root_id = $1 and f.organization_id > known.organization_id
      order by f.organization_id limit 1)
    from known where known.organization_id is not null)`

const scopes = {
  organizations: { before: '', condition: 'organization_id = any ($2::uuid[])' },
  instance: {
    before: '',
    condition: 'instance_id = $3::uuid and ($2::uuid[] is null or organization_id = any ($2))',
  },
  root: {
    before: organizationsOfRoot,
    condition: 'organization_id = any (array(select organization_id from known)) and $2::uuid[] is null',
  },
} as const

type ScopeKind = keyof typeof scopes

interface Shape {
  readonly kind: ScopeKind
  readonly grain: Grain
  readonly byRepository: boolean
  readonly byAuthor: boolean
}

function countsOf(name: string, { kind, grain, byRepository, byAuthor }: Shape): Statement {
  const { before, condition } = scopes[kind]
  // Said in such a way that what is looked for is compared within the index.
  const narrowed = `${byRepository ? 'repository_id = any ($4::text[])' : '$4::text[] is null'}
       and ${byAuthor ? 'author_id = any ($5::text[])' : '$5::text[] is null'}`
  const rows = (way: string, first: string, last: string) =>
    `select period, repository_id, author_id, counts from finding_count
     where root_id = $1 and ${way} and period between ${first}::int and ${last}::int and ${narrowed}
       and ($2::uuid[] is null or organization_id = any ($2)) and ($3::uuid is null or instance_id = $3)
       and organization_id <> all ($6::uuid[]) and $13::text is not null`
  // Repositories and authors of a whole root are found by an index of their own, each at its own grain: it is asked for by a
  // grain that is written out, and by no other.
  const led =
    kind === 'root' && ((grain === 'repository' && byRepository) || (grain === 'author' && byAuthor))
  const whole = led ? `grain = '${grain}'` : `${condition} and grain = $13::text`
  const days = `${condition} and grain = 'day'`
  const pieces = [rows(days, '$7', '$8'), rows(whole, '$9', '$10'), rows(days, '$11', '$12')]
  return statement(name, `${before} ${pieces.map((piece) => `(${piece})`).join(' union all ')}`)
}

const known = new Map<string, Statement>()

/** Statements are written once for each shape of sum that is asked for. */
function shaped(shape: Shape): Statement {
  const { kind, grain, byRepository, byAuthor } = shape
  const name = `metrics.counts-${grain}-of-${kind}${byRepository ? '-by-repository' : ''}${byAuthor ? '-by-author' : ''}`
  const found = known.get(name) ?? countsOf(name, shape)
  known.set(name, found)
  return found
}

/** Rows of (period, repository, author, counts), in any order. */
export function readCountsOf(
  { scope, window, hidden, pieces }: SumRequest,
  tx: Tx,
  sink: RowSink,
): Promise<void> {
  const { root, organizations, instance } = scope
  const { repositories, authors } = window
  const { grain, before, whole, after } = pieces
  const spans = [...before, ...whole, ...after]
  const values = [root, organizations, instance, repositories, authors, hidden, ...spans, grain]
  const shape = {
    kind: kindOf(scope),
    grain,
    byRepository: repositories !== null,
    byAuthor: authors !== null,
  }
  return tx.divert(shaped(shape), values, sink)
}

function kindOf({ organizations, instance }: Scope): ScopeKind {
  if (organizations !== null) return 'organizations'
  return instance === null ? 'root' : 'instance'
}
