import type { Reply } from '../../../http/reply.ts'
import { refuseScim, SCIM_TYPE } from '../../../http/scim/refusal.ts'
import { type Comparison, parseFilter } from './path.ts'
import { LIST_SCHEMA } from './schema.ts'
import type { Slice } from './sql.ts'

const DEFAULT_COUNT = 100
const MAX_COUNT = 200
const MAX_INDEX = 1_000_000_000

/** A resource as it is sent. `id`, `schemas` and `meta` are always a part of it. */
export type Representation = Readonly<Record<string, unknown>>

export function scimReply(
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  return { status, headers, body: { text: JSON.stringify(body), type: SCIM_TYPE } }
}

export const noContent: Reply = { status: 204, body: null }

/** RFC 7644, section 3.4.2.4: a startIndex below 1 is 1, a negative count is 0. We send at most 200 resources. */
export function readSlice(query: URLSearchParams): Slice {
  const startIndex = Math.max(readInteger(query, 'startIndex') ?? 1, 1)
  const count = Math.max(readInteger(query, 'count') ?? DEFAULT_COUNT, 0)
  return { offset: startIndex - 1, limit: Math.min(count, MAX_COUNT) }
}

function readInteger(query: URLSearchParams, name: string): number | null {
  const text = getParameter(query, name)
  if (text === null || text === '') return null
  if (!/^[+-]?\d{1,15}$/.test(text)) return refuseScim('invalidValue', `${name} must be a whole number.`)
  return Math.min(Math.max(Number(text), -1), MAX_INDEX)
}

/** Names of parameters are compared without case. */
function getParameter(query: URLSearchParams, name: string): string | null {
  for (const [given, value] of query) if (given.toLowerCase() === name.toLowerCase()) return value
  return null
}

/** The values that each named attribute must have; `names` are those of the filter in lower case. */
export function readComparisons<Name extends string>(
  query: URLSearchParams,
  names: Readonly<Record<string, Name>>,
): ReadonlyMap<Name, readonly string[]> {
  const text = getParameter(query, 'filter')
  const comparisons = text === null ? [] : parseFilter(text)
  const known = comparisons.map((comparison) => [toKnownName(comparison, names), toText(comparison)] as const)
  const grouped = Map.groupBy(known, ([name]) => name)
  return new Map([...grouped].map(([name, entries]) => [name, entries.map(([, value]) => value)]))
}

function toKnownName<Name extends string>(
  { attribute, sub }: Comparison,
  names: Readonly<Record<string, Name>>,
): Name {
  const given = sub === null ? attribute : `${attribute}.${sub}`
  const name = Object.hasOwn(names, given) ? names[given] : undefined
  return (
    name ??
    refuseScim(
      'invalidFilter',
      `The filter names an attribute that cannot be filtered. Use ${Object.keys(names).join(', ')}.`,
    )
  )
}

function toText({ value }: Comparison): string {
  if (typeof value === 'string') return value
  return refuseScim('invalidFilter', 'The value of a comparison must be a text in double quotes.')
}

export function listReply({ offset }: Slice, total: number, resources: readonly Representation[]): Reply {
  return scimReply(200, {
    schemas: [LIST_SCHEMA],
    totalResults: total,
    startIndex: offset + 1,
    itemsPerPage: resources.length,
    Resources: resources,
  })
}

/** Returns which attributes a caller wants: `attributes` names all of them, `excludedAttributes` those to leave out. */
export function readProjection(query: URLSearchParams): (representation: Representation) => Representation {
  const wanted = readNames(query, 'attributes')
  const excluded = readNames(query, 'excludedAttributes')
  if (wanted === null && excluded === null) return (representation) => representation
  return (representation) =>
    Object.fromEntries(
      Object.entries(representation).filter(([name]) => {
        if (['id', 'schemas', 'meta'].includes(name)) return true
        const lower = name.toLowerCase()
        return wanted === null ? !excluded?.has(lower) : wanted.has(lower)
      }),
    )
}

/** A name of a part stands for its whole attribute. */
function readNames(query: URLSearchParams, parameter: string): ReadonlySet<string> | null {
  const text = getParameter(query, parameter)
  if (text === null || text.trim() === '') return null
  const names = text.split(',').map((name) =>
    name
      .trim()
      .toLowerCase()
      .replace(/^urn:[\w:.-]{1,200}:/, ''),
  )
  return new Set(names.map((name) => name.split('.')[0] ?? name))
}

export function excludes(query: URLSearchParams, attribute: string): boolean {
  const wanted = readNames(query, 'attributes')
  return wanted === null
    ? (readNames(query, 'excludedAttributes')?.has(attribute) ?? false)
    : !wanted.has(attribute)
}
