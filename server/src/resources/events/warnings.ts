import type { TSchema } from 'typebox'
import type { EventWarning } from '../../bus/ingest-event.ts'

/** The fields of an object of a schema; null = a field that holds no object. */
type KnownFields = ReadonlyMap<string, KnownFields | null>

type FindFieldWarnings = (event: object) => EventWarning[]

// A hostile event must not cost more than a few comparisons and lines of response.
const MAX_WARNINGS_PER_EVENT = 20
const MAX_UNKNOWN_FIELDS_PER_EVENT = 50
const MAX_NAME_LENGTH = 64

/** Compiles a schema once. Finds unknown fields that look like a known one, and providers that are not in lower case. */
export function createFieldCheck(schema: TSchema): FindFieldWarnings {
  const fields = collectFields(schema) ?? new Map()
  return (event) => {
    const search: Search = { warnings: [], unknownFields: 0 }
    visit(event, fields, '', search)
    return search.warnings
  }
}

interface SchemaParts {
  readonly properties?: Readonly<Record<string, TSchema>>
  readonly items?: TSchema
  readonly anyOf?: readonly TSchema[]
}

function collectFields(schema: TSchema): KnownFields | null {
  const { properties, items, anyOf } = schema as SchemaParts
  if (properties !== undefined)
    return new Map(Object.entries(properties).map(([name, field]) => [name, collectFields(field)]))
  if (items !== undefined) return collectFields(items)
  return anyOf?.map(collectFields).find((fields) => fields !== null) ?? null
}

interface Search {
  readonly warnings: EventWarning[]
  unknownFields: number
}

function visit(value: unknown, fields: KnownFields, path: string, search: Search): void {
  if (value === null || typeof value !== 'object' || search.warnings.length >= MAX_WARNINGS_PER_EVENT) return
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) visit(item, fields, `${path}${index}.`, search)
    return
  }
  for (const [name, field] of Object.entries(value)) {
    const known = fields.get(name)
    if (known === undefined) checkUnknownField(value, name, fields, path, search)
    else if (known !== null) visit(field, known, `${path}${name}.`, search)
    else if (name === 'provider') checkProvider(field, `${path}${name}`, search)
  }
}

function checkUnknownField(
  holder: object,
  name: string,
  fields: KnownFields,
  path: string,
  search: Search,
): void {
  const { warnings } = search
  if (name.length > MAX_NAME_LENGTH || warnings.length >= MAX_WARNINGS_PER_EVENT) return
  search.unknownFields += 1
  if (search.unknownFields > MAX_UNKNOWN_FIELDS_PER_EVENT) return
  // A field that is there under its own name was not misspelled.
  const absent = [...fields.keys()].filter((known) => !Object.hasOwn(holder, known))
  const similar = findSimilar(name, absent)
  if (similar === null) return
  warnings.push({
    path: `${path}${name}`,
    message: `The field "${name}" is not in the schema of the event, so it is ignored. Did you mean ${similar}?`,
  })
}

// Organizations are found by the exact name of their provider.
function checkProvider(provider: unknown, path: string, { warnings }: Search): void {
  if (typeof provider !== 'string' || provider === provider.toLowerCase()) return
  warnings.push({
    path,
    message: `The provider is not in lower case, so it matches no organization that has it in lower case. Did you mean ${provider.toLowerCase()}?`,
  })
}

/** Returns the name that `given` probably stands for: another spelling, or one or two typing errors away. */
export function findSimilar(given: string, names: readonly string[]): string | null {
  const bare = toBareName(given)
  const spelled = names.find((name) => toBareName(name) === bare)
  if (spelled !== undefined) return spelled
  const allowed = bare.length >= 8 ? 2 : bare.length >= 4 ? 1 : 0
  return names.find((name) => countEdits(bare, toBareName(name), allowed) <= allowed) ?? null
}

function toBareName(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
}

/** The Levenshtein distance, or more than `max` if it is larger than that. */
function countEdits(one: string, other: string, max: number): number {
  if (Math.abs(one.length - other.length) > max) return max + 1
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let i = 1; i <= one.length; i++) {
    const next = [i]
    for (let j = 1; j <= other.length; j++) {
      const substitution = (row[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1)
      next.push(Math.min(substitution, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[other.length] ?? 0
}
