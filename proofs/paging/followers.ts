import type { TestDatabase } from '../../server/test/database.ts'
import { workplaceOf } from '../../server/test/pull-requests.ts'
import type { Tenant, TestKey } from '../../server/test/tenant.ts'
import { type Question, type Reader, readChanges, readPages } from './readers.ts'

export interface Sight {
  readonly reader: string
  readonly rows: number
  readonly missed: number
  readonly twice: number
  /** Told out of order, or told though it was never committed. */
  readonly misplaced: number
}

export interface Follower {
  readonly reader: Reader
  readonly root: string
  readonly sees: (row: Row) => boolean
}

interface Row {
  readonly url: string
  readonly organization_id: string
  readonly repository_id: string
  readonly author_id: string
}

/** Readers with an organization, a workspace, an instance and filters, and of the feed of changes. */
export async function makeFollowers(
  tenant: Tenant,
  way: Pick<Question, 'baseUrl' | 'call'>,
): Promise<Follower[]> {
  const { workspace, instance } = tenant
  const [first] = workspace.organizations
  const [home] = instance.organizations
  const [repository] = first.repositories
  const { authors } = workplaceOf(first, 4)
  const [organizationKey, workspaceKey, instanceKey] = await Promise.all(
    (['organization', 'workspace', 'instance'] as const).map((kind) => tenant.keyOf(kind)),
  )
  const all = () => true
  const ofFirst = (row: Row) => row.organization_id === first.id
  const question = (name: string, key: TestKey | undefined, filters = '') => ({
    ...way,
    name,
    key: key?.value ?? '',
    filters,
  })
  const inWorkspace = (reader: Reader, sees: Follower['sees']) => ({ reader, root: workspace.root, sees })
  const inInstance = (reader: Reader, sees: Follower['sees']) => ({ reader, root: instance.root, sees })
  return [
    inWorkspace(readPages(question('organization key', organizationKey)), ofFirst),
    inWorkspace(readPages(question('workspace key', workspaceKey)), all),
    inInstance(readPages(question('instance key', instanceKey)), all),
    inWorkspace(
      readPages(question('repository filter', workspaceKey, `&repository_ids=${repository?.repositoryId}`)),
      (row) => row.repository_id === repository?.repositoryId,
    ),
    inWorkspace(
      readPages(question('author filter', organizationKey, `&user_ids=${authors[0]?.id},${authors[1]?.id}`)),
      (row) => authors.slice(0, 2).some(({ id }) => id === row.author_id),
    ),
    inInstance(
      readPages(question('organization filter', instanceKey, `&organization_ids=${home.orgId}`)),
      (row) => row.organization_id === home.id,
    ),
    inWorkspace(readChanges(question('changes, organization key', organizationKey)), ofFirst),
    inWorkspace(readChanges(question('changes, workspace key', workspaceKey)), all),
    inInstance(readChanges(question('changes, instance key', instanceKey)), all),
  ]
}

/** Holds what a reader was told against the committed rows, in their order. */
export async function judge(
  superuser: ReturnType<TestDatabase['superuser']>,
  { reader, root, sees }: Follower,
): Promise<Sight> {
  const { rows } = await superuser.query<Row>(
    'select url, organization_id, repository_id, author_id from pull_request where root_id = $1 order by position',
    [root],
  )
  const places = new Map(rows.filter(sees).map(({ url }, place) => [url, place]))
  const told = new Set(reader.seen)
  let misplaced = reader.breaks
  let last = -1
  for (const url of reader.seen) {
    const place = places.get(url) ?? -1
    if (place < last || place === -1) misplaced += 1
    last = Math.max(place, last)
  }
  return {
    reader: reader.name,
    rows: places.size,
    missed: [...places.keys()].filter((url) => !told.has(url)).length,
    twice: reader.seen.length - told.size,
    misplaced,
  }
}
