// Validates what the fake sends against GitHub's published OpenAPI. Schemas are compiled at first use.
import { readFileSync } from 'node:fs'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'

type Schema = Readonly<Record<string, unknown>>

interface Operation {
  readonly responses?: Readonly<Record<string, { readonly content?: Content; readonly $ref?: string }>>
  readonly requestBody?: { readonly content?: Content }
}

type Content = Readonly<Record<string, { readonly schema?: Schema }>>

interface Description {
  readonly paths?: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly webhooks?: Readonly<Record<string, { readonly post?: Operation }>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>
    readonly responses?: Readonly<Record<string, { readonly content?: Content }>>
  }
}

/** The fake sent something that GitHub's description does not allow. */
export class ContractError extends Error {}

class Contract {
  readonly #description: Description
  readonly #isClosed: boolean
  // Optimizing the code takes longer than it saves: GitHub's schemas are large, and most are used a few times.
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true, code: { optimize: false } })
  readonly #registered = new Set<string>()
  readonly #validators = new Map<string, ValidateFunction>()

  constructor(url: string, isClosed: boolean) {
    this.#isClosed = isClosed
    this.#description = JSON.parse(readFileSync(new URL(url), 'utf8')) as Description
    formats.default(this.#ajv)
  }

  checkResponse(method: string, path: string, status: number, body: unknown): void {
    const name = `${method} ${path} ${status}`
    const operation = this.#description.paths?.[path]?.[method.toLowerCase()]
    if (operation === undefined) throw new ContractError(`GitHub does not describe ${method} ${path}`)
    const declared = operation.responses?.[String(status)]
    // GitHub does not describe every error.
    if (declared === undefined && status >= 400)
      return this.#check('basic-error', { $ref: '#/components/schemas/basic-error' }, body)
    if (declared === undefined) throw new ContractError(`GitHub does not describe ${name}`)
    const content =
      declared.$ref === undefined
        ? declared.content
        : this.#description.components.responses?.[declared.$ref.split('/').at(-1) ?? '']?.content
    this.#check(name, corrections.get(name) ?? content?.['application/json']?.schema, body)
  }

  checkHook(event: string, action: string | null, body: unknown): void {
    const name = [event, action]
      .filter((part) => part !== null)
      .join('-')
      .replaceAll('_', '-')
    const hook = this.#description.webhooks?.[name]
    if (hook === undefined) throw new ContractError(`GitHub does not describe the hook ${name}`)
    this.#check(`hook ${name}`, hook.post?.requestBody?.content?.['application/json']?.schema, body)
  }

  #check(name: string, schema: Schema | undefined, body: unknown): void {
    if (schema === undefined) {
      if (body !== undefined) throw new ContractError(`${name} has no body in GitHub's description`)
      return
    }
    let validate = this.#validators.get(name)
    if (validate === undefined) {
      validate = this.#ajv.compile(this.#toJsonSchema(schema, false) as Schema)
      this.#validators.set(name, validate)
    }
    if (validate(body)) return
    const errors = (validate.errors ?? [])
      .slice(0, 8)
      .map(({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`)
    throw new ContractError(`${name} breaks GitHub's description:\n${errors.join('\n')}`)
  }

  /** Schemas of a component: `open` ones allow other properties, because an `allOf` adds some. */
  #register(name: string, isOpen: boolean): string {
    const id = `${name}${isOpen ? '+open' : ''}`
    if (this.#registered.has(id)) return id
    this.#registered.add(id)
    const schema = this.#description.components.schemas[name]
    if (schema === undefined) throw new ContractError(`GitHub's description has no schema ${name}`)
    this.#ajv.addSchema(this.#toJsonSchema(schema, isOpen) as Schema, id)
    return id
  }

  /**
   * OpenAPI to JSON schema: `nullable` and references. In responses objects are closed: GitHub's description allows unknown
   * properties, but the fake must not invent any. Hooks list different parts of the same objects, so theirs stay open.
   */
  #toJsonSchema(schema: unknown, isOpen: boolean): unknown {
    if (Array.isArray(schema)) return schema.map((one) => this.#toJsonSchema(one, isOpen))
    if (typeof schema !== 'object' || schema === null) return schema
    const { nullable, ...rest } = schema as Schema
    const converted = this.#convertKeywords(rest, isOpen)
    if (nullable !== true) return converted
    if (Array.isArray(converted.enum) && !converted.enum.includes(null))
      converted.enum = [...(converted.enum as unknown[]), null]
    if (typeof converted.type !== 'string') return { anyOf: [{ type: 'null' }, converted] }
    return { ...converted, type: [converted.type, 'null'] }
  }

  #convertKeywords(schema: Schema, isOpen: boolean): Record<string, unknown> {
    const converted: Record<string, unknown> = {}
    for (const [key, value] of Object.entries(schema)) {
      if (documentationKeywords.has(key)) continue
      if (key === '$ref') converted.$ref = this.#register(String(value).split('/').at(-1) ?? '', isOpen)
      else if (key === 'properties') converted.properties = this.#convertProperties(value as Schema)
      else if (key === 'allOf') converted.allOf = this.#toJsonSchema(value, true)
      else if (valueKeywords.has(key)) converted[key] = value
      else converted[key] = this.#toJsonSchema(value, schemaLists.has(key) && isOpen)
    }
    const isObject = 'properties' in schema && !('additionalProperties' in schema)
    if (this.#isClosed && isObject && !isOpen && !('allOf' in schema)) converted.additionalProperties = false
    return converted
  }

  #convertProperties(properties: Schema): Schema {
    return Object.fromEntries(
      Object.entries(properties).map(([name, one]) => [name, this.#toJsonSchema(one, false)]),
    )
  }
}

// The package describes the account of these installations as a user and an enterprise at once. The component of one
// installation says what is meant: a user or an enterprise.
const corrections: ReadonlyMap<string, Schema> = new Map([
  ['GET /app/installations 200', { type: 'array', items: { $ref: '#/components/schemas/installation' } }],
])

const documentationKeywords = new Set([
  'description',
  'example',
  'examples',
  'title',
  'externalDocs',
  'discriminator',
  'deprecated',
  'x-github-breaking-changes',
])
const valueKeywords = new Set(['enum', 'required', 'const'])
const schemaLists = new Set(['anyOf', 'oneOf'])

const contracts = new Map<string, Contract>()

function getContract(url: string, isClosed: boolean): Contract {
  const known = contracts.get(url)
  if (known !== undefined) return known
  const contract = new Contract(url, isClosed)
  contracts.set(url, contract)
  return contract
}

/** Throws ContractError. `path` is as in the description, for example `/repos/{owner}/{repo}`. */
export function checkGithubResponse(method: string, path: string, status: number, body: unknown): void {
  const url = import.meta.resolve('@octokit/openapi/generated/api.github.com.json')
  getContract(url, true).checkResponse(method, path, status, body)
}

export function checkGithubHook(event: string, action: string | null, body: unknown): void {
  const url = import.meta.resolve('@octokit/openapi-webhooks/generated/api.github.com.json')
  getContract(url, false).checkHook(event, action, body)
}
