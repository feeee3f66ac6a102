import { refuseApiKey, refuseKey } from '../../access/authenticate.ts'
import { type IngestCredential, verifyIngestCredential } from '../../access/ingest-credential.ts'
import { findKindByPrefix } from '../../access/key-format.ts'
import { rootScope } from '../../access/scope.ts'
import { readScoped } from '../../db/transaction.ts'
import { refuse } from '../../errors.ts'
import type { AppContext } from '../app-context.ts'
import { decodeBody, readBody, readJsonBody, receiveBody } from '../body.ts'
import { readKeyHeader } from '../checks.ts'
import { FairSlots, quarterOf } from '../connections/slots.ts'
import { createShapeCheck, parseQuery } from '../input.ts'
import type { ApiRequest, Pipeline } from '../pipeline.ts'
import type { Reply } from '../reply.ts'
import { JSON_ARRAY, JSON_LINES } from './batch.ts'
import type {
  EventQueue,
  IngestContext,
  SenderEndpoint,
  SenderQueryEndpoint,
  UploadEndpoint,
} from './endpoint.ts'

type SenderAppContext = Pick<AppContext, 'config' | 'now' | 'apiPool' | 'limiter'>

// Parsing a file takes many times its size in memory. One tenant root reads one file at a time, so that it never holds
// both slots while another root waits.
const MAX_PARALLEL_UPLOADS = 2
const MAX_PARALLEL_UPLOADS_PER_ROOT = 1
/** How long a received file waits for its turn. The largest file is read in less than half of this time. */
const UPLOAD_WAIT_MS = 30_000
// Uploads in memory, of which one tenant root may have a quarter. At the maximum file size they take 400 MiB. They are
// limited apart from parsing, so that slow senders do not block the parsing of other files.
const MAX_INCOMING_UPLOADS = 16

/** Creates the pipeline of an endpoint of senders: the contract's checks in order. Only uploads and queries use the database. */
export function createSenderPipeline(
  app: SenderAppContext,
  queue: EventQueue,
  endpoint: SenderEndpoint,
): Pipeline {
  const checkQuery = createShapeCheck('query', endpoint.query, endpoint.example?.query)
  const run = createRunner(app, endpoint)
  return async (request) => {
    const credential = authenticate(app, request)
    refuseRevoked(queue, credential)
    // A full share does not close an endpoint that says what became of events.
    if ('itemSchemas' in endpoint || 'maxBytes' in endpoint) queue.admit(credential)
    await request.stages.startWork(credential.root)
    const query = parseQuery(request.search, endpoint.query)
    checkQuery(query)
    return run(request, { credential, queue, now: app.now }, query)
  }
}

type Run = (request: ApiRequest, context: IngestContext, query: unknown) => Promise<Reply>

function createRunner(app: SenderAppContext, endpoint: SenderEndpoint): Run {
  if (endpoint.method === 'GET') return (_request, context) => endpoint.run(context)
  if ('maxBytes' in endpoint) return createUploadRunner(app, endpoint)
  if ('request' in endpoint) return createQueryRunner(app, endpoint)
  return async ({ stages, body, headers }, context) => {
    const text = await stages.receive((meter) => readBody(body, headers, [JSON_ARRAY, JSON_LINES], meter))
    return endpoint.run(context, text)
  }
}

function createQueryRunner({ apiPool, limiter }: SenderAppContext, endpoint: SenderQueryEndpoint): Run {
  const checkBody = createShapeCheck('body', endpoint.request, endpoint.example?.body)
  return async ({ stages, body, headers }, { credential }) => {
    const input = await stages.receive((meter) => readJsonBody(body, headers, meter))
    checkBody(input)
    const owner = { root: credential.root, organization: null, credential: credential.id }
    limiter.refuseIfKnownFull(endpoint.limit, owner)
    return readScoped(apiPool, rootScope(credential.root), async (tx) => {
      const limitHeaders = await limiter.admit(tx, endpoint.limit, owner)
      const reply = await endpoint.run({ credential, tx }, input)
      return { ...reply, headers: { ...reply.headers, ...limitHeaders } }
    })
  }
}

/** Receives a complete file and parses it; two are parsed at a time. */
function createUploadRunner({ apiPool: database, config }: SenderAppContext, endpoint: UploadEndpoint): Run {
  const { maxBytes, mediaTypes } = endpoint
  const incoming = new FairSlots({
    slots: MAX_INCOMING_UPLOADS,
    perOwner: quarterOf(MAX_INCOMING_UPLOADS),
  })
  const reading = new FairSlots({ slots: MAX_PARALLEL_UPLOADS, perOwner: MAX_PARALLEL_UPLOADS_PER_ROOT })

  return async ({ stages, body, headers }, context, query) => {
    const { root } = context.credential
    const releaseIncoming = incoming.take(root)
    try {
      const received = await stages.receive((meter) =>
        receiveBody(body, headers, mediaTypes, { maxBytes, meter }),
      )
      const releaseReading = await reading.takeWhenFree(root, UPLOAD_WAIT_MS)
      try {
        const { text } = await decodeBody(received, maxBytes)
        return await endpoint.run({ ...context, database, quota: config.sarifQuotaBytes }, query, text)
      } finally {
        releaseReading()
      }
    } finally {
      releaseIncoming()
    }
  }
}

function authenticate({ config, now }: SenderAppContext, { headers }: ApiRequest): IngestCredential {
  const value = readKeyHeader(config.keyHeaders, headers)
  if (value === undefined) return refuseKey()
  const kind = findKindByPrefix(value)
  if (kind !== null) return refuseApiKey(kind)
  return verifyIngestCredential(config.ingestKeys, value, now()) ?? refuseKey()
}

function refuseRevoked(queue: EventQueue, { id }: IngestCredential): void {
  const revoked = queue.isRevoked(id)
  if (revoked === null)
    refuse(
      'OVERLOADED',
      'The server cannot check whether the credential is revoked. Send the same request again later.',
      { 'retry-after': '2' },
    )
  if (revoked) refuseKey()
}
