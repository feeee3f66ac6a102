import assert from 'node:assert/strict'
import type { Pool } from 'pg'
import type { Environment } from '../../src/config.ts'
import type { AppContext } from '../../src/http/app-context.ts'
import type { State } from '../../src/resources/learnings/lifecycle.ts'
import { contentHash, learningId } from '../../src/text/identity.ts'
import { type Answer, startService, type TestService } from '../call.ts'
import { makeDatabase, type TestDatabase } from '../database.ts'
import { type EmbeddingServer, startEmbeddingServer } from '../engines/embedding-server.ts'
import { makeTenant, type Tenant, type TestOrganization } from '../tenant.ts'

export interface BatchAnswer {
  readonly status: string
  readonly created_count: number
  readonly duplicate_count: number
  readonly failed_count: number
  readonly results: readonly {
    readonly index: number
    readonly status: string
    readonly id?: string
    readonly error?: { readonly code: string; readonly message: string }
  }[]
}

/** A service with a model that fails on command, and the calls that write Learnings. */
export interface Stage {
  readonly database: TestDatabase
  readonly tenant: Tenant
  readonly service: TestService
  readonly superuser: Pool
  readonly model: EmbeddingServer
  /** The organization that the key is bound to, and its first two repositories. */
  readonly organization: TestOrganization
  readonly repository: string
  readonly other: string
  /** Of an admin. */
  readonly key: string
  post(data: unknown, options?: Sending): Promise<Answer>
  create(...learnings: readonly (string | object)[]): Promise<BatchAnswer>
  /** The id of the one Learning that it creates. */
  createOne(learning: string | object): Promise<string>
  patch(id: string, learning: unknown, options?: Sending): Promise<Answer>
  remove(id: string, options?: Sending): Promise<Answer>
  decide(id: string, decision: string, options?: Sending): Promise<Answer>
  /** A Learning in a state that no endpoint makes, with an origin when it is private. */
  plant(state: State, text: string, over?: Planted): Promise<string>
  stop(): Promise<void>
}

interface Sending {
  readonly key?: string
  readonly org_id?: string
  readonly headers?: Record<string, string>
}

interface Planted {
  readonly version?: number
  readonly deadline?: Date
}

const DIMENSIONS = 16

export async function startStage(
  settings: Environment = {},
  instead: Partial<AppContext> = {},
): Promise<Stage> {
  const database = await makeDatabase()
  const tenant = await makeTenant(database)
  const superuser = database.superuser()
  const model = await startEmbeddingServer({ dimensions: DIMENSIONS })
  const all = {
    LIMIT_LEARNINGS_WRITES: 'off',
    EMBEDDER_URL: model.url,
    EMBEDDER_MODEL: 'test',
    EMBEDDER_DIMENSIONS: String(DIMENSIONS),
    ...settings,
  }
  const service = startService(database, all, undefined, undefined, undefined, instead)
  const [organization] = tenant.workspace.organizations
  const [repository = '', other = ''] = organization.repositories.map(({ repositoryId }) => repositoryId)
  const key = (await tenant.keyOf('user')).value
  const parts = { database, tenant, service, superuser, model, organization, repository, other, key }
  return {
    ...parts,
    ...callsOf(service, key, repository),
    plant: (state, text, over) => plant(superuser, organization, repository, state, text, over),
    async stop() {
      await Promise.all([service.stop(), tenant.close(), superuser.end(), model.stop()])
      await database.drop()
    },
  }
}

type Calls = Pick<Stage, 'post' | 'create' | 'createOne' | 'patch' | 'remove' | 'decide'>

function callsOf(service: TestService, key: string, repository: string): Calls {
  const send = (method: 'POST' | 'PATCH', path: string, fields: object, sending: Sending = {}) => {
    const { org_id, ...call } = sending
    return service.call(path, { key, method, ...call, body: { ...fields, ...(org_id && { org_id }) } })
  }
  const post = (data: unknown, sending?: Sending) => send('POST', '/v1/learnings', { data }, sending)
  const create: Stage['create'] = async (...learnings) => {
    const items = learnings.map((one) => ({
      repository_id: repository,
      ...(typeof one === 'string' ? { learning: one } : one),
    }))
    const { status, body, text } = await post(items)
    assert.equal(status, 200, text)
    return body as unknown as BatchAnswer
  }
  return {
    post,
    create,
    async createOne(learning) {
      const { results } = await create(learning)
      assert.equal(results[0]?.status, 'created', JSON.stringify(results))
      return results[0]?.id ?? assert.fail()
    },
    patch: (id, learning, sending) => send('PATCH', `/v1/learnings/${id}`, { learning }, sending),
    remove(id, { org_id, ...call } = {}) {
      const query = org_id === undefined ? '' : `?org_id=${org_id}`
      return service.call(`/v1/learnings/${id}${query}`, { key, method: 'DELETE', ...call })
    },
    decide: (id, decision, sending) => send('POST', `/v1/learnings/${id}/approval`, { decision }, sending),
  }
}

async function plant(
  superuser: Pool,
  { root, id: organization }: TestOrganization,
  repository: string,
  state: State,
  text: string,
  { version = 1, deadline }: Planted = {},
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
