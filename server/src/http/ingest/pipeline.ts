import { refuseApiKey, refuseKey } from '../../access/authenticate.ts'
import { type IngestCredential, verifyIngestCredential } from '../../access/ingest-credential.ts'
import { findKindByPrefix } from '../../access/key-format.ts'
import { refuse } from '../../errors.ts'
import type { AppContext } from '../app-context.ts'
import { readKeyHeader } from '../authenticate-request.ts'
import { decodeBody, readBody, receiveBody } from '../body.ts'
import { FairSlots, quarterOf } from '../connections/slots.ts'
import type { ApiRequest, Pipeline } from '../pipeline.ts'
import { parseQuery } from '../query.ts'
import { createShapeCheck } from '../validate.ts'
import { JSON_ARRAY, JSON_LINES } from './batch.ts'
import type { EventQueue, IngestEndpoint, SenderStatusEndpoint, UploadEndpoint } from './endpoint.ts'

type IngestAppContext = Pick<AppContext, 'config' | 'now'>

// Parsing a file takes many times its size in memory. One tenant root reads one file at a time, so that it never holds
// both slots while another root waits.
const MAX_PARALLEL_UPLOADS = 2
const MAX_PARALLEL_UPLOADS_PER_ROOT = 1
/** How long a received file waits for its turn. The largest file is read in less than half of this time. */
const UPLOAD_WAIT_MS = 30_000
// Uploads in memory, of which one tenant root may have a quarter. At the maximum file size they take 400 MiB. They are
// limited apart from parsing, so that slow senders do not block the parsing of other files.
const MAX_INCOMING_UPLOADS = 16

/** Creates the pipeline of an event endpoint: the contract's checks in order, without a database. */
export function createIngestPipeline(
  app: IngestAppContext,
  queue: EventQueue,
  endpoint: IngestEndpoint,
): Pipeline {
  const checkQuery = createShapeCheck('query', endpoint.query, endpoint.example?.query)
  return async (request) => {
    const credential = authenticate(app, request)
    refuseRevoked(queue, credential)
    queue.admit(credential)
    await request.stages.startWork(credential.root)
    checkQuery(parseQuery(request.search, endpoint.query))
    const body = await request.stages.receive((meter) =>
      readBody(request.body, request.headers, [JSON_ARRAY, JSON_LINES], meter),
    )
    return endpoint.run({ credential, queue, now: app.now }, body)
  }
}

/** Creates the pipeline of a status endpoint. A full share does not close it: it says why the share is full. */
export function createStatusPipeline(
  app: IngestAppContext,
  queue: EventQueue,
  endpoint: SenderStatusEndpoint,
): Pipeline {
  const checkQuery = createShapeCheck('query', endpoint.query, endpoint.example?.query)
  return async (request) => {
    const credential = authenticate(app, request)
    refuseRevoked(queue, credential)
    await request.stages.startWork(credential.root)
    checkQuery(parseQuery(request.search, endpoint.query))
    return endpoint.run({ credential, queue, now: app.now })
  }
}

/** Creates the pipeline of an upload endpoint: the same checks, then a complete file; two are parsed at a time. */
export function createUploadPipeline(
  app: IngestAppContext & Pick<AppContext, 'apiPool'>,
  queue: EventQueue,
  endpoint: UploadEndpoint,
): Pipeline {
  const checkQuery = createShapeCheck('query', endpoint.query, endpoint.example?.query)
  const incoming = new FairSlots({
    slots: MAX_INCOMING_UPLOADS,
    perOwner: quarterOf(MAX_INCOMING_UPLOADS),
  })
  const reading = new FairSlots({ slots: MAX_PARALLEL_UPLOADS, perOwner: MAX_PARALLEL_UPLOADS_PER_ROOT })

  return async (request) => {
    const credential = authenticate(app, request)
    refuseRevoked(queue, credential)
    queue.admit(credential)
    await request.stages.startWork(credential.root)
    const query = parseQuery(request.search, endpoint.query)
    checkQuery(query)
    const releaseIncoming = incoming.take(credential.root)
    try {
      const received = await request.stages.receive((meter) =>
        receiveBody(request.body, request.headers, endpoint.mediaTypes, {
          maxBytes: endpoint.maxBytes,
          meter,
        }),
      )
      const releaseReading = await reading.takeWhenFree(credential.root, UPLOAD_WAIT_MS)
      try {
        const { text } = await decodeBody(received, endpoint.maxBytes)
        const { now, apiPool: database, config } = app
        const context = { credential, queue, now, database, quota: config.sarifQuotaBytes }
        return await endpoint.run(context, query, text)
      } finally {
        releaseReading()
      }
    } finally {
      releaseIncoming()
    }
  }
}

function authenticate({ config, now }: IngestAppContext, { headers }: ApiRequest): IngestCredential {
  const value = readKeyHeader(config.keyHeaders, headers)
  if (value === undefined) return refuseKey()
  const kind = findKindByPrefix(value)
  if (kind !== null) return refuseApiKey(kind)
  return verifyIngestCredential(config.ingestKeys, value, now()) ?? refuseKey()
}

function refuseRevoked(queue: EventQueue, { id }: IngestCredential): void {
  const revoked = queue.isRevoked(id)
  if (revoked === null) {
    refuseTemporarily(
      'The server cannot check whether the credential is revoked. Send the same request again later.',
    )
  }
  if (revoked) refuseKey()
}

function refuseTemporarily(message: string): never {
  return refuse('OVERLOADED', message, { 'retry-after': '2' })
}
