/** Safe markup. Only `html` below creates it, so no text is left unescaped by mistake. */
export interface Html {
  readonly markup: string
}

type HtmlValue = Html | string | number | readonly Html[]

const escapes: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&#39;'],
])

/** Escapes the values of a template, except those that are markup already. */
export function html(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return { markup: strings.reduce((whole, part, index) => whole + toMarkup(values[index - 1] ?? '') + part) }
}

/** Renders the Markdown that descriptions use: `code` and **bold**. */
export function renderInline(text: string): Html {
  const parts = text.split(/(`[^`]+`|\*\*[^*]+\*\*)/)
  return { markup: parts.map(renderInlinePart).join('') }
}

export function renderParagraphs(text: string): readonly Html[] {
  return text.split(/\n{2,}/).map((paragraph) => html`<p>${renderInline(paragraph)}</p>\n`)
}

function toMarkup(value: HtmlValue): string {
  if (typeof value === 'string')
    return value.replaceAll(/[&<>"']/g, (character) => escapes.get(character) ?? '')
  if (typeof value === 'number') return String(value)
  return 'markup' in value ? value.markup : value.map(({ markup }) => markup).join('')
}

function renderInlinePart(part: string): string {
  if (part.length > 2 && part.startsWith('`')) return html`<code>${part.slice(1, -1)}</code>`.markup
  if (part.length > 4 && part.startsWith('**')) return html`<strong>${part.slice(2, -2)}</strong>`.markup
  return toMarkup(part)
}
