import type { Family, Form, Kind } from './kind.ts'
import { makeRandom } from './random.ts'
import { addressTemplates, blockTemplates, linesTemplates } from './shapes/other.ts'
import { HOLE, namesOf, type ShapeName, type Template } from './shapes/template.ts'
import { namedTokenTemplates, unnamedTokenTemplates } from './shapes/token.ts'
import type { Value } from './value.ts'

/** From start up to, not including, end. */
export interface Span {
  readonly start: number
  readonly end: number
}

export interface Sample {
  readonly kind: string
  readonly family: Family
  readonly shape: ShapeName
  readonly text: string
  /** The whole value with its prefix, or the whole line or address that carries it. */
  readonly value: Span
  /** The parts of it that are secret. */
  readonly secrets: readonly Span[]
}

const SHORTEST_LEAK = 8

const templates: Readonly<Record<Form, readonly Template[]>> = {
  token: [...namedTokenTemplates, ...unnamedTokenTemplates],
  bare: namedTokenTemplates,
  address: addressTemplates,
  lines: linesTemplates,
  block: blockTemplates,
}

/** Every look of the kind in every shape that fits it, each with a value of its own. */
export function samplesOf(kind: Kind): Sample[] {
  const names = namesOf(kind)
  return kind.makers.flatMap((make, look) =>
    templates[kind.form].map((template, place) => {
      const random = makeRandom(`${kind.name}/${look}/${place}`)
      const [before = '', after = ''] = template.around(names).split(HOLE)
      const written = write(make(random), before, template.spell)
      return {
        kind: kind.name,
        family: kind.family,
        shape: template.shape,
        ...written,
        text: written.text + after,
      }
    }),
  )
}

/** Eight characters of a secret in a row are a leak; fewer may stand there by chance. */
export function leaks({ text, secrets }: Sample, redacted: string): boolean {
  return secrets.some(({ start, end }) => {
    for (let from = start; from + SHORTEST_LEAK <= end; from++)
      if (redacted.includes(text.slice(from, from + SHORTEST_LEAK))) return true
    return false
  })
}

function write(value: Value, before: string, spell: Template['spell'] = (text) => text) {
  let text = before
  const secrets: Span[] = []
  for (const part of value) {
    const start = text.length
    text += spell(part.text)
    if (part.secret) secrets.push({ start, end: text.length })
  }
  return { text, value: { start: before.length, end: text.length }, secrets }
}
