import type { HistoryModel, ModelPullRequest } from '../../fake-forge/history.ts'
import type { TestDatabase } from '../../server/test/database.ts'
import type { Installation } from '../ingest/installation.ts'
import type { ConnectedOrganization } from './forges.ts'
import type { MovedClock } from './moved-clock.ts'

/** What the forges are connected to. */
export interface ProvedService {
  readonly installation: Installation
  readonly superuser: ReturnType<TestDatabase['superuser']>
  readonly clock: MovedClock
}

export interface Comparison {
  readonly pullRequests: number
  readonly findings: number
  readonly repositories: number
  readonly members: number
  /** What the store lacks, has too much or has otherwise. */
  readonly differences: readonly string[]
}

interface StoredPullRequest {
  readonly root_id: string
  readonly repository_id: string
  readonly number: string
  readonly status: string
  readonly merged_at: Date | null
  readonly closed_at: Date | null
  readonly author_username: string | null
  readonly created_at: Date | null
  readonly findings: readonly {
    readonly url: string
    readonly reviewer: string
    readonly file: string | null
    readonly start_line: number | null
    readonly end_line: number | null
    readonly commit: string | null
    readonly posted_at: string | null
  }[]
}

const selectPullRequests = `select root_id, repository_id, number, status, author_username, created_at, merged_at, closed_at,
    coalesce((select json_agg(f order by ordinal) from finding f
      where f.root_id = p.root_id and f.pull_request_key = p.pull_request_key), '[]') as findings
  from pull_request p where root_id = any ($1)`
const selectRepositories = `select root_id, provider_repository_id as id, name from repository
  where root_id = any ($1) and active`
const selectMembers = `select m.root_id, a.username from membership m
  join account a on a.root_id = m.root_id and a.account_id = m.account_id where m.root_id = any ($1) and m.system_role <> 'cr_admin'`

/** Compares everything that is stored with the models of the histories. */
export async function compareWithModels(
  { superuser }: ProvedService,
  organizations: readonly ConnectedOrganization[],
): Promise<Comparison> {
  const roots = [organizations.map(({ root }) => root)]
  const [pullRequests, repositories, members] = await Promise.all([
    superuser.query<StoredPullRequest>(selectPullRequests, roots),
    superuser.query<{ root_id: string; id: string; name: string }>(selectRepositories, roots),
    superuser.query<{ root_id: string; username: string }>(selectMembers, roots),
  ])
  const counts = { pullRequests: 0, findings: 0, repositories: 0, members: 0 }
  const differences = organizations.flatMap((organization) => {
    const model = organization.history.getModel()
    const isOwn = ({ root_id }: { readonly root_id: string }) => root_id === organization.root
    const finished = model.pullRequests.filter(({ state }) => state !== 'open')
    counts.pullRequests += finished.length
    counts.findings += finished.reduce((total, { findings }) => total + findings.length, 0)
    counts.repositories += model.repositories.length
    counts.members += model.members.length
    return [
      ...compareTexts(
        finished.map(renderModel),
        pullRequests.rows
          .filter((row) => isOwn(row) && isComparable(organization, model, row))
          .map((row) => renderStored(row, model.deletedFindings)),
      ),
      ...compareTexts(
        model.repositories.map(({ id, fullName }) => `repository ${id} ${fullName.split('/')[1]}`),
        repositories.rows.filter(isOwn).map(({ id, name }) => `repository ${id} ${name}`),
      ),
      ...compareTexts(
        model.members.map((login) => `member ${login}`),
        members.rows.filter(isOwn).map(({ username }) => `member ${username}`),
      ),
    ].map((text) => `${organization.provider}, ${organization.mode}: ${text}`)
  })
  return { ...counts, differences }
}

/**
 * What was stored of a repository stays when it leaves the organization, and what was stored of a pull request when it is
 * reopened: the contract has no event that takes it back.
 */
function isComparable(
  { forge }: ConnectedOrganization,
  model: HistoryModel,
  { repository_id, number }: StoredPullRequest,
): boolean {
  if (!model.repositories.some(({ id }) => String(id) === repository_id)) return false
  const repository = forge.repositories.find(({ id }) => String(id) === repository_id)
  const found = repository?.pullRequests.find((one) => one.number === Number(number))
  return found?.state !== 'open' || !found.timeline.some(({ kind }) => kind === 'reopened')
}

function compareTexts(expected: readonly string[], stored: readonly string[]): string[] {
  const [wanted, found] = [new Set(expected), new Set(stored)]
  return [
    ...expected.filter((text) => !found.has(text)).map((text) => `missing ${text}`),
    ...stored.filter((text) => !wanted.has(text)).map((text) => `not in the model ${text}`),
    ...(stored.length === found.size ? [] : ['stored twice']),
  ]
}

function renderModel(pullRequest: ModelPullRequest): string {
  const { repositoryId, number, state, author, createdAt, mergedAt, closedAt, findings } = pullRequest
  return JSON.stringify([
    `${repositoryId}#${number}`,
    state,
    author,
    createdAt,
    mergedAt,
    closedAt,
    findings
      .map(({ commentId, bot, path, startLine, endLine, commit, postedAt }) =>
        [commentId, bot, path, startLine, endLine, commit, postedAt].join(' '),
      )
      .toSorted(),
  ])
}

/** Findings whose comment was deleted are left out: they are stored if a connector read them before. */
function renderStored(row: StoredPullRequest, deletedFindings: readonly number[]): string {
  const deleted = new Set(deletedFindings.map(String))
  return JSON.stringify([
    `${row.repository_id}#${row.number}`,
    row.status,
    row.author_username,
    toSeconds(row.created_at),
    toSeconds(row.merged_at),
    toSeconds(row.closed_at),
    row.findings
      .flatMap(({ url, reviewer, file, start_line, end_line, commit, posted_at }) => {
        const comment = /\d+$/.exec(url)?.[0] ?? ''
        if (deleted.has(comment)) return []
        return [comment, reviewer, file, start_line, end_line, commit, toSeconds(posted_at)].join(' ')
      })
      .toSorted(),
  ])
}

function toSeconds(time: string | Date | null): string | null {
  return time === null ? null : `${new Date(time).toISOString().slice(0, 19)}Z`
}
