import { type ChangeBatch, type ChangesOptions, readChanges } from './changes.ts'
import { createIngestClient, type IngestClient, type IngestOptions } from './ingest.ts'
import { readAllRows, readRows } from './ndjson.ts'
import { itemsOf, readPages } from './paging.ts'
import { type ClientOptions, createSend, readJson } from './request.ts'
import type {
  Arguments,
  Get,
  Item,
  Options,
  PagedPath,
  PathsOf,
  Result,
  RowsPath,
  StreamOptions,
} from './types.ts'

export interface Client {
  get<P extends PathsOf<'get'>>(path: P, ...options: Arguments<Options<'get', P>>): Promise<Get<P>>
  post<P extends PathsOf<'post'>>(
    path: P,
    ...options: Arguments<Options<'post', P>>
  ): Promise<Result<'post', P>>
  put<P extends PathsOf<'put'>>(path: P, ...options: Arguments<Options<'put', P>>): Promise<Result<'put', P>>
  patch<P extends PathsOf<'patch'>>(
    path: P,
    ...options: Arguments<Options<'patch', P>>
  ): Promise<Result<'patch', P>>
  delete<P extends PathsOf<'delete'>>(
    path: P,
    ...options: Arguments<Options<'delete', P>>
  ): Promise<Result<'delete', P>>
  /** The response itself, after retries: for files (CSV, SARIF) and for paths that are known at run time only. */
  stream(method: string, path: string, options?: StreamOptions): Promise<Response>
  /** All pages. The audit log is read in write order, from its first row. */
  pages<P extends PagedPath>(path: P, ...options: Arguments<Options<'get', P>>): AsyncIterable<Get<P>>
  /** All items of all pages. */
  items<P extends PagedPath>(path: P, ...options: Arguments<Options<'get', P>>): AsyncIterable<Item<P>>
  /**
   * The rows of all pages as a stream of lines: one request brings up to `limit` rows (default 100,000), and none of them is
   * stored longer than you handle it. A response that breaks off throws, because its rows were handed out already.
   */
  rows<P extends RowsPath & PagedPath>(
    path: P,
    ...options: Arguments<Options<'get', P>>
  ): AsyncIterable<Item<P>>
  /** Writes, outcomes and removals of review comment metrics in order, for a copy that stays exact. */
  changes(options?: ChangesOptions): AsyncIterable<ChangeBatch>
  /** Sends events. Needs `ingestKey`. */
  ingest(options?: IngestOptions): IngestClient
}

/** Creates a client. It has no state of its own: create one and use it everywhere. */
export function createClient(options: ClientOptions): Client {
  const send = createSend(options)
  const json =
    (method: string) =>
    (path: string, request: StreamOptions = {}) =>
      send(method, path, request, readJson)
  const get = json('GET')
  const pages = (path: string, request: StreamOptions = {}) =>
    readPages(path, request.query ?? {}, (query) => get(path, { ...request, query }))

  async function* items(path: string, request?: StreamOptions) {
    for await (const page of pages(path, request)) yield* itemsOf(page)
  }

  const rows = (path: string, request: StreamOptions = {}) =>
    readAllRows({ limit: 100_000, ...request.query }, async (query) => {
      const headers = { ...request.headers, accept: 'application/x-ndjson' }
      return readRows(
        await send('GET', path, { ...request, query, headers }, (reading) => Promise.resolve(reading)),
      )
    })

  const client = {
    get,
    post: json('POST'),
    put: json('PUT'),
    patch: json('PATCH'),
    delete: json('DELETE'),
    stream: (method: string, path: string, request: StreamOptions = {}) =>
      send(method.toUpperCase(), path, request, ({ response }) => Promise.resolve(response)),
    pages,
    items,
    rows,
    changes: (request: ChangesOptions = {}) => readChanges(send, request),
    ingest: (request: IngestOptions = {}) => {
      if (options.ingestKey === undefined) {
        throw new TypeError('ingestKey is required to send events. It is another credential than apiKey.')
      }
      return createIngestClient(send, request)
    },
  }
  // The types of the paths exist only for the compiler.
  return client as unknown as Client
}
