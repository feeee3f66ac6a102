import { keyKinds } from '../../access/key-format.ts'
import { getHttpStatus } from '../../errors.ts'
import { type Html, html, renderInline, renderParagraphs } from './html.ts'
import { JSON_TYPE } from './openapi-parts.ts'
import type {
  Access,
  OpenApiDocument,
  OpenApiResponse,
  Operation,
  Parameter,
  Schema,
  StringMap,
} from './openapi-types.ts'

/** Renders the example of an operation as a curl command. Ids that only the caller knows are shell variables. */
function renderCurl(method: string, path: string, operation: Operation): string {
  const parameters = operation.parameters.filter((parameter) => 'name' in parameter)
  const [media] = Object.entries(operation.requestBody?.content ?? {})
  const target = renderPath(path, parameters) + renderQuery(parameters)
  const lines = [
    `curl${method === 'GET' ? '' : ` -X ${method}`} "$SCHOLIAST_URL${target}"`,
    renderCredential(operation),
    ...(operation.parameters.some((parameter) => '$ref' in parameter)
      ? ['-H "idempotency-key: $(uuidgen)"']
      : []),
    ...(media === undefined
      ? []
      : [
          `-H 'content-type: ${media[0]}'`,
          `-d ${quoteForShell(JSON.stringify(media[1].example, null, 2) ?? '')}`,
        ]),
  ]
  return lines.join(' \\\n  ')
}

function renderCredential({ security }: Operation): string {
  const [scheme] = Object.keys(security?.[0] ?? {})
  if (scheme === 'session') return `--cookie "__Host-scholiast=$SCHOLIAST_SESSION"`
  return `-H "x-service-api-key: ${scheme === undefined ? '$SCHOLIAST_API_KEY' : '$SCHOLIAST_INGEST_KEY'}"`
}

/** UUIDs are those of the caller's objects; other values of the example are shown. */
function renderPath(path: string, parameters: readonly Parameter[]): string {
  return path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => {
    const example = parameters.find(
      (parameter) => parameter.in === 'path' && parameter.name === name,
    )?.example
    return typeof example === 'string' && !/^[0-9a-f-]{36}$/.test(example)
      ? example
      : `$${name.toUpperCase()}`
  })
}

function renderQuery(parameters: readonly Parameter[]): string {
  const pairs = parameters
    .filter((parameter) => parameter.in === 'query' && parameter.example !== undefined)
    .map(({ name, example }) => `${name}=${renderValue(example)}`)
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}

function renderValue(value: unknown): string {
  return (Array.isArray(value) ? value : [value]).map((item) => encodeURIComponent(String(item))).join(',')
}

function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

const emptyHtml = html``

export function renderOperation(
  method: string,
  path: string,
  operation: Operation,
  document: OpenApiDocument,
): Html {
  const { operationId, summary } = operation
  const { schemas } = document.components
  // The last paragraph describes access for readers of the OpenAPI document; this page has a table for it.
  const description = operation.description.split('\n\n').slice(0, -1).join('\n\n')
  const body = operation.requestBody?.content[JSON_TYPE]?.schema
  const replies = Object.entries(operation.responses).filter(([status]) => status < '400')
  return html`<article class="operation" id="${operationId}">
<div>
<h3><a href="#${operationId}">${summary}</a></h3>
<p class="route">${renderMethod(method)}${path}</p>
${renderParagraphs(description)}${renderAccess(operation, document)}
${renderSection('Parameters', renderFields('required', parameterFields(operation, document)))}\
${renderSection('Body', body ? renderFields('required', listFields(body, schemas)) : emptyHtml)}\
${replies.map(([status, reply]) => renderReply(status, reply, document))}\
${renderSection('Errors', renderErrors(operation))}</div>
<div class="aside"><div class="sticky">
<h4>Request</h4>
<pre><code>${renderCurl(method, path, operation)}</code></pre>
${replies.map(([status, reply]) => renderExample(status, reply))}\
${renderFirstError(operation)}</div></div>
</article>
`
}

export function listOperations(paths: OpenApiDocument['paths']): Operation[] {
  return Object.values(paths).flatMap((item) => Object.values(item))
}

/** The names of the events that the operations accept. */
export function listEventNames({ paths }: OpenApiDocument): string[] {
  const events = listOperations(paths).flatMap(
    ({ requestBody }) => requestBody?.content[JSON_TYPE]?.schema.items?.oneOf ?? [],
  )
  return events.map(({ $ref = '' }) => $ref.replace('#/components/schemas/', ''))
}

/** The schema of one event, with an example. */
export function renderEvent(name: string, { components: { schemas } }: OpenApiDocument): Html {
  const schema = schemas[name] ?? {}
  return html`<article class="operation" id="${name}">
<div>
<h3><a href="#${name}">${name}</a></h3>
${renderParagraphs(schema.description ?? '')}${renderFields('required', listFields(schema, schemas))}</div>
<div class="aside"><div class="sticky">
${renderJson('Event', schema.examples?.[0])}</div></div>
</article>
`
}

export function renderMethod(method: string): Html {
  return html`<span class="method ${method.toLowerCase()}">${method}</span>`
}

function renderSection(title: string, content: Html): Html {
  return content === emptyHtml ? emptyHtml : html`<h4>${title}</h4>\n${content}`
}

function renderAccess(operation: Operation, document: OpenApiDocument): Html {
  const access = operation['x-access']
  if (access === undefined || operation.security !== undefined) {
    const [scheme] = Object.keys(operation.security?.[0] ?? {})
    const kind = scheme === 'session' ? 'session' : 'ingest'
    return html`<dl class="facts">\n<dt>Keys</dt><dd class="kinds"><span>${kind}</span></dd>\n</dl>`
  }
  const { keys, plan, admin, permission, limit } = access
  const needs = [
    plan === 'enterprise' ? 'Enterprise plan, active subscription' : 'any plan',
    ...(admin ? ['Admin role'] : []),
    ...(permission === null ? [] : [`permission \`${permission}\``]),
  ]
  return html`<dl class="facts">
<dt>Keys</dt><dd class="kinds">${keyKinds.map((kind) => renderKind(kind, keys[kind]))}</dd>
<dt>Requires</dt><dd>${renderInline(needs.join(' · '))}</dd>
<dt>Rate limit</dt><dd>${limit.requests} requests per ${limit.seconds} seconds\
${limit.concurrent === undefined ? '' : `, ${limit.concurrent} concurrent`}\
${renderSharedLimit(operation, document)}</dd>
</dl>`
}

function renderKind(kind: string, verdict: Access['keys'][keyof Access['keys']]): Html {
  if (verdict === 'allowed') return html`<span>${kind}</span> `
  return html`<span><s>${kind}</s> <small>${getHttpStatus(verdict)}</small></span> `
}

/** Operations that share the rate limit. */
function renderSharedLimit(operation: Operation, { paths }: OpenApiDocument): Html {
  const policy = operation['x-access']?.limit.policy
  const others = listOperations(paths).filter(
    (other) => other['x-access']?.limit.policy === policy && other.operationId !== operation.operationId,
  )
  if (others.length === 0) return emptyHtml
  return html`, shared with${others.map(
    ({ operationId, summary }, index) =>
      html`${index === 0 ? '' : ','} <a href="#${operationId}">${summary}</a>`,
  )}`
}

function parameterFields({ parameters }: Operation, { components }: OpenApiDocument): Field[] {
  return parameters
    .map((parameter): Parameter | undefined =>
      'name' in parameter
        ? parameter
        : components.parameters[parameter.$ref.replace('#/components/parameters/', '')],
    )
    .filter((parameter) => parameter !== undefined)
    .map(({ name, in: location, required, description = '', schema }) => ({
      name,
      depth: 0,
      type: `${describeType(schema, components.schemas)} in ${location}`,
      rules: describeConstraints(schema),
      required,
      description,
    }))
}

/** Request tables mark required fields, response tables optional ones. */
function renderFields(mark: 'required' | 'optional', fields: readonly Field[]): Html {
  if (fields.length === 0) return emptyHtml
  const rows = fields.map(({ name, depth, type, rules, required, description }) => {
    const marked = required === (mark === 'required') ? html` <span class="mark">${mark}</span>` : emptyHtml
    const more =
      rules.length === 0 ? emptyHtml : html`<p class="rules">${renderInline(rules.join(' · '))}</p>`
    return html`<tr><td class="field depth-${Math.min(depth, 4)}"><code>${name}</code>${marked}</td>\
<td class="type">${type}</td><td><p>${renderInline(description)}</p>${more}</td></tr>\n`
  })
  return html`<table><thead><tr><th>Name</th><th>Type</th><th>Description</th></tr></thead><tbody>
${rows}</tbody></table>
`
}

function renderReply(status: string, reply: OpenApiResponse, { components }: OpenApiDocument): Html {
  const schema = reply.content?.[JSON_TYPE]?.schema
  const headers = Object.keys(reply.headers).map(
    (name) =>
      html`<dt><code>${name}</code></dt><dd>${renderInline(components.headers[name]?.description ?? '')}</dd>\n`,
  )
  return html`<h4>Response ${status}</h4>
<p>${renderInline(reply.description)}</p>
${schema === undefined ? emptyHtml : renderFields('optional', listFields(schema, components.schemas))}\
<dl class="headers">
${headers}</dl>
`
}

function renderExample(status: string, reply: OpenApiResponse): Html {
  const example = reply.content?.[JSON_TYPE]?.example
  return example === undefined ? emptyHtml : renderJson(`Response ${status}`, example)
}

/** Shows which of the two error bodies the operation returns. */
function renderFirstError({ responses }: Operation): Html {
  const [first] = Object.values(responses['400']?.content?.[JSON_TYPE]?.examples ?? {})
  return first === undefined ? emptyHtml : renderJson('Response 400', first.value)
}

function renderJson(title: string, value: unknown): Html {
  return html`<h4>${title}</h4>
<pre><code>${JSON.stringify(value, null, 2)}</code></pre>
`
}

function renderErrors({ responses }: Operation): Html {
  const rows = Object.entries(responses)
    .filter(([status]) => status >= '400')
    .flatMap(([status, { content }]) =>
      Object.entries(content?.[JSON_TYPE]?.examples ?? {}).map(([code, { summary }], index) => ({
        status: index === 0 ? status : '',
        code,
        summary,
      })),
    )
    .map(
      ({
        status,
        code,
        summary,
      }) => html`<tr><td class="status">${status}</td><td class="code"><code>${code}</code></td>\
<td>${renderInline(summary)}</td></tr>\n`,
    )
  return html`<table><thead><tr><th>Status</th><th>Code</th><th>Meaning</th></tr></thead><tbody>
${rows}</tbody></table>
`
}

/** One row of a schema table. Nested fields follow their parent. */
interface Field {
  readonly name: string
  readonly depth: number
  readonly type: string
  readonly rules: readonly string[]
  readonly required: boolean
  readonly description: string
}

function listFields(schema: Schema, schemas: StringMap<Schema>, depth = 0): Field[] {
  const { properties = {}, required = [] } = findObjectSchema(schema, schemas)
  return Object.entries(properties).flatMap(([name, value]) => {
    const field = resolveReference(value, schemas)
    const { description = '' } = field
    return [
      {
        name,
        depth,
        type: describeType(field, schemas),
        rules: describeConstraints(field),
        required: required.includes(name),
        description,
      },
      ...listFields(field, schemas, depth + 1),
    ]
  })
}

function resolveReference(schema: Schema, schemas: StringMap<Schema>): Schema {
  const name = schema.$ref?.replace('#/components/schemas/', '')
  return name === undefined ? schema : (schemas[name] ?? {})
}

function describeType(schema: Schema, schemas: StringMap<Schema>): string {
  const { type, anyOf, items, format, const: only } = resolveReference(schema, schemas)
  if (anyOf !== undefined) return anyOf.map((choice) => describeType(choice, schemas)).join(' or ')
  if (only !== undefined) return JSON.stringify(only)
  if (typeof type === 'object') return type.join(' or ')
  if (type === 'array') return items === undefined ? 'array' : `array of ${describeType(items, schemas)}`
  return format ?? type ?? 'any'
}

/** Constraints on a value besides its type. */
function describeConstraints(schema: Schema): string[] {
  const choices = (schema.enum ?? schema.items?.enum)?.map((value) => `\`${formatValue(value)}\``).join(' ')
  return [
    ...(choices === undefined ? [] : [choices]),
    ...describeRange(schema['minimum'], schema['maximum'], ''),
    ...describeRange(schema['minLength'], schema['maxLength'], ' characters'),
    ...describeRange(schema['minItems'], schema['maxItems'], ' values'),
    ...(schema.default === undefined ? [] : [`default \`${formatValue(schema.default)}\``]),
  ]
}

function describeRange(min: unknown, max: unknown, unit: string): string[] {
  if (min === undefined && max === undefined) return []
  if (max === undefined) return [`at least ${formatValue(min)}${unit}`]
  return [`${min === undefined ? 'at most' : `${formatValue(min)} to`} ${formatValue(max)}${unit}`]
}

function formatValue(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** The object schema of a value, of its items or of one of its alternatives. */
function findObjectSchema(schema: Schema, schemas: StringMap<Schema>): Schema {
  const value = resolveReference(schema, schemas)
  if (value.items !== undefined) return findObjectSchema(value.items, schemas)
  const choice = value.anyOf?.find((one) => describeType(one, schemas) !== 'null')
  return choice === undefined ? value : findObjectSchema(choice, schemas)
}
