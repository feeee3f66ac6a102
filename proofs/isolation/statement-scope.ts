import type { SourceEdit } from '../tools/copy.ts'

/** The upper layer: every predicate that restricts a statement to its scope. */
export const statementScope: readonly SourceEdit[] = [
  {
    file: 'access/sql.ts',
    find: 'where root_id = $1 and id = $2 and active and ($3::uuid is null or instance_id = $3)\n     and ($4::uuid[] is null or id = any ($4))',
    replace:
      'where $1::uuid is not null and id = $2 and active and ($3::uuid is null or $4::uuid[] is null or true)',
  },
  {
    file: 'access/sql.ts',
    find: 'where root_id = $1 and provider_organization_id = any ($2::text[]) and active\n     and ($3::uuid is null or instance_id = $3)',
    replace:
      'where $1::uuid is not null and provider_organization_id = any ($2::text[]) and active\n     and ($3::uuid is null or true)',
  },
  {
    file: 'resources/organizations/sql.ts',
    find: 'where root_id = $1 and id > $2',
    replace: 'where $1::uuid is not null and id > $2',
  },
  {
    file: 'resources/organizations/sql.ts',
    find: 'and instance_id = $4 and ($5::uuid[] is null or id = any ($5))',
    replace: 'and ($4::uuid is null or $5::uuid[] is null or true)',
  },
  {
    file: 'resources/organizations/sql.ts',
    find: 'and id = any ($4::uuid[])',
    replace: 'and $4::uuid[] is not null',
  },
  {
    file: 'resources/organizations/sql.ts',
    find: 'and organization_id = $4',
    replace: 'and $4::uuid is not null',
  },
  // The caller's filters of a metrics page stay: window, repositories and authors.
  {
    file: 'metrics-store/page-sql.ts',
    find: 'from ${source.table} where root_id = $1${path}',
    replace: 'from ${source.table} where $1::uuid is not null${path}',
  },
  {
    file: 'metrics-store/page-sql.ts',
    find: '`(organization_id = any (${given}::uuid[])) is true`',
    replace: '`${given}::uuid[] is not null`',
  },
  {
    file: 'metrics-store/page-sql.ts',
    find: '`(instance_id = ${given}::uuid) is true`',
    replace: '`${given}::uuid is not null`',
  },
  {
    file: 'metrics-store/page-sql.ts',
    find: 'from ${source.dayTable} where root_id = $1 and',
    replace: 'from ${source.dayTable} where $1::uuid is not null and',
  },
  {
    file: 'metrics-store/page-sql.ts',
    find: '` and ${path.column} = ${value}`',
    replace:
      "(['organization_id', 'instance_id'].includes(path.column) ? ` and (${value} is null or true)` : ` and ${path.column} = ${value}`)",
  },
  {
    file: 'metrics-store/scan-sql.ts',
    find: "'root_id = $1',",
    replace: "'$1::uuid is not null',",
  },
  {
    file: 'metrics-store/scan-sql.ts',
    find: '[`${path.column} = value`]',
    replace:
      "[['organization_id', 'instance_id'].includes(path.column) ? '(value is null or true)' : `${path.column} = value`]",
  },
  {
    file: 'resources/metrics/names-sql.ts',
    find: 'where root_id = $1 and active and ($2::uuid[] is null or id = any ($2)) and ($3::uuid is null or instance_id = $3)',
    replace: 'where $1::uuid is not null and active and ($2::uuid[] is null or $3::uuid is null or true)',
  },
  {
    file: 'resources/metrics/names-sql.ts',
    find: 'where r.root_id = $1 and r.provider_repository_id',
    replace: 'where r.provider_repository_id',
  },
  // Without it, ids that all tenants have would be those of several hosts, and have no name.
  {
    file: 'resources/metrics/names-sql.ts',
    find: ' having count(distinct (own.provider, own.host)) = 1',
    replace: '',
  },
  {
    file: 'resources/metrics/names-sql.ts',
    find: 'where root_id = $1 and account_id',
    replace: 'where account_id',
  },
  {
    file: 'resources/metrics/review-comments/sql.ts',
    find: '`root_id = $1${scoped} and position > $2',
    replace: '`$1::uuid is not null${scoped} and position > $2',
  },
  {
    file: 'resources/metrics/review-comments/sql.ts',
    find: 'and organization_id = $5::uuid',
    replace: 'and $5::uuid is not null',
  },
  {
    file: 'resources/metrics/review-comments/sql.ts',
    find: 'and organization_id = value',
    replace: 'and value is not null',
  },
  {
    file: 'resources/metrics/review-comments/sql.ts',
    find: 'and ($5::uuid[] is null or organization_id = any ($5))',
    replace: 'and ($5::uuid[] is null or true)',
  },
  {
    file: 'resources/metrics/review-comments/sql.ts',
    find: 'and instance_id = $6::uuid',
    replace: 'and $6::uuid is not null',
  },
  {
    file: 'resources/metrics/summary/sql.ts',
    find: 'where root_id = $1 and ${chooseCountsPath(shape)} and',
    replace: "where $1::uuid is not null and grain = '${shape.grain}' and",
  },
  {
    file: 'resources/metrics/summary/sql.ts',
    find: '($2::uuid[] is null or organization_id = any ($2)) and ($3::uuid is null or instance_id = $3)',
    replace: '($2::uuid[] is null or $3::uuid is null or true)',
  },
  {
    file: 'resources/metrics/summary/sql.ts',
    find: 'where root_id = $1 and ${accessPath} and block between',
    replace: 'where $1::uuid is not null and block between',
  },
  {
    file: 'resources/metrics/summary/sql.ts',
    find: "if (kind === 'organizations') return",
    replace: "if (kind === 'organizations' && false) return",
  },
  {
    file: 'resources/metrics/summary/sql.ts',
    find: "kind === 'instance' ? `instance_id = $3::uuid and",
    replace: "kind === 'instance' ? `$3::uuid is not null and",
  },
  {
    file: 'metrics-store/counts/tallies-sql.ts',
    find: 'where root_id = $1 and',
    replace: 'where $1::uuid is not null and',
  },
]

export const learningsScope: readonly SourceEdit[] = [
  {
    file: 'resources/learnings/read/page-sql.ts',
    find: 'from learning l where l.root_id = $1${condition}',
    replace: 'from learning l where $1::uuid is not null${condition}',
  },
  {
    file: 'resources/learnings/read/page-sql.ts',
    find: 'and ($3::uuid[] is null or l.organization_id = any ($3)) and ($4::uuid is null or l.instance_id = $4)',
    replace: 'and ($3::uuid[] is null or $4::uuid is null or true)',
  },
  {
    file: 'resources/learnings/read/page-sql.ts',
    find: 'values: organizations, maxValues: MAX_INDEX_SCANS',
    replace: 'values: organizations, maxValues: -MAX_INDEX_SCANS',
  },
  {
    file: 'resources/learnings/read/page-sql.ts',
    find: 'values: instance === null ? null : [instance]',
    replace: 'values: null',
  },
  {
    file: 'resources/learnings/read/sql.ts',
    find: 'join learning l on l.root_id = $1 and l.organization_id = asked.organization_id and l.id = asked.id\n   join organization o on o.root_id = $1 and o.id',
    replace: 'join learning l on $1::uuid is not null and l.id = asked.id\n   join organization o on o.id',
  },
  {
    file: 'resources/learnings/read/pending-sql.ts',
    find: "where root_id = $1 and organization_id = $2 and state = 'pending'",
    replace: "where $1::uuid is not null and $2::uuid is not null and state = 'pending'",
  },
  {
    file: 'resources/learnings/read/pending-sql.ts',
    find: 'join organization o on o.root_id = $1 and o.id',
    replace: 'join organization o on o.id',
  },
  {
    file: 'learning-index/search-sql.ts',
    find: 'where i.root_id = $1 and i.organization_id = o.id and i.model = $3',
    replace: 'where $1::uuid is not null and i.model = $3',
  },
  {
    file: 'resources/review-context/sql.ts',
    find: 'l.root_id = $1 and l.organization_id = $2 and',
    replace: '$1::uuid is not null and $2::uuid is not null and',
  },
]

export const securityScope: readonly SourceEdit[] = [
  // The caller's filter by repository stays.
  {
    file: 'resources/security-findings/sql.ts',
    find: 'where f.root_id = $1 and f.${column} = led.value and',
    replace: "where $1::uuid is not null and (f.${column} = led.value or '${column}' <> 'repository_id') and",
  },
  {
    file: 'resources/security-findings/sql.ts',
    find: '($3::uuid[] is null or f.organization_id = any ($3)) and ($4::uuid is null or f.instance_id = $4)',
    replace: '($3::uuid[] is null or $4::uuid is null or true)',
  },
  {
    file: 'resources/security-findings/sql.ts',
    find: 'where f.root_id = $1 and f.state = any',
    replace: 'where $1::uuid is not null and f.state = any',
  },
  {
    file: 'resources/security-findings/sql.ts',
    find: '($2::uuid[] is null or f.organization_id = any ($2)) and ($3::uuid is null or f.instance_id = $3)',
    replace: '($2::uuid[] is null or $3::uuid is null or true)',
  },
  {
    file: 'resources/security-findings/sql.ts',
    find: 'where root_id = $1 and scan_id = $2 and ($3::uuid[] is null or organization_id = any ($3))\n     and ($4::uuid is null or instance_id = $4)',
    replace:
      'where $1::uuid is not null and scan_id = $2 and ($3::uuid[] is null or $4::uuid is null or true)',
  },
]

export const peopleScope: readonly SourceEdit[] = [
  {
    file: 'resources/people/offboarding/sql.ts',
    find: `where p.root_id = $1 and p.email = lower($2) and p.erased_at is null
     and ($3::uuid is null or exists (
       select from membership m where m.root_id = $1 and m.organization_id = $3 and m.person_id = p.id))`,
    replace: 'where $1::uuid is not null and p.email = lower($2) and ($3::uuid is null or true)',
  },
  {
    file: 'resources/people/offboarding/sql.ts',
    find: 'from person p where p.root_id = $1 and p.id = $2 and p.erased_at is null`,\n)\n\nconst roles',
    replace: 'from person p where p.id = $2 and p.erased_at is null`,\n)\n\nconst roles',
  },
  {
    file: 'resources/users/sql.ts',
    find: 'where root_id = $1 and organization_id = $2 and account_id > $3',
    replace: 'where $1::uuid is not null and $2::uuid is not null and account_id > $3',
  },
  {
    file: 'resources/users/sql.ts',
    find: 'where c.root_id = $1 and c.organization_id = $2 and c.id = custom_role_id',
    replace: 'where c.id = custom_role_id',
  },
  {
    file: 'resources/users/sql.ts',
    find: 'where root_id = $1 and id > $2',
    replace: 'where $1::uuid is not null and id > $2',
  },
  {
    file: 'resources/users/sql.ts',
    find: 'from organization where root_id = $1 and id = $2',
    replace: 'from organization where $1::uuid is not null and id = $2',
  },
  {
    file: 'resources/roles/sql.ts',
    find: 'from custom_role c where c.root_id = $1 and c.organization_id = $2 order by',
    replace: 'from custom_role c where $1::uuid is not null and $2::uuid is not null order by',
  },
  // Rows of the audit log: those of the page, and their details.
  {
    file: 'resources/audit-logs/page-sql.ts',
    find: 'from audit_log where root_id = $1 and ${bounds',
    replace: 'from audit_log where $1::uuid is not null and ${bounds',
  },
  {
    file: 'resources/audit-logs/page-sql.ts',
    find: 'where c.root_id = $1 and c.position = l.position',
    replace: 'where c.root_id = l.root_id and c.position = l.position',
  },
  {
    file: 'resources/audit-logs/page-sql.ts',
    find: 'where l.root_id = $1 and l.position = page.position',
    replace: 'where l.position = page.position',
  },
  {
    file: 'resources/audit-logs/scope-sql.ts',
    find: '` and organization_id ${equals} ${value}`',
    replace: '` and ${value} is not null`',
  },
  {
    file: 'resources/audit-logs/scope-sql.ts',
    find: '` and organization_id ${equals} walked.id`',
    replace: "' and walked.id is not null'",
  },
  {
    file: 'resources/audit-logs/scope-sql.ts',
    find: '` and organization_id in (select id from organization where root_id = $1 and instance_id = ${value})`',
    replace: '` and ${value} is not null`',
  },
  {
    file: 'resources/audit-logs/scope-sql.ts',
    find: "return [['organization_id', value]]",
    replace: 'return value === null ? [[value, value]] : []',
  },
  {
    file: 'resources/audit-logs/scope-sql.ts',
    find: "return [['organization_id', 'walked.id']]",
    replace: 'return []',
  },
  // Policies separate keys of different roots, not of different organizations: that part of the scope stays.
  {
    file: 'resources/keys/sql.ts',
    find: "const visibleCondition = `root_id = $1 and kind <> 'ingest'",
    replace: "const visibleCondition = `$1::uuid is not null and kind <> 'ingest'",
  },
  // The people whom a request may name, and the root that is written to.
  {
    file: 'resources/seats/sql.ts',
    find: 'where m.root_id = $1 and m.organization_id = $2 and m.account_id = any',
    replace: 'where $1::uuid is not null and $2::uuid is not null and m.account_id = any',
  },
  {
    file: 'resources/seats/sql.ts',
    find: 'where p.root_id = $1 and p.email = any',
    replace: 'where p.email = any',
  },
  {
    file: 'resources/seats/sql.ts',
    find: 'select $1, person_id, $3 from unnest($2::uuid[]) person_id',
    replace:
      'select p.root_id, p.id, $3::timestamptz from person p where $1::uuid is not null and p.id = any ($2::uuid[])',
  },
  {
    file: 'resources/user-roles/sql.ts',
    find: 'from membership where root_id = $1 and organization_id = o.id and account_id = r.user_id offset 0',
    replace: 'from membership where account_id = r.user_id offset 0',
  },
]

const ofRoot = /\b(?:[a-z]+\.)?root_id = \$1\b/g
const ofOrganization = /\b(?:[a-z]+\.)?organization_id = \$2\b/g

/** Statements that read or change what a request names by its id. */
export const writesScope: readonly SourceEdit[] = [
  ...withoutRoot('resources/keys/sql.ts'),
  ...withoutRoot('resources/roles/sql.ts'),
  ...withoutOrganization('resources/roles/sql.ts'),
  ...withoutRoot('resources/learnings/write/sql.ts'),
  ...withoutOrganization('resources/learnings/write/sql.ts'),
  ...withoutRoot('learning-index/similar-sql.ts'),
  ...withoutOrganization('learning-index/similar-sql.ts'),
  ...withoutRoot('resources/seats/sql.ts'),
  ...withoutRoot('resources/review-context/sql.ts'),
  ...withoutOrganization('resources/review-context/sql.ts'),
]

/** Statements of the worker. Its transactions see a whole root, so policies separate roots, not organizations. */
export const eventsScope: readonly SourceEdit[] = [
  'bus/ingest/sql.ts',
  'metrics-store/write/pull-request-sql.ts',
  'resources/inventory/sql.ts',
  'resources/inventory/write-sql.ts',
  'resources/learnings/events/sql.ts',
  'resources/security-scans/sql.ts',
].flatMap(withoutRoot)

function withoutRoot(file: string): SourceEdit[] {
  return [{ file, find: ofRoot, replace: '$$1::uuid is not null' }]
}

function withoutOrganization(file: string): SourceEdit[] {
  return [{ file, find: ofOrganization, replace: '$$2::uuid is not null' }]
}
