import { readFileSync } from 'node:fs'

/** The keywords of JSON Schema that the generator of values reads. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly pattern?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly examples?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
}

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly schema: Schema
  readonly example?: unknown
}

interface MediaType {
  readonly schema: Schema
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>
}

export interface Operation {
  readonly operationId: string
  readonly tag: string
  readonly method: string
  /** With placeholders such as `{role_id}`. */
  readonly path: string
  readonly parameters: readonly Parameter[]
  readonly bodies: Readonly<Record<string, MediaType>>
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, MediaType>> }>>
  /** Kinds of keys that are accepted; null if it takes ingest credentials. */
  readonly kinds: readonly string[] | null
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

interface DocumentedOperation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly parameters: readonly Parameter[]
  readonly requestBody?: { readonly content: Operation['bodies'] }
  readonly responses: Operation['responses']
  readonly security?: readonly Readonly<Record<string, unknown>>[]
  readonly 'x-access'?: { readonly keys: Readonly<Record<string, string>> }
}

/** Every operation of openapi.json, without references. */
export function readOperations(): readonly Operation[] {
  const text = readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')
  const document = JSON.parse(text) as Document
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, described]) => {
      const { operationId, tags, parameters, requestBody, responses, ...rest } = resolve(
        described,
        document,
      ) as DocumentedOperation
      const keys = rest['x-access']?.keys
      // Only a session may call it, and callers have keys.
      if (rest.security?.some((way) => 'session' in way)) return []
      return {
        operationId,
        tag: tags[0] ?? '',
        method: method.toUpperCase(),
        path,
        parameters,
        bodies: requestBody?.content ?? {},
        responses,
        kinds: keys === undefined ? null : Object.keys(keys).filter((kind) => keys[kind] === 'allowed'),
      }
    }),
  )
}

function resolve(node: unknown, document: Document): unknown {
  if (Array.isArray(node)) return node.map((item) => resolve(item, document))
  if (node === null || typeof node !== 'object') return node
  if ('$ref' in node && typeof node.$ref === 'string') {
    const [, , group = '', name = ''] = node.$ref.split('/')
    return resolve(document.components[group]?.[name], document)
  }
  return Object.fromEntries(Object.entries(node).map(([name, value]) => [name, resolve(value, document)]))
}
