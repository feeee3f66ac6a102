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

// A file takes many times its size in memory while it is read.
const MAX_PARALLEL_UPLOADS = 2
// Files on their way, of which a credential may have a quarter. With the largest file they take 400 MiB together, and none
// stays for longer than a request may take: slow senders keep nobody from a place to be read.
const MAX_INCOMING_UPLOADS = 16

/** Opens a door for events: the contract's order of checks, as far as it goes without a database. */
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

/** Opens a door for files: the same checks, and then one file at a time or two; none before all of it is there. */
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
      refuseTemporarily('Other files are being read right now. Send the same later.')
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
    refuseTemporarily('Whether the credential is still good cannot be told right now. Send the same later.')
  }
  if (revoked) refuseKey()
}

function refuseTemporarily(message: string): never {
  return refuse('OVERLOADED', message, { 'retry-after': '2' })
}
