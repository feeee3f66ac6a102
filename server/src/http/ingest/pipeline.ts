import { refuseKey } from '../../access/authenticate.ts'
import { type IngestCredential, verifyIngestCredential } from '../../access/ingest-credential.ts'
import { refuse } from '../../errors.ts'
import type { AppContext } from '../app-context.ts'
import { decodeBody, type ReceivedBody, readBody, receiveBody } from '../body.ts'
import { createLoadGuard } from '../connections/load.ts'
import { type ApiRequest, type Pipeline, readKeyHeader } from '../pipeline.ts'
import { parseQuery } from '../query.ts'
import { createShapeCheck } from '../validate.ts'
import { JSON_ARRAY, JSON_LINES, readBatch } from './batch.ts'
import type { EventQueue, IngestEndpoint, UploadEndpoint } from './endpoint.ts'

type IngestAppContext = Pick<AppContext, 'config' | 'now'>

// Parsing a file takes many times its size in memory.
const MAX_PARALLEL_UPLOADS = 2
// Uploads being received, of which one credential may hold a quarter. At the maximum file size they take 400 MiB. They are
// limited apart from parsing, so that slow senders do not block the parsing of other files.
const MAX_INCOMING_UPLOADS = 16

/** Creates the pipeline of an event endpoint: the contract's checks in order, without a database. */
export function createIngestPipeline(
  app: IngestAppContext,
  queue: EventQueue,
  endpoint: IngestEndpoint,
): Pipeline {
  const checkQuery = createShapeCheck('query', endpoint.query)
  return async (request) => {
    const credential = authenticate(app, request)
    refuseRevoked(queue, credential)
    checkQuery(parseQuery(request.search, endpoint.query))
    const body = await readBody(request.body, request.headers, [JSON_ARRAY, JSON_LINES])
    const items = readBatch(body, endpoint.maxItems)
    return endpoint.run({ credential, queue, now: app.now }, items)
  }
}

/** Creates the pipeline of an upload endpoint: the same checks, then a complete file; two are parsed at a time. */
export function createUploadPipeline(
  app: IngestAppContext & Pick<AppContext, 'apiPool'>,
  queue: EventQueue,
  endpoint: UploadEndpoint,
): Pipeline {
  const checkQuery = createShapeCheck('query', endpoint.query)
  const acquireUploadSlot = createLoadGuard(MAX_INCOMING_UPLOADS)
  let activeUploads = 0

  async function receive({ body, headers }: ApiRequest, { id }: IngestCredential): Promise<ReceivedBody> {
    const releaseSlot = acquireUploadSlot(id)
    try {
      return await receiveBody(body, headers, endpoint.mediaTypes, endpoint.maxBytes)
    } finally {
      releaseSlot()
    }
  }

  return async (request) => {
    const credential = authenticate(app, request)
    refuseRevoked(queue, credential)
    const query = parseQuery(request.search, endpoint.query)
    checkQuery(query)
    const received = await receive(request, credential)
    if (activeUploads >= MAX_PARALLEL_UPLOADS)
      refuseTemporarily('Other files are being processed. Send the file again later.')
    activeUploads++
    try {
      const { text } = await decodeBody(received, endpoint.maxBytes)
      return await endpoint.run({ credential, queue, now: app.now, database: app.apiPool }, query, text)
    } finally {
      activeUploads--
    }
  }
}

function authenticate({ config, now }: IngestAppContext, { headers }: ApiRequest): IngestCredential {
  const value = readKeyHeader(config.keyHeaders, headers)
  const credential = value === undefined ? null : verifyIngestCredential(config.ingestKeys, value, now())
  return credential ?? refuseKey()
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
