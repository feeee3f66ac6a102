import { Type } from 'typebox'

/**
 * Characters that change what a terminal or a list shows but are not seen themselves: controls, separators of lines and
 * paragraphs, and bidirectional marks, embeddings, overrides and isolates.
 */
const CONTROLS = '\\p{Cc}\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069'
const VISIBLE = `[^\\s${CONTROLS}]`
const control = new RegExp(`[${CONTROLS}]`, 'u')
const everyControl = new RegExp(control, 'gu')
const everyControlInLines = new RegExp(`(?![\\t\\n])${control.source}`, 'gu')

interface NameOptions {
  readonly description?: string
  readonly examples?: readonly string[]
}

/** The schema of a name that people read in lists: no control characters, and no blanks at its ends, which nobody sees. */
export function displayName(maxLength: number, options: NameOptions = {}) {
  return Type.String({
    minLength: 1,
    maxLength,
    pattern: `^${VISIBLE}(?:[^${CONTROLS}]*${VISIBLE})?$`,
    ...options,
  })
}

export function isDisplayNamePattern(pattern: string | undefined): boolean {
  return pattern?.startsWith(`^${VISIBLE}`) ?? false
}

/** Completes "name must not contain …" with the first control character of a text; null if it has none. */
export function describeControl(text: string): string | null {
  const index = text.search(control)
  if (index === -1) return null
  const code = text.charCodeAt(index).toString(16).toUpperCase().padStart(4, '0')
  const position = Array.from(text.slice(0, index)).length + 1
  return `control or bidirectional characters; remove U+${code} at position ${position}`
}

export function hasControl(text: string): boolean {
  return control.test(text)
}

/** For names that others report: what separates words becomes a blank, other control characters are removed. It may be empty. */
export function cleanName(name: string): string {
  return name
    .replaceAll(/[\t-\r\u0085\u2028\u2029]+/g, ' ')
    .replaceAll(everyControl, '')
    .trim()
}

/** For output on a terminal, of several lines: control characters as `\u202e`, so that JSON stays equal. */
export function escapeControls(text: string): string {
  return text.replaceAll(
    everyControlInLines,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** For output in one line: line breaks of a value must not begin a line that looks like one of ours. */
export function toLine(text: string): string {
  return escapeControls(text.replaceAll(/[\t\n\r]+/g, ' '))
}
