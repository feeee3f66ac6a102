import assert from 'node:assert/strict'
import type { Pool } from 'pg'
import type { Environment } from '../../src/config.ts'
import type { AppContext } from '../../src/http/app-context.ts'
import type { LearningState } from '../../src/resources/learnings/lifecycle.ts'
import { contentHash, learningId } from '../../src/text/identity.ts'
import { startService, type TestResponse, type TestService } from '../call.ts'
import type { TestDatabase } from '../database.ts'
import { type EmbeddingServer, startEmbeddingServer } from '../engines/embedding-server.ts'
import { openTenant } from '../fixture.ts'
import type { Tenant, TestOrganization } from '../tenant.ts'

export interface BatchResponse {
  readonly status: string
  readonly created_count: number
  readonly duplicate_count: number
  readonly failed_count: number
  readonly results: readonly {
    readonly index: number
    readonly status: string
    readonly id?: string
    readonly matched?: string
    readonly ignored?: readonly string[]
    readonly error?: { readonly code: string; readonly message: string }
  }[]
}

/** A server whose model fails on demand, with helpers that write Learnings. */
export interface TestLearnings {
  readonly database: TestDatabase
  readonly tenant: Tenant
  readonly service: TestService
  readonly superuser: Pool
  readonly model: EmbeddingServer
  /** The organization of the key, and its first two repositories. */
  readonly organization: TestOrganization
  readonly repository: string
  readonly other: string
  /** A key of an Admin. */
  readonly key: string
  post(data: unknown, options?: SendOptions): Promise<TestResponse>
  create(...learnings: readonly (string | object)[]): Promise<BatchResponse>
  /** Creates one Learning and returns its id. */
  createOne(learning: string | object): Promise<string>
  patch(id: string, learning: unknown, options?: SendOptions): Promise<TestResponse>
  remove(id: string, options?: SendOptions): Promise<TestResponse>
  decide(id: string, decision: string, options?: SendOptions): Promise<TestResponse>
  /** Inserts a Learning in any state; a private one gets an origin. */
  plant(state: LearningState, text: string, over?: PlantedLearningFields): Promise<string>
}

interface SendOptions {
  readonly key?: string
  readonly org_id?: string
  readonly headers?: Record<string, string>
}

interface PlantedLearningFields {
  readonly version?: number
  readonly deadline?: Date
}

const DIMENSIONS = 16

export async function startTestLearnings(
  settings: Environment = {},
  overrides: Partial<AppContext> = {},
): Promise<TestLearnings> {
  const { database, tenant, superuser, use } = await openTenant()
  const model = use(await startEmbeddingServer({ dimensions: DIMENSIONS }))
  const all = {
    LIMIT_LEARNINGS_WRITES: 'off',
    LIMIT_LEARNINGS_DRY_RUNS: 'off',
    EMBEDDER_URL: model.url,
    EMBEDDER_MODEL: 'test',
    EMBEDDER_DIMENSIONS: String(DIMENSIONS),
    ...settings,
  }
  const service = use(startService(database, all, undefined, undefined, undefined, overrides))
  const [organization] = tenant.workspace.organizations
  const [repository = '', other = ''] = organization.repositories.map(({ repositoryId }) => repositoryId)
  const key = (await tenant.createKey('user')).value
  const parts = { database, tenant, service, superuser, model, organization, repository, other, key }
  return {
    ...parts,
    ...createCalls(service, key, repository),
    plant: (state, text, over) => plant(superuser, organization, repository, state, text, over),
  }
}

type Calls = Pick<TestLearnings, 'post' | 'create' | 'createOne' | 'patch' | 'remove' | 'decide'>

function createCalls(service: TestService, key: string, repository: string): Calls {
  const send = (method: 'POST' | 'PATCH', path: string, fields: object, options: SendOptions = {}) => {
    const { org_id, ...call } = options
    return service.call(path, { key, method, ...call, body: { ...fields, ...(org_id && { org_id }) } })
  }
  const post = (data: unknown, options?: SendOptions) => send('POST', '/v1/learnings', { data }, options)
  const create: TestLearnings['create'] = async (...learnings) => {
    const items = learnings.map((one) => ({
      repository_id: repository,
      ...(typeof one === 'string' ? { learning: one } : one),
    }))
    const { status, body, text } = await post(items)
    assert.equal(status, 200, text)
    return body as unknown as BatchResponse
  }
  return {
    post,
    create,
    async createOne(learning) {
      const { results } = await create(learning)
      assert.equal(results[0]?.status, 'created', JSON.stringify(results))
      return results[0]?.id ?? assert.fail()
    },
    patch: (id, learning, options) => send('PATCH', `/v1/learnings/${id}`, { learning }, options),
    remove(id, { org_id, ...call } = {}) {
      const query = org_id === undefined ? '' : `?org_id=${org_id}`
      return service.call(`/v1/learnings/${id}${query}`, { key, method: 'DELETE', ...call })
    },
    decide: (id, decision, options) => send('POST', `/v1/learnings/${id}/approval`, { decision }, options),
  }
}

async function plant(
  superuser: Pool,
  { root, id: organization }: TestOrganization,
  repository: string,
  state: LearningState,
  text: string,
  { version = 1, deadline }: PlantedLearningFields = {},
): Promise<string> {
  const id = learningId({ organization, repository }, text)
  await superuser.query(
    `insert into learning_head values ($1, 0, $2)
     on conflict (root_id) do update set redactor_version = least(learning_head.redactor_version, $2)`,
    [root, version],
  )
  await superuser.query(
    `insert into learning (root_id, organization_id, id, repository_id, state, text, content_hash, redactor_version,
       source, author_username, deadline, position, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, 'chat', 'chatter', $9, case $5 when 'shared' then 1 end, now(), now())`,
    [
      root,
      organization,
      id,
      repository,
      state,
      text,
      contentHash(repository, text),
      version,
      deadline ?? null,
    ],
  )
  if (state === 'private') {
    await superuser.query(`insert into learning_origin values ($1, $2, $3, $4, 7, now())`, [
      root,
      organization,
      id,
      repository,
    ])
  }
  return id
}
