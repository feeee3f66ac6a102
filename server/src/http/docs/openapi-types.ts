import type { KeyKind } from '../../access/key-format.ts'
import type { Limit } from '../../config.ts'
import type { Endpoint } from '../endpoint.ts'

// The subset of OpenAPI 3.1 that the server writes and the reference page reads.
export type StringMap<Value> = Readonly<Record<string, Value>>

export interface OpenApiDocument {
  readonly openapi: '3.1.0'
  readonly info: {
    readonly title: string
    readonly version: string
    readonly summary: string
    readonly description: string
    readonly license: StringMap<string>
  }
  readonly servers: readonly { readonly url: string }[]
  readonly security: readonly StringMap<readonly string[]>[]
  readonly tags: readonly { readonly name: string }[]
  readonly paths: StringMap<StringMap<Operation>>
  readonly components: {
    readonly securitySchemes: StringMap<StringMap<string>>
    readonly schemas: StringMap<Schema>
    readonly parameters: StringMap<Parameter>
    readonly headers: StringMap<Header>
  }
}

export interface Operation {
  readonly tags: readonly string[]
  readonly summary: string
  readonly description: string
  readonly operationId: string
  readonly parameters: readonly (Parameter | Reference)[]
  readonly requestBody?: { readonly required: boolean; readonly content: StringMap<MediaType> }
  readonly responses: StringMap<OpenApiResponse>
  /** Set if the operation requires a credential other than an API key. */
  readonly security?: readonly StringMap<readonly string[]>[]
  /** Not set for ingest endpoints. */
  readonly 'x-access'?: Access
}

/** Who may call an operation and how often, for programs; the description says the same to people. */
export interface Access {
  readonly keys: Pick<Endpoint['keys'], KeyKind>
  readonly plan: Endpoint['plan']
  readonly permission: Endpoint['permission']
  readonly admin: boolean
  readonly limit: Limit & { readonly policy: string; readonly concurrent?: number }
}

export interface Reference {
  readonly $ref: string
}

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly description?: string
  readonly style?: 'form'
  readonly explode?: false
  readonly schema: Schema
  readonly example?: unknown
}

export interface Header {
  readonly description: string
  readonly schema: Schema
}

export interface MediaType {
  readonly schema: Schema
  readonly example?: unknown
  /** Error bodies by code. */
  readonly examples?: StringMap<{ readonly summary: string; readonly value: unknown }>
}

export interface OpenApiResponse {
  readonly description: string
  readonly headers: StringMap<Reference>
  readonly content?: StringMap<MediaType>
}

/** The JSON Schema keywords that the reference page reads; the others are passed through. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly format?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly default?: unknown
  readonly examples?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: StringMap<Schema>
  readonly required?: readonly string[]
  readonly [keyword: string]: unknown
}
