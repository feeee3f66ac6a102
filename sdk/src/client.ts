import { itemsOf, readPages } from './paging.ts'
import { type ClientOptions, createSend, readJson } from './request.ts'
import type { Arguments, Get, Item, Options, PagedPath, PathsOf, Result, StreamOptions } from './types.ts'

export interface Client {
  get<P extends PathsOf<'get'>>(path: P, ...options: Arguments<Options<'get', P>>): Promise<Get<P>>
  post<P extends PathsOf<'post'>>(
    path: P,
    ...options: Arguments<Options<'post', P>>
  ): Promise<Result<'post', P>>
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

  const client = {
    get,
    post: json('POST'),
    patch: json('PATCH'),
    delete: json('DELETE'),
    stream: (method: string, path: string, request: StreamOptions = {}) =>
      send(method.toUpperCase(), path, request, (response) => Promise.resolve(response)),
    pages,
    items,
  }
  // The types of the paths exist only for the compiler.
  return client as unknown as Client
}
