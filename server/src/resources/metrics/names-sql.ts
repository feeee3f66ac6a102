import type { Scope } from '../../access/scope.ts'
import { statement } from '../../db/connect.ts'
import type { Tx } from '../../db/transaction.ts'

/** By the Git provider's id: the names in the inventory. */
export interface CurrentNames {
  readonly repositories: ReadonlyMap<string, string>
  readonly authors: ReadonlyMap<string, string>
}

interface NameRow {
  readonly kind: 'repository' | 'author'
  readonly id: string
  readonly name: string
}

// An id that two Git providers use has no name: a group of such an id counts both. A repository that moved to another
// organization has the name that was reported last; an erased person has none.
const selectNames = statement(
  'metrics.current-names',
  `with own as materialized (
     select id, provider, host from organization
     where root_id = $1 and active and ($2::uuid[] is null or id = any ($2)) and ($3::uuid is null or instance_id = $3)
   )
   select 'repository' as kind, r.provider_repository_id as id,
     (array_agg(r.name order by r.active desc, r.inventory_at desc nulls last, r.name))[1] as name
   from repository r join own on own.id = r.organization_id
   where r.root_id = $1 and r.provider_repository_id = any ($4::text[])
   group by r.provider_repository_id having count(distinct (own.provider, own.host)) = 1
   union all
   select 'author', account_id, min(username) from account
   where root_id = $1 and account_id = any ($5::text[]) and (provider, host) in (select provider, host from own)
   group by account_id having count(*) = 1 and min(username) <> ''`,
)

interface NamedGroup {
  readonly repository: string | null
  readonly author?: string | null
}

/** The names of the repositories and authors of groups. The inventory is in the main database, whatever the metrics store. */
export async function readCurrentNames(
  { root, organizations, instance }: Scope,
  tx: Tx,
  groups: readonly NamedGroup[],
): Promise<CurrentNames> {
  const listIds = (key: keyof NamedGroup) => [...new Set(groups.flatMap((group) => group[key] ?? []))]
  const [repositories, authors] = [listIds('repository'), listIds('author')]
  const names = { repositories: new Map<string, string>(), authors: new Map<string, string>() }
  if (repositories.length === 0 && authors.length === 0) return names
  const values = [root, organizations, instance, repositories, authors]
  for (const { kind, id, name } of await tx.query<NameRow>(selectNames, values))
    (kind === 'repository' ? names.repositories : names.authors).set(id, name)
  return names
}
