import { createRandom } from '../../proofs/tools/random.ts'
import { type Corpus, type CredentialKind, type Template, VALUE_HOLE } from './corpus.ts'
import { toText, type Value } from './pattern.ts'

interface Span {
  readonly start: number
  /** Exclusive. */
  readonly end: number
}

export interface Sample {
  readonly text: string
  readonly secrets: readonly Span[]
}

const MIN_LEAK_LENGTH = 8

export type Redact = (text: string) => { readonly text: string }

/** Every pattern of the kind in every template that fits it, each with a value of its own. */
export function createSamples(kind: Corpus['kinds'][number], templates: readonly Template[]): Sample[] {
  const names = createNames(kind)
  const fitting = templates.filter(({ forms }) => forms.includes(kind.form))
  return kind.values.flatMap((pattern, patternIndex) =>
    fitting.map((template, templateIndex) => {
      const random = createRandom(`${kind.id}/${patternIndex}/${templateIndex}`)
      const [before = '', after = ''] = toText(template.text(random, names)).split(VALUE_HOLE)
      return insert(pattern(random), before, after, template.escape)
    }),
  )
}

/** Eight characters of a secret in a row are a leak; fewer may be there by chance. */
export function leaks({ text, secrets }: Sample, redacted: string): boolean {
  return secrets.some(({ start, end }) => {
    for (let from = start; from + MIN_LEAK_LENGTH <= end; from++)
      if (redacted.includes(text.slice(from, from + MIN_LEAK_LENGTH))) return true
    return false
  })
}

/** What a value is called in prose and in code. */
function createNames({ title, variable }: CredentialKind): Readonly<Record<string, string>> {
  const words = variable.toLowerCase().split('_')
  const pascal = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
  return {
    label: title,
    constant: variable,
    snake: words.join('_'),
    kebab: words.join('-'),
    camel: pascal.charAt(0).toLowerCase() + pascal.slice(1),
    pascal,
    parameter: getQueryParameter(title.toLowerCase()),
  }
}

function getQueryParameter(title: string): string {
  if (title.includes('password')) return 'password'
  if (title.includes('secret')) return 'client_secret'
  return title.includes('key') ? 'api_key' : 'access_token'
}

function insert(value: Value, before: string, after: string, escape: Template['escape']): Sample {
  let text = before
  const secrets: Span[] = []
  for (const part of value) {
    const start = text.length
    text += escape(part.text)
    if (part.secret) secrets.push({ start, end: text.length })
  }
  return { text: text + after, secrets }
}
