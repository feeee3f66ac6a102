import type { Edit } from '../tools/copy.ts'

/** The upper layer: every predicate by which a statement keeps to its scope. */
export const statementScope: readonly Edit[] = [
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
  // What a metrics page is asked for by its caller stays: window, repositories and authors.
  {
    file: 'metrics/page-sql.ts',
    find: 'from pull_request where root_id = $1${condition}',
    replace: 'from pull_request where $1::uuid is not null${condition}',
  },
  {
    file: 'metrics/page-sql.ts',
    find: 'and ($5::uuid[] is null or organization_id = any ($5)) and ($6::uuid is null or instance_id = $6)',
    replace: 'and ($5::uuid[] is null or $6::uuid is null or true)',
  },
  {
    file: 'metrics/page-sql.ts',
    find: 'from metrics_day where root_id = $1 and',
    replace: 'from metrics_day where $1::uuid is not null and',
  },
  {
    file: 'metrics/page-sql.ts',
    find: '` and ${led.column} = ${value}`',
    replace: '` and (${value} is null or true)`',
  },
  {
    file: 'resources/review-comments/sql.ts',
    find: '`root_id = $1${scoped} and position > $2',
    replace: '`$1::uuid is not null${scoped} and position > $2',
  },
  {
    file: 'resources/review-comments/sql.ts',
    find: 'and organization_id = $5::uuid',
    replace: 'and $5::uuid is not null',
  },
  {
    file: 'resources/review-comments/sql.ts',
    find: 'and organization_id = value',
    replace: 'and value is not null',
  },
  {
    file: 'resources/review-comments/sql.ts',
    find: 'and ($5::uuid[] is null or organization_id = any ($5))',
    replace: 'and ($5::uuid[] is null or true)',
  },
  {
    file: 'resources/review-comments/sql.ts',
    find: 'and instance_id = $6::uuid',
    replace: 'and $6::uuid is not null',
  },
]

export const learningsScope: readonly Edit[] = [
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
    find: 'if (organizations !== null && organizations.length <= MOST_WALKED)',
    replace: 'if (organizations !== null && organizations.length > 1e9 * MOST_WALKED)',
  },
  {
    file: 'resources/learnings/read/page-sql.ts',
    find: 'if (instance !== null) return',
    replace: "if (instance === ('' as never)) return",
  },
  {
    file: 'resources/learnings/read/sql.ts',
    find: 'join learning l on l.root_id = $1 and l.organization_id = asked.organization_id and l.id = asked.id\n   join organization o on o.root_id = $1 and o.id',
    replace: 'join learning l on $1::uuid is not null and l.id = asked.id\n   join organization o on o.id',
  },
  {
    file: 'knowledge/search-sql.ts',
    find: 'where i.root_id = $1 and i.organization_id = o.id and i.model = $3',
    replace: 'where $1::uuid is not null and i.model = $3',
  },
  {
    file: 'resources/review-context/sql.ts',
    find: 'l.root_id = $1 and l.organization_id = $2 and',
    replace: '$1::uuid is not null and $2::uuid is not null and',
  },
]
