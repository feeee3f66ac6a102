import type { paths } from './openapi.ts'

export type Query = Readonly<
  Record<string, string | number | boolean | readonly (string | number)[] | null | undefined>
>

export interface RequestOptions {
  readonly signal?: AbortSignal | undefined
  /** Milliseconds for one attempt. Default: that of the client. */
  readonly timeoutMs?: number | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** For requests whose path is not known when the program is compiled, and for files and streams. */
export interface StreamOptions extends RequestOptions {
  readonly params?: Readonly<Record<string, string>> | undefined
  readonly query?: Query | undefined
  /** A string, bytes or a stream is sent as it is, anything else as JSON. A stream cannot be sent again, so it is not retried. */
  readonly body?: unknown
  readonly idempotencyKey?: string | undefined
}

export type Method = 'get' | 'post' | 'patch' | 'put' | 'delete'

/** The paths that have the method. */
export type PathsOf<M extends Method> = {
  [P in keyof paths]: paths[P] extends Record<M, object> ? P : never
}[keyof paths]

type Operation<M extends Method, P extends keyof paths> = paths[P] extends Record<M, infer Op> ? Op : never

type JsonOf<Response> = Response extends { content: { 'application/json': infer Body } } ? Body : undefined

type SuccessOf<Op> = Op extends { responses: infer R }
  ? { [S in keyof R]: S extends 200 | 201 | 202 | 204 ? JsonOf<R[S]> : never }[keyof R]
  : never

/** The body of a successful response, for example `Result<'post', '/v1/learnings'>`. */
export type Result<M extends Method, P extends keyof paths> = SuccessOf<Operation<M, P>>

/** The body of a successful GET, for example `Get<'/v1/users'>`. */
export type Get<P extends PathsOf<'get'>> = Result<'get', P>

type ParametersOf<Op> = Op extends { parameters: infer Parameters } ? Parameters : never
type QueryOf<Op> = ParametersOf<Op> extends { query?: infer Q } ? Q : never
type JsonBody<Body> = Body extends { content: { 'application/json': infer Json } } ? Json : never

/** The field `Name`, required if `Source` requires its `Key`. */
type Field<Name extends string, Source, Key extends string> =
  Source extends Record<Key, infer Value>
    ? { readonly [N in Name]: Value }
    : Source extends { readonly [K in Key]?: infer Value }
      ? { readonly [N in Name]?: Value | undefined }
      : unknown

type BodyField<Op> =
  Op extends Record<'requestBody', infer Body>
    ? { readonly body: JsonBody<Body> }
    : Op extends { requestBody?: infer Body }
      ? { readonly body?: JsonBody<Body> | undefined }
      : unknown

/** The options of a request. `params`, `query` and `body` are required where the API requires them. */
export type Options<M extends Method, P extends keyof paths> = RequestOptions &
  Field<'params', ParametersOf<Operation<M, P>>, 'path'> &
  Field<'query', ParametersOf<Operation<M, P>>, 'query'> &
  (M extends 'get'
    ? unknown
    : BodyField<Operation<M, P>> & {
        /** Default: a random key, where the API accepts one. */
        readonly idempotencyKey?: string | undefined
      })

/** The options may be left out if none of them is required. */
export type Arguments<Value> = object extends Value ? [options?: Value] : [options: Value]

/** The paths that return pages. */
export type PagedPath = {
  [P in PathsOf<'get'>]: NonNullable<QueryOf<Operation<'get', P>>> extends { cursor?: string } ? P : never
}[PathsOf<'get'>]

/** The paths that can return one row per line. */
export type RowsPath = {
  [P in PathsOf<'get'>]: Operation<'get', P> extends {
    responses: { 200: { content: { 'application/x-ndjson': unknown } } }
  }
    ? P
    : never
}[PathsOf<'get'>]

/** The field that holds the items of a page. */
export type ListField = 'data' | 'organizations' | 'repositories' | 'users'

type ElementOf<Page> = Page extends unknown
  ? { [F in ListField]: Page extends Record<F, readonly (infer Element)[]> ? Element : never }[ListField]
  : never

/** An element of the pages of a path, for example `Item<'/v1/learnings'>`. */
export type Item<P extends PagedPath> = ElementOf<Get<P>>
