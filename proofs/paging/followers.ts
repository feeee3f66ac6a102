import type { TestDatabase } from '../../server/test/database.ts'
import { toReviewTarget } from '../../server/test/pull-requests.ts'
import type { Tenant, TestKey } from '../../server/test/tenant.ts'
import { type Reader, type ReaderOptions, readChanges, readPages } from './readers.ts'

export interface FollowerResult {
  readonly reader: string
  readonly rows: number
  readonly missed: number
  readonly twice: number
  /** Returned out of order, or never committed. */
  readonly misplaced: number
}

export interface Follower {
  readonly reader: Reader
  readonly root: string
  readonly sees: (row: CommittedRow) => boolean
}

interface CommittedRow {
  readonly url: string
  readonly organization_id: string
  readonly repository_id: string
  readonly author_id: string
}

/** Readers of an organization, a workspace and an instance, with filters, and of the changes feed. */
export async function createFollowers(
  tenant: Tenant,
  connection: Pick<ReaderOptions, 'baseUrl' | 'call'>,
): Promise<Follower[]> {
  const { workspace, instance } = tenant
  const [first] = workspace.organizations
  const [home] = instance.organizations
  const [repository] = first.repositories
  const { authors } = toReviewTarget(first, 4)
  const [organizationKey, workspaceKey, instanceKey] = await Promise.all(
    (['organization', 'workspace', 'instance'] as const).map((kind) => tenant.createKey(kind)),
  )
  const all = () => true
  const inFirstOrganization = (row: CommittedRow) => row.organization_id === first.id
  const readerOptions = (name: string, key: TestKey | undefined, filters = '') => ({
    ...connection,
    name,
    key: key?.value ?? '',
    filters,
  })
  const inWorkspace = (reader: Reader, sees: Follower['sees']) => ({ reader, root: workspace.root, sees })
  const inInstance = (reader: Reader, sees: Follower['sees']) => ({ reader, root: instance.root, sees })
  return [
    inWorkspace(readPages(readerOptions('organization key', organizationKey)), inFirstOrganization),
    inWorkspace(readPages(readerOptions('workspace key', workspaceKey)), all),
    inInstance(readPages(readerOptions('instance key', instanceKey)), all),
    inWorkspace(
      readPages(
        readerOptions('repository filter', workspaceKey, `&repository_ids=${repository?.repositoryId}`),
      ),
      (row) => row.repository_id === repository?.repositoryId,
    ),
    inWorkspace(
      readPages(
        readerOptions('author filter', organizationKey, `&user_ids=${authors[0]?.id},${authors[1]?.id}`),
      ),
      (row) => authors.slice(0, 2).some(({ id }) => id === row.author_id),
    ),
    inInstance(
      readPages(readerOptions('organization filter', instanceKey, `&organization_ids=${home.orgId}`)),
      (row) => row.organization_id === home.id,
    ),
    inWorkspace(
      readChanges(readerOptions('changes, organization key', organizationKey)),
      inFirstOrganization,
    ),
    inWorkspace(readChanges(readerOptions('changes, workspace key', workspaceKey)), all),
    inInstance(readChanges(readerOptions('changes, instance key', instanceKey)), all),
  ]
}

/** Compares what a reader got with the committed rows, in their order. */
export async function checkFollower(
  superuser: ReturnType<TestDatabase['superuser']>,
  { reader, root, sees }: Follower,
): Promise<FollowerResult> {
  const { rows } = await superuser.query<CommittedRow>(
    'select url, organization_id, repository_id, author_id from pull_request where root_id = $1 order by position',
    [root],
  )
  const positions = new Map(rows.filter(sees).map(({ url }, position) => [url, position]))
  const seenUrls = new Set(reader.seen)
  let misplaced = reader.discontinuities
  let last = -1
  for (const url of reader.seen) {
    const position = positions.get(url) ?? -1
    if (position < last || position === -1) misplaced += 1
    last = Math.max(position, last)
  }
  return {
    reader: reader.name,
    rows: positions.size,
    missed: [...positions.keys()].filter((url) => !seenUrls.has(url)).length,
    twice: reader.seen.length - seenUrls.size,
    misplaced,
  }
}
