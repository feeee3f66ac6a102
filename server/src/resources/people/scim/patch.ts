import { refuseScim } from '../../../http/scim/refusal.ts'
import { describeControl } from '../../../names.ts'
import { type Comparison, type Path, parsePath } from './path.ts'
import type { Attribute, Attributes, ComplexAttribute, SimpleAttribute } from './schema.ts'

// Values are written only under the names of the attribute definitions, so that no name of a request, such as `__proto__`,
// becomes the name of a property.

type Scalar = string | boolean
/** A value of a complex attribute. */
export type Element = Readonly<Record<string, Scalar>>
type Value = Scalar | Element | readonly Element[]
export type Resource = Readonly<Record<string, Value>>
type MutableResource = Record<string, Value>

export interface Operation {
  readonly op: 'add' | 'remove' | 'replace'
  readonly path: string | null
  readonly value: unknown
}

const MAX_OPERATIONS = 1000
/** Size in UTF-8: a unique index holds the names, and its entries have at most 2,704 bytes. */
const MAX_TEXT_BYTES = 1500
const MAX_ELEMENTS = 100
const operationNames = ['add', 'remove', 'replace'] as const

export function readOperations(body: Readonly<Record<string, unknown>>): Operation[] {
  const list = getField(body, 'operations')
  if (!Array.isArray(list) || list.length === 0)
    return refuseScim('invalidSyntax', 'Operations must be a list with at least one operation.')
  if (list.length > MAX_OPERATIONS)
    return refuseScim('tooMany', `A request may have at most ${MAX_OPERATIONS} operations. Split it.`)
  return list.map(readOperation)
}

function readOperation(item: unknown): Operation {
  if (!isObject(item)) return refuseScim('invalidSyntax', 'An operation must be an object with op and value.')
  const name = getField(item, 'op')
  const op = operationNames.find((known) => typeof name === 'string' && name.toLowerCase() === known)
  if (op === undefined) return refuseScim('invalidSyntax', 'op must be add, remove or replace.')
  const path = getField(item, 'path') ?? null
  if (path !== null && typeof path !== 'string') return refuseScim('invalidPath', 'path must be a text.')
  const hasPath = path !== null && path.trim() !== ''
  if (!hasPath && op === 'remove') return refuseScim('noTarget', 'The operation remove needs a path.')
  return { op, path: hasPath ? path : null, value: getField(item, 'value') }
}

/** Names of fields are compared without case. */
function getField(object: Readonly<Record<string, unknown>>, lowerName: string): unknown {
  return Object.entries(object).find(([name]) => name.toLowerCase() === lowerName)?.[1]
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}

/** The resource of a POST or PUT. Unknown attributes are ignored. */
export function readResource(attributes: Attributes, body: Readonly<Record<string, unknown>>): Resource {
  return applyOperations(attributes, {}, [{ op: 'replace', path: null, value: body }])
}

/** Returns a changed copy. */
export function applyOperations(
  attributes: Attributes,
  resource: Resource,
  operations: readonly Operation[],
): Resource {
  const changed: MutableResource = { ...resource }
  for (const operation of operations) {
    for (const { path, value } of expandOperation(operation))
      applyTo(attributes, changed, operation.op, path, value)
  }
  return changed
}

export interface Target {
  readonly path: Path
  readonly value: unknown
}

const readOnlyAttributes: ReadonlySet<string> = new Set(['id', 'meta', 'groups'])

/**
 * Without a path, the fields of the value are paths: `{"name.givenName": "x"}` is one too. There a read-only attribute is
 * ignored, because Okta sends whole resources with their id; a path that names one is an error of RFC 7644, section 3.5.2.
 */
export function expandOperation({ path, value }: Pick<Operation, 'path' | 'value'>): Target[] {
  const parsed = path === null ? null : parsePath(path)
  // The schema alone as a path stands for the whole resource.
  if (parsed !== null && (parsed.foreign || parsed.attribute !== '')) {
    if (!parsed.foreign && readOnlyAttributes.has(parsed.attribute))
      return refuseScim('mutability', `${parsed.attribute} is read-only. Leave it out.`)
    return [{ path: parsed, value }]
  }
  if (!isObject(value))
    return refuseScim('invalidValue', 'An operation without a path needs an object as its value.')
  return Object.entries(value).flatMap(([name, inner]): Target[] => {
    const field = parseField(name)
    if (field === null) return []
    return field.attribute === '' && isObject(inner)
      ? expandOperation({ path: null, value: inner })
      : [{ path: field, value: inner }]
  })
}

/** Null for a name that no attribute can have; unknown attributes are ignored. */
function parseField(name: string): Path | null {
  try {
    return parsePath(name)
  } catch {
    return null
  }
}

function applyTo(
  attributes: Attributes,
  resource: MutableResource,
  op: Operation['op'],
  { attribute, filter, sub, foreign }: Path,
  value: unknown,
): void {
  const found = foreign ? null : findAttribute(attributes, attribute)
  if (found === null || found.definition.readOnly) return
  const { name, definition } = found
  const next =
    definition.type === 'complex'
      ? changeComplex({ name, definition }, resource[name], op, { filter, sub }, value)
      : readSimple(name, definition, op === 'remove' ? null : value)
  if (next === undefined) delete resource[name]
  else resource[name] = next
}

function findAttribute<Definition extends Attribute>(
  attributes: Readonly<Record<string, Definition>>,
  lowerName: string,
): { readonly name: string; readonly definition: Definition } | null {
  for (const [name, definition] of Object.entries(attributes)) {
    if (name.toLowerCase() === lowerName) return { name, definition }
  }
  return null
}

/** Undefined for null and for an empty text, which remove a value. Providers also send booleans as texts, such as "False". */
function readSimple(name: string, { type }: SimpleAttribute, value: unknown): Scalar | undefined {
  if (value === null || value === undefined || value === '') return undefined
  if (type === 'boolean') {
    const word = typeof value === 'string' ? value.toLowerCase() : value
    if (word === true || word === 'true') return true
    return word === false || word === 'false'
      ? false
      : refuseScim('invalidValue', `${name} must be true or false.`)
  }
  if (typeof value !== 'string') return refuseScim('invalidValue', `${name} must be a text.`)
  if (Buffer.byteLength(value) > MAX_TEXT_BYTES)
    return refuseScim('invalidValue', `${name} must have at most ${MAX_TEXT_BYTES} bytes.`)
  const control = describeControl(value)
  if (control !== null) return refuseScim('invalidValue', `${name} must not contain ${control}.`)
  return value
}

interface NamedComplex {
  readonly name: string
  readonly definition: ComplexAttribute
}

type Selection = Pick<Path, 'filter' | 'sub'>

function changeComplex(
  attribute: NamedComplex,
  current: Value | undefined,
  op: Operation['op'],
  selection: Selection,
  value: unknown,
): Value | undefined {
  if (attribute.definition.multiValued) {
    const elements = changeElements(attribute, toElements(current), op, selection, value)
    return elements.length === 0 ? undefined : keepOnePrimary(elements, toElements(current))
  }
  const before = toElements(current)[0] ?? {}
  const element = changeElement(attribute, before, op, selection.sub, value)
  return Object.keys(element).length === 0 ? undefined : element
}

function toElements(value: Value | undefined): readonly Element[] {
  if (value === undefined || typeof value !== 'object') return []
  return Array.isArray(value) ? (value as readonly Element[]) : [value as Element]
}

function changeElements(
  attribute: NamedComplex,
  elements: readonly Element[],
  op: Operation['op'],
  { filter, sub }: Selection,
  value: unknown,
): Element[] {
  const { name } = attribute
  if (filter === null && sub === null) {
    const given =
      value === null || value === undefined ? [] : [value].flat().map((item) => readElement(attribute, item))
    if (given.length + elements.length > MAX_ELEMENTS)
      return refuseScim('invalidValue', `${name} may have at most ${MAX_ELEMENTS} values.`)
    const present = given.filter((element) => Object.keys(element).length > 0)
    if (op === 'replace') return present
    const others = elements.filter((element) => !present.some((one) => isSameValue(one, element)))
    if (op === 'add') return [...others, ...present]
    return value === undefined || value === null ? [] : others
  }
  const matches = (element: Element) => (filter ?? []).every((comparison) => isMatch(element, comparison))
  if (op === 'remove' && sub === null) return elements.filter((element) => !matches(element))
  const change = (element: Element) => changeElement(attribute, element, op, sub, value)
  // Entra sets `emails[type eq "work"].value` of a user who has no such address yet.
  const changed =
    elements.some(matches) || op === 'remove' ? elements : [...elements, toNewElement(attribute, filter)]
  return changed
    .map((element) => (matches(element) ? change(element) : element))
    .filter((element) => 'value' in element || elements.includes(element))
}

function isSameValue(one: Element, other: Element): boolean {
  return one['value'] === other['value']
}

function isMatch(element: Element, { attribute, value }: Comparison): boolean {
  const actual = Object.entries(element).find(([name]) => name.toLowerCase() === attribute)?.[1]
  if (typeof actual === 'string' && typeof value === 'string')
    return actual.toLowerCase() === value.toLowerCase()
  return (actual ?? null) === value || (attribute === 'primary' && (actual ?? false) === value)
}

/** An element for which the filter holds. */
function toNewElement({ definition }: NamedComplex, filter: readonly Comparison[] | null): Element {
  return Object.fromEntries(
    (filter ?? []).flatMap(({ attribute, value }) => {
      const found = findAttribute(definition.subAttributes, attribute)
      const scalar = found && readSimple(found.name, found.definition, value)
      return found === null || scalar === null || scalar === undefined ? [] : [[found.name, scalar]]
    }),
  )
}

function changeElement(
  { name, definition }: NamedComplex,
  element: Element,
  op: Operation['op'],
  sub: string | null,
  value: unknown,
): Element {
  if (sub === null) {
    if (op === 'remove' || value === null) return {}
    return { ...element, ...readElement({ name, definition }, value) }
  }
  const found = findAttribute(definition.subAttributes, sub)
  if (found === null || found.definition.readOnly) return element
  const scalar = readSimple(`${name}.${found.name}`, found.definition, op === 'remove' ? null : value)
  const { [found.name]: _before, ...others } = element
  return scalar === undefined ? others : { ...others, [found.name]: scalar }
}

/** A text stands for an element with this value. */
function readElement({ name, definition }: NamedComplex, value: unknown): Element {
  const given = typeof value === 'string' && definition.multiValued ? { value } : value
  if (!isObject(given)) return refuseScim('invalidValue', `${name} must be an object.`)
  const fields = Object.entries(given).flatMap(([field, inner]) => {
    const found = findAttribute(definition.subAttributes, field.toLowerCase())
    if (found === null || found.definition.readOnly) return []
    const scalar = readSimple(`${name}.${found.name}`, found.definition, inner)
    return scalar === undefined ? [] : [[found.name, scalar] as const]
  })
  return Object.fromEntries(fields)
}

/** At most one value is primary: the one that became primary last. */
function keepOnePrimary(elements: readonly Element[], before: readonly Element[]): Element[] {
  const primaries = elements.filter((element) => element['primary'] === true)
  const chosen = primaries.findLast((element) => !before.includes(element)) ?? primaries[0]
  return elements.map((element) => {
    if (element === chosen || element['primary'] !== true) return element
    return { ...element, primary: false }
  })
}
