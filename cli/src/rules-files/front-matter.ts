// The front matter of rules for Cursor and Copilot: a few keys with texts, booleans and lists.

export interface FrontMatter {
  readonly values: ReadonlyMap<string, readonly string[]>
  /** What follows the front matter. */
  readonly body: string
  /** The number of the first line of the body. */
  readonly bodyLine: number
}

export function parseFrontMatter(content: string): FrontMatter {
  const match = /^---[ \t]*\n([\s\S]*?)(?:^|\n)---[ \t]*(?:\n|$)/.exec(content)
  if (match === null || !isFrontMatter(match[1] ?? ''))
    return { values: new Map(), body: content, bodyLine: 1 }
  const values = new Map<string, string[]>()
  let key = ''
  for (const line of (match[1] ?? '').split('\n')) {
    const entry = /^([A-Za-z][\w-]*):[ \t]*(.*)$/.exec(line)
    const item = /^\s*-\s+(.*)$/.exec(line)
    if (entry) {
      key = entry[1] ?? ''
      values.set(key, parseValue(entry[2] ?? ''))
    } else if (item && key !== '') {
      values.get(key)?.push(unquote(item[1] ?? ''))
    }
  }
  const bodyLine = match[0].split('\n').length
  return { values, body: content.slice(match[0].length), bodyLine }
}

/** Otherwise the first line is a rule between parts of the text. */
function isFrontMatter(text: string): boolean {
  return text.split('\n').every((line) => /^(?:\s*$|#|[A-Za-z][\w-]*:|\s+\S|\s*-\s)/.test(line))
}

export function renderFrontMatter(values: Readonly<Record<string, string>>): string {
  const lines = Object.entries(values).map(([key, value]) => `${key}: ${value}`)
  return ['---', ...lines, '---', ''].join('\n')
}

/** A YAML text in double quotes: every JSON text is one. */
export function quote(text: string): string {
  return JSON.stringify(text)
}

/** A text, or a list such as ["a", "b"]. */
function parseValue(text: string): string[] {
  const trimmed = text.trim()
  if (trimmed === '') return []
  const list = /^\[\s*(["'][\s\S]*["'])\s*\]$/.exec(trimmed)?.[1]
  if (list === undefined) return [unquote(trimmed)]
  return [...list.matchAll(/"((?:[^"\\]|\\.)*)"|'((?:[^']|'')*)'/g)].map(([quoted]) => unquote(quoted))
}

function unquote(text: string): string {
  const trimmed = text.trim()
  if (/^'.*'$/s.test(trimmed) && trimmed.length > 1) return trimmed.slice(1, -1).replaceAll("''", "'")
  if (!/^".*"$/s.test(trimmed) || trimmed.length < 2) return trimmed.replace(/\s+#.*$/, '')
  try {
    return JSON.parse(trimmed) as string
  } catch {
    return trimmed.slice(1, -1)
  }
}
