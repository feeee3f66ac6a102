import type { Kind } from '../kind.ts'

export const shapeNames = [
  'prose',
  'code',
  'json',
  'yaml',
  'url',
  'shell',
  'env',
  'header',
  'log',
  'markdown',
  'diff',
] as const
export type ShapeName = (typeof shapeNames)[number]

/** Stands for the value in what a template writes. */
export const HOLE = '\0'

export interface Template {
  readonly shape: ShapeName
  /** The text with a hole. */
  readonly around: (names: Names) => string
  /** How the value is spelled there; as it is when nothing is said. */
  readonly spell?: (text: string) => string
}

/** What a value is called in sentences and in code. */
export interface Names {
  readonly label: string
  /** API_KEY */
  readonly constant: string
  /** api_key */
  readonly snake: string
  /** api-key */
  readonly kebab: string
  /** apiKey */
  readonly camel: string
  /** ApiKey */
  readonly pascal: string
  /** What a query parameter would be called. */
  readonly parameter: string
}

export function namesOf({ label, variable }: Kind): Names {
  const words = variable.toLowerCase().split('_')
  const pascal = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
  return {
    label,
    constant: variable,
    snake: words.join('_'),
    kebab: words.join('-'),
    camel: pascal.charAt(0).toLowerCase() + pascal.slice(1),
    pascal,
    parameter: parameterFor(label),
  }
}

function parameterFor(label: string): string {
  const words = label.toLowerCase()
  if (words.includes('password')) return 'password'
  if (words.includes('secret')) return 'client_secret'
  return words.includes('key') ? 'api_key' : 'access_token'
}

/** Inside of a string of JSON. */
export function jsonEscaped(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}

export function lineEndsEscaped(text: string): string {
  return text.replaceAll('\n', '\\n')
}

export function indented(by: string): (text: string) => string {
  return (text) => text.replaceAll('\n', `\n${by}`)
}
