// Reads samples/: code with labelled findings. The numbers in the file names set the order, and with it which are held out.
import { readdirSync, readFileSync } from 'node:fs'
import { atLine } from '../../proofs/tools/json-lines.ts'

/** A file as a scanner sees it. A line `---` divides blocks; a line that ends in ‹n› belongs to finding n. */
export interface CodeSample {
  readonly path: string
  /** The path after a rename. */
  readonly renamed: string
  /** What starts a line comment. */
  readonly comment: string
  readonly code: string
  /** A block with one more finding, marked ‹9›, that is unrelated to the others. */
  readonly newBlock: string
  readonly newRule: string
  /** Lines without a finding, to put above or between others. */
  readonly filler: string
  readonly findings: Readonly<Record<number, LabelledFinding>>
}

export interface LabelledFinding {
  readonly rule: string
  /** The line after a change that leaves the fault in. */
  readonly edited: string
  /** The line after the fault is fixed. */
  readonly fixed: string
}

interface Section {
  readonly title: string
  readonly line: number
  readonly text: string
}

const MARK = /‹(\d)›$/gm

export function loadSamples(): CodeSample[] {
  const folder = new URL('samples/', import.meta.url)
  return readdirSync(folder)
    .toSorted()
    .map((name) => readSample(new URL(name, folder)))
}

function readSample(file: URL): CodeSample {
  const [header, ...sections] = readSections(file)
  const [, path = '', renamed = '', comment = ''] = match(
    file,
    header,
    'text',
    /^path: (.+)\nrenamed: (.+)\ncomment: (\/\/|#)$/,
  )
  const [code, added, filler, ...labelled] = sections
  match(file, code, 'title', /^code$/)
  const [, newRule = ''] = match(file, added, 'title', /^new ([a-z-]+)$/)
  match(file, added, 'text', /‹9›$/m)
  match(file, filler, 'title', /^filler$/)
  const findings = labelled.map((section) => {
    const [, mark = '', rule = ''] = match(file, section, 'title', /^finding (\d) ([a-z-]+)$/)
    const [, edited = '', fixed = ''] = match(file, section, 'text', /^(.*)\n(.*)$/)
    return [mark, { rule, edited, fixed }] as const
  })
  const sample = { path, renamed, comment, code: code?.text ?? '', newRule, newBlock: added?.text ?? '' }
  checkMarks(file, sample.code, new Set(findings.map(([mark]) => mark)))
  return { ...sample, filler: filler?.text ?? '', findings: Object.fromEntries(findings) }
}

/** A header of three lines, then sections that start with `=== TITLE`. */
function readSections(file: URL): Section[] {
  let line = 1
  const parts = readFileSync(file, 'utf8').replace(/\n$/, '').split('\n=== ')
  return parts.map((part, index) => {
    const lines = part.split('\n')
    const section = {
      title: index === 0 ? 'header' : (lines[0] ?? ''),
      line,
      text: lines.slice(index === 0 ? 0 : 1).join('\n'),
    }
    line += lines.length
    return section
  })
}

function match(
  file: URL,
  section: Section | undefined,
  part: 'title' | 'text',
  pattern: RegExp,
): readonly string[] {
  return atLine(file, section?.line ?? 1, () => {
    if (section === undefined) throw new Error('the sample needs the sections code, new RULE and filler')
    const found = pattern.exec(section[part])
    if (found !== null) return found
    throw new Error(`the ${part} of the section "${section.title}" must match ${pattern.source}`)
  })
}

function checkMarks(file: URL, code: string, labelled: ReadonlySet<string>): void {
  const marked = new Set([...code.matchAll(MARK)].map(([, mark = '']) => mark))
  const wrong = [...marked.symmetricDifference(labelled)]
  if (wrong.length === 0) return
  atLine(file, 1, () => {
    throw new Error(`finding ${wrong[0]} must have both a mark in the code and a section of its own`)
  })
}
