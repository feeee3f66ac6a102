// What commands print: results to stdout, notes and progress to stderr.
import { Writable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { styleText } from 'node:util'

export interface Column<Row> {
  readonly heading: string
  readonly value: (row: Row) => string | number | boolean | null | undefined
  readonly right?: boolean
  /** Cut to the width of a terminal. At most one column of a table. */
  readonly flexible?: boolean
}

export interface Progress {
  update(done: number): void
  done(): void
}

interface OutputOptions {
  readonly stdout: Writable & { readonly isTTY?: boolean; readonly columns?: number }
  readonly stderr: Writable & { readonly isTTY?: boolean; readonly columns?: number }
  readonly json: boolean
  readonly quiet: boolean
  readonly color: boolean
}

type Style = Parameters<typeof styleText>[0]

const PROGRESS_INTERVAL_MS = 100

export class Output {
  /** Whether --json was given: print with json() and nothing else to stdout. */
  readonly isJson: boolean
  readonly #options: OutputOptions

  constructor(options: OutputOptions) {
    this.isJson = options.json
    this.#options = options
  }

  json(value: unknown): void {
    const { stdout } = this.#options
    const text =
      stdout.isTTY === true ? escapeControls(JSON.stringify(value, null, 2)) : JSON.stringify(value)
    stdout.write(`${text}\n`)
  }

  /** Values of the service may be part of the text: it stays one line, whatever they contain. */
  line(text: string): void {
    this.#print(toLine(text))
  }

  /** Rows as JSON with --json, else as a table; `empty` is the note where there is none. */
  rows<Row>(rows: readonly Row[], columns: readonly Column<Row>[], empty: string): void {
    if (this.isJson) this.json(rows)
    else if (rows.length === 0) this.note(empty)
    else this.table(rows, columns)
  }

  table<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): void {
    const cells = rows.map((row) => columns.map(({ value }) => renderCell(value(row))))
    const widths = columns.map(({ heading }, index) =>
      Math.max(measureWidth(heading), ...cells.map((row) => measureWidth(row[index] ?? ''))),
    )
    this.#fitWidths(columns, widths)
    const render = (row: readonly string[]) =>
      columns
        .map(({ right }, index) =>
          pad(cut(row[index] ?? '', widths[index] ?? 0), widths[index] ?? 0, right === true),
        )
        .join('  ')
        .trimEnd()
    this.#print(this.#style('bold', render(columns.map(({ heading }) => heading))))
    for (const row of cells) this.line(render(row))
  }

  /** Two columns without a heading, for one object. */
  fields(fields: readonly (readonly [name: string, value: string | number | boolean | null])[]): void {
    const width = Math.max(...fields.map(([name]) => measureWidth(name)))
    for (const [name, value] of fields) {
      this.#print(`${this.#style('bold', pad(toLine(name), width, false))}  ${renderCell(value)}`)
    }
  }

  note(text: string): void {
    if (!this.#options.quiet) this.#options.stderr.write(`${toLine(text)}\n`)
  }

  #print(line: string): void {
    this.#options.stdout.write(`${line}\n`)
  }

  #style(style: Style, text: string): string {
    return this.#options.color ? styleText(style, text, { validateStream: false }) : text
  }

  /** A bar with rate and remaining time on a terminal; nothing in a pipe. */
  progress({ label, total }: { readonly label: string; readonly total?: number }): Progress {
    const { stderr, quiet } = this.#options
    if (quiet || stderr.isTTY !== true) return { update: () => undefined, done: () => undefined }
    const start = performance.now()
    let drawn = Number.NEGATIVE_INFINITY
    return {
      update: (done) => {
        const now = performance.now()
        if (now - drawn < PROGRESS_INTERVAL_MS) return
        drawn = now
        const text = renderProgress(label, done, total, (now - start) / 1000)
        stderr.write(`\r\u001b[2K${cut(text, (stderr.columns ?? 80) - 1)}`)
      },
      done: () => stderr.write('\r\u001b[2K'),
    }
  }

  #fitWidths(columns: readonly Column<never>[], widths: number[]): void {
    const { stdout } = this.#options
    const flexible = columns.findIndex((column) => column.flexible === true)
    if (stdout.isTTY !== true || stdout.columns === undefined || flexible === -1) return
    const others = widths.reduce(
      (sum, width, index) => (index === flexible ? sum : sum + width),
      2 * (widths.length - 1),
    )
    widths[flexible] = Math.min(widths[flexible] ?? 0, Math.max(12, stdout.columns - others))
  }
}

/**
 * Texts of the service must not move the cursor, change colours or reorder text of a terminal. What would is shown as in JSON,
 * such as \u202e, so that JSON stays equal.
 */
function escapeControls(text: string): string {
  return text.replaceAll(
    /(?![\t\n]|\r\n)[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

export function toLine(text: string): string {
  return escapeControls(text.replaceAll(/[\t\n\r]+/g, ' '))
}

/** What is written to a file or a pipe as it is, for a terminal. */
export function toTerminal(terminal: Writable): Writable {
  const decoder = new StringDecoder('utf8')
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      terminal.write(escapeControls(decoder.write(chunk)), done)
    },
  })
}

/** @public */
export function formatCount(count: number): string {
  return count.toLocaleString('en-US')
}

/** "1 user" or "1,204 users". */
export function formatCounted(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`
}

function renderCell(value: string | number | boolean | null | undefined): string {
  if (value === null || value === undefined) return '–'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'number') return formatCount(value)
  return toLine(value.replaceAll(/\s+/g, ' '))
}

function renderProgress(label: string, done: number, total: number | undefined, seconds: number): string {
  const rate = seconds > 0 ? done / seconds : 0
  const speed = `${formatCount(Math.round(rate))}/s`
  if (total === undefined || total === 0) return `${label}  ${formatCount(done)}  ${speed}`
  const share = Math.min(1, done / total)
  const filled = Math.round(share * 24)
  const bar = `${'█'.repeat(filled)}${'░'.repeat(24 - filled)}`
  const left = rate > 0 ? `, ${formatSeconds((total - done) / rate)} left` : ''
  return `${label}  ${bar} ${Math.floor(share * 100)} %  ${formatCount(done)} of ${formatCount(total)}  ${speed}${left}`
}

export function formatSeconds(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds))
  if (whole < 60) return `${whole} s`
  const minutes = Math.floor(whole / 60)
  return minutes < 60 ? `${minutes} min ${whole % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

const wideCharacter =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u

function measureWidth(text: string): number {
  let width = 0
  for (const character of text.replaceAll(/\p{Mark}/gu, '')) width += wideCharacter.test(character) ? 2 : 1
  return width
}

function pad(text: string, width: number, right: boolean): string {
  const space = ' '.repeat(Math.max(0, width - measureWidth(text)))
  return right ? space + text : text + space
}

function cut(text: string, width: number): string {
  if (measureWidth(text) <= width) return text
  let result = ''
  for (const character of text) {
    if (measureWidth(result + character) > width - 1) break
    result += character
  }
  return `${result}…`
}
