import { describeControl, isDisplayNamePattern } from '../names.ts'
import type { ShapeError } from '../shape.ts'

/** The keywords of JSON Schema that our schemas use. */
interface Shape {
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Shape[]
  readonly format?: string
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly uniqueItems?: boolean
  readonly items?: Shape
  readonly properties?: Readonly<Record<string, Shape>>
  readonly required?: readonly string[]
  readonly examples?: readonly unknown[]
  readonly default?: unknown
}

/**
 * Says which field is wrong, what is allowed and an example; never the value that was sent. `example` is a value that
 * fits the whole schema.
 */
export function explainShapeErrors(
  part: string,
  errors: readonly ShapeError[] | null | undefined,
  example?: unknown,
): string {
  const error = pickError(errors ?? [])
  if (error === undefined) return `The ${part} is not valid.`
  const shape = (error.parentSchema ?? {}) as Shape
  const path = error.instancePath.slice(1).replaceAll('/', '.')
  const nameOf = (field: unknown) => `${path === '' ? '' : `${path}.`}${String(field).slice(0, 80)}`
  const given = findPart(example, path)
  switch (error.keyword) {
    case 'additionalProperties':
      return explainUnknownField(part, nameOf(error.params['additionalProperty']), shape)
    case 'required': {
      const missing = listMissing(error, shape)
      const [first] = missing
      const describeField = (field: string) =>
        describeWithExample(part, shape.properties?.[field] ?? {}, getOwn(given, field))
      if (first !== undefined && missing.length === 1)
        return `The ${part} is not valid: ${nameOf(first)} is required and must be ${describeField(first)}.`
      const rules = missing.map((field) => `${nameOf(field)} must be ${describeField(field)}.`)
      return `The ${part} is not valid: ${missing.map(nameOf).join(', ')} are required. ${rules.join(' ')}`
    }
    default: {
      const control = findControl(shape, error.data)
      if (control !== null) return `The ${part} is not valid: ${path} must not contain ${control}.`
      return path === ''
        ? `The ${part} must be ${describeWithExample(part, shape, given)}.`
        : `The ${part} is not valid: ${path} must be ${describeWithExample(part, shape, given)}.`
    }
  }
}

/** The validator stops at the first one, but a caller who lacks two would have to ask twice. */
function listMissing({ data, params }: ShapeError, { required = [] }: Shape): readonly string[] {
  const missing = required.filter((field) => getOwn(data, field) === undefined)
  return missing.length > 0 ? missing : [String(params['missingProperty'])]
}

function getOwn(value: unknown, field: string): unknown {
  const isParent = typeof value === 'object' && value !== null && Object.hasOwn(value, field)
  return isParent ? (value as Readonly<Record<string, unknown>>)[field] : undefined
}

/** All items of a list have one shape, so the first item is an example for each of them. */
function findPart(example: unknown, path: string): unknown {
  if (path === '') return example
  return path
    .split('.')
    .reduce<unknown>((part, name) => getOwn(part, Array.isArray(part) ? '0' : name), example)
}

function findControl({ pattern }: Shape, value: unknown): string | null {
  return isDisplayNamePattern(pattern) && typeof value === 'string' ? describeControl(value) : null
}

function explainUnknownField(part: string, name: string, { properties = {} }: Shape): string {
  const known = Object.keys(properties)
  const kind = part === 'query' ? 'parameter' : 'field'
  const allowed = known.length === 0 ? `It has no ${kind}s` : `Known ${kind}s: ${known.join(', ')}`
  return `The ${part} has an unknown ${kind} "${name}". ${allowed}.`
}

/**
 * The last error is the outermost. Of a union it lists the errors of all alternatives: if the value has the type of one
 * of them only, what is wrong with that one is meant.
 */
function pickError(errors: readonly ShapeError[]): ShapeError | undefined {
  const last = errors.at(-1)
  if (last?.keyword !== 'anyOf') return last
  const prefix = `${last.schemaPath}/`
  const alternatives = Map.groupBy(
    errors.slice(0, -1).filter(({ schemaPath }) => schemaPath.startsWith(prefix)),
    ({ schemaPath }) => schemaPath.slice(prefix.length).split('/')[0],
  )
  const isOfType = (list: readonly ShapeError[]) =>
    !list.some(({ keyword, instancePath }) => keyword === 'type' && instancePath === last.instancePath)
  const [fitting, ...others] = [...alternatives.values()].filter(isOfType)
  const isObject = typeof last.data === 'object' && last.data !== null
  return isObject && fitting !== undefined && others.length === 0 ? pickError(fitting) : last
}

function describeWithExample(part: string, shape: Shape, given: unknown): string {
  const example = findExample(shape, given)
  if (example === undefined) return describe(shape)
  const text = part === 'query' || part === 'path' ? renderPlain(example) : JSON.stringify(example)
  return `${describe(shape)}, for example ${text}`
}

function renderPlain(example: unknown): string {
  return Array.isArray(example) ? example.join(',') : String(example)
}

function describe(shape: Shape): string {
  const choices = listChoices(shape)
  if (choices !== null) return describeChoices(choices)
  if (shape.anyOf !== undefined) return shape.anyOf.map(describe).join(' or ')
  switch (typeof shape.type === 'object' ? shape.type[0] : shape.type) {
    case 'string':
      return describeText(shape)
    case 'integer':
      return `an integer${describeRange(shape.minimum, shape.maximum)}`
    case 'number':
      return `a number${describeRange(shape.minimum, shape.maximum)}`
    case 'null':
      return 'null'
    case 'array':
      return describeList(shape)
    case 'object':
      return `an object with ${(shape.required ?? Object.keys(shape.properties ?? {})).join(', ') || 'fields'}`
    case undefined:
    default:
      return 'a value'
  }
}

function listChoices({ type, const: only, enum: values, anyOf = [] }: Shape): readonly unknown[] | null {
  if (only !== undefined) return [only]
  if (values !== undefined) return values
  if (type === 'boolean') return [true, false]
  const choices = anyOf.map((alternative) =>
    alternative.type === 'null' ? [null] : listChoices(alternative),
  )
  return choices.length > 0 && choices.every((list) => list !== null) ? choices.flat() : null
}

function describeChoices(choices: readonly unknown[]): string {
  const names = choices.map(String)
  return names.length <= 2 && choices.every((choice) => typeof choice === 'boolean')
    ? names.join(' or ')
    : `${names.length === 1 ? '' : 'one of '}${names.join(', ')}`
}

const formats: ReadonlyMap<string, string> = new Map([
  ['date', 'a date of the years 0001 to 9999'],
  ['date-time', 'a date and time with Z or an offset'],
  ['uuid', 'a UUID'],
])

/** What the patterns of our schemas mean, by a part of them. The first that occurs counts. */
const patterns: readonly (readonly [part: string, meaning: string])[] = [
  ['(:[0-9]{1,5})?', 'the name of a host, with a port if it is not the usual one'],
  ['(/(?!-)[A-Za-z0-9_.-]*', 'the login of an organization or the path of a group'],
  ['[\\x21-\\x7e]', 'a text of ASCII characters without spaces'],
  ['[\\x20-\\x7e', 'a text of ASCII characters'],
  ['^[1-9][0-9]{0,18}$', 'a positive whole number as a string'],
  ['^https?://', 'an http or https URL'],
  ['@', 'an e-mail address'],
  ['^[^\\s', 'one line without spaces at its ends'],
  ['\\p{Cc}', 'one line of text'],
  ['\\P{Cc}', 'one line of text'],
]

function describeText({ format = '', pattern, minLength, maxLength }: Shape): string {
  const known = formats.get(format)
  if (known !== undefined) return known
  const meaning = pattern === undefined ? 'a string' : patterns.find(([part]) => pattern.includes(part))?.[1]
  const least = minLength ?? (pattern === undefined || maxLength === undefined ? undefined : 1)
  return `${meaning ?? `a string that matches ${pattern}`}${describeCount(least, maxLength, 'character')}`
}

function describeList({ items, minItems, maxItems, uniqueItems }: Shape): string {
  const choices = items === undefined ? null : listChoices(items)
  const each = choices === null ? '' : `, each ${describeChoices(choices)}`
  return `a list${describeCount(minItems, maxItems, 'value')}${uniqueItems ? ' without repetition' : ''}${each}`
}

function describeRange(least: number | undefined, most: number | undefined): string {
  if (least === undefined) return most === undefined ? '' : ` up to ${most}`
  return most === undefined || most === Number.MAX_SAFE_INTEGER
    ? ` of at least ${least}`
    : ` from ${least} to ${most}`
}

function describeCount(least: number | undefined, most: number | undefined, unit: string): string {
  const count = (number: number) => `${number} ${unit}${number === 1 ? '' : 's'}`
  if (least === undefined || least === 0) return most === undefined ? '' : ` of at most ${count(most)}`
  if (most === undefined) return ` of at least ${count(least)}`
  return ` of ${least === most ? '' : `${least} to `}${count(most)}`
}

const examplesByFormat: ReadonlyMap<string, string> = new Map([
  ['date', '2026-01-31'],
  ['date-time', '2026-01-31T09:30:00Z'],
  ['uuid', '0b9e5a3c-6f0d-4c1e-9a57-2b1d0c9e8a41'],
])

/** None where the description itself lists what to send, or where nothing real is known. */
function findExample(shape: Shape, given: unknown): unknown {
  const { examples, default: standard, anyOf } = shape
  if (examples?.[0] !== undefined) return examples[0]
  if (listChoices(shape) !== null) return undefined
  if (standard !== undefined) return standard
  if (typeof given === 'string' || typeof given === 'number') return given
  if (anyOf === undefined) return createExample(shape, given)
  return anyOf.map((alternative) => findExample(alternative, given)).find((example) => example !== undefined)
}

function createExample(shape: Shape, given: unknown): unknown {
  const { items = {}, properties = {}, required = Object.keys(properties).slice(0, 1) } = shape
  switch (typeof shape.type === 'object' ? shape.type[0] : shape.type) {
    case 'string':
      return findTextExample(shape)
    case 'integer':
    case 'number':
      return shape.minimum ?? 1
    case 'array': {
      const item = pickValue(items, getOwn(given, '0'))
      return item === undefined ? undefined : [item]
    }
    case 'object': {
      const fields = required.map(
        (name) => [name, pickValue(properties[name] ?? {}, getOwn(given, name))] as const,
      )
      return fields.some(([, value]) => value === undefined) ? undefined : Object.fromEntries(fields)
    }
    case undefined:
    default:
      return given
  }
}

function pickValue(shape: Shape, given: unknown): unknown {
  return findExample(shape, given) ?? listChoices(shape)?.[0]
}

function findTextExample({ format = '', pattern = '' }: Shape): string | undefined {
  const byFormat = examplesByFormat.get(format)
  if (byFormat !== undefined) return byFormat
  if (pattern.startsWith('^https?')) return 'https://example.com'
  return pattern.includes('@') ? 'ada@example.com' : undefined
}
