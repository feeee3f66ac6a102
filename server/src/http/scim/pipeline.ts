import { findKindByPrefix } from '../../access/key-format.ts'
import { findScimCredential, noteScimUse, type ScimCredential } from '../../access/scim-credential.ts'
import { rootScope } from '../../access/scope.ts'
import { inTransaction } from '../../db/transaction.ts'
import { Refusal } from '../../errors.ts'
import type { Metrics } from '../../observe/metrics.ts'
import { toPublicUrl } from '../../public-url.ts'
import type { AppContext } from '../app-context.ts'
import { readBody } from '../body.ts'
import { withWaitLimit } from '../connections/keyed-mutex.ts'
import { refuseUnstorable } from '../input.ts'
import { type ApiRequest, auditRefusal, type Pipeline } from '../pipeline.ts'
import type { Reply } from '../reply.ts'
import type { ScimContext, ScimEndpoint, ScimInput } from './endpoint.ts'
import { refuseScim, ScimRefusal } from './refusal.ts'

const MEDIA_TYPES = ['application/scim+json', 'application/json']
const BASE_PATH = '/scim/v2'
const UNIQUE_VIOLATION = '23505'

/**
 * Creates the pipelines of SCIM endpoints: credential, input, rate limit, then the endpoint in one transaction. Changes of
 * one tenant root run one at a time on a node, so that a provider that sends many at once holds one connection.
 */
export function createScimPipeline(
  app: AppContext,
  metrics: Pick<Metrics, 'lostAdmins'>,
): (endpoint: ScimEndpoint) => Pipeline {
  const runExclusive = withWaitLimit(app.runExclusive)
  return (endpoint) => async (request) => {
    const credential = await authenticate(app, request)
    await request.stages.startWork(credential.root)
    const input = await readInput(endpoint, request)
    const headers = await admit(app, credential)
    const run = () => runEndpoint(app, metrics, endpoint, request, credential, input)
    try {
      const reply = await (endpoint.method === 'GET' ? run() : runExclusive(`scim ${credential.root}`, run))
      return { ...reply, headers: { ...headers, ...reply.headers } }
    } catch (error) {
      const { id, root } = credential
      if (error instanceof ScimRefusal)
        await auditRefusal(app, endpoint, request, { root, credential: { kind: 'key', id } }, error)
      throw toScimRefusal(error)
    }
  }
}

async function authenticate({ authPool }: AppContext, { headers }: ApiRequest): Promise<ScimCredential> {
  const [, value = ''] = /^Bearer +([^ ]+) *$/i.exec(headers.authorization ?? '') ?? []
  const credential = await findScimCredential(authPool, value)
  return credential ?? refuseCredential(value)
}

// The prefix alone decides about the message, so that it does not reveal whether the value is valid.
function refuseCredential(value: string): never {
  const message =
    findKindByPrefix(value) === null
      ? 'The SCIM credential is missing, invalid or no longer active. Send a valid one as Authorization: Bearer.'
      : 'This is an API key; SCIM needs a SCIM credential. Ask the operator for one.'
  throw new Refusal('UNAUTHORIZED', message, { 'www-authenticate': 'Bearer realm="scim"' })
}

async function readInput(endpoint: ScimEndpoint, request: ApiRequest): Promise<ScimInput> {
  const { params, search, headers, stages } = request
  refuseVersion(headers['if-match'])
  const query = new URLSearchParams(search)
  refuseUnstorable([...Object.values(params), ...[...query].flat()], 'path or query', 0)
  if (endpoint.method === 'GET' || endpoint.method === 'DELETE') return { params, query, body: {} }
  const { text } = await stages.receive((meter) => readBody(request.body, headers, MEDIA_TYPES, meter))
  const body = parseJson(text)
  refuseUnstorable(body, 'body', 0)
  if (body === null || typeof body !== 'object' || Array.isArray(body))
    return refuseScim('invalidSyntax', 'The body must be a JSON object.')
  return { params, query, body: body as ScimInput['body'] }
}

/** Resources have no versions, as ServiceProviderConfig says, so no version matches. RFC 9110, section 13.1.1. */
function refuseVersion(ifMatch: string | undefined): void {
  if (ifMatch === undefined || ifMatch.trim() === '*') return
  const message = 'Resources have no ETag, so If-Match never matches. Send the request without If-Match.'
  throw new Refusal('INVALID_REQUEST', message, {}, 412)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return refuseScim('invalidSyntax', 'The body is not valid JSON.')
  }
}

/** Commits on its own, so that a failed request counts too. */
async function admit(
  { limiter, admissionPool, now }: AppContext,
  { id, root }: ScimCredential,
): Promise<Record<string, string>> {
  const owner = { root, organization: null, credential: id }
  limiter.refuseIfKnownFull('scim', owner)
  const scope = rootScope(root)
  return inTransaction(admissionPool, scope, async (tx) => {
    const headers = await limiter.admit(tx, 'scim', owner)
    await noteScimUse(scope, tx, id, now())
    return headers
  })
}

async function runEndpoint(
  app: AppContext,
  metrics: Pick<Metrics, 'lostAdmins'>,
  endpoint: ScimEndpoint,
  { address }: ApiRequest,
  { id, root }: ScimCredential,
  input: ScimInput,
): Promise<Reply> {
  const lost: string[] = []
  const scope = rootScope(root)
  const reply = await inTransaction(app.apiPool, scope, (tx) => {
    const context: ScimContext = {
      tx,
      scope,
      actor: { kind: 'key', id, address },
      at: app.now(),
      log: app.log,
      baseUrl: app.config.publicUrl === null ? BASE_PATH : toPublicUrl(app.config.publicUrl, BASE_PATH),
      reportLostAdmins: (organizations) => lost.push(...organizations),
    }
    return endpoint.run(context, input)
  })
  if (lost.length > 0) {
    metrics.lostAdmins.inc(lost.length)
    app.log.warn({ root, organizations: lost }, 'SCIM deactivated the last admin of an organization')
  }
  return reply
}

/** Two requests on different nodes can both find a name free; the database then refuses the second one. */
function toScimRefusal(error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error) || error.code !== UNIQUE_VIOLATION) return error
  return new ScimRefusal(
    'uniqueness',
    'Another request has just taken this name or address. Read it and retry.',
  )
}
