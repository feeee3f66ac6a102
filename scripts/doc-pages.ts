// The pages of docs/ as a whole: their titles, their place in the site, and their words. Used by check-docs.ts.
import { join } from 'node:path'
import { getLineNumber, readFileOrEmpty, type Violation } from './sources.ts'

interface Page {
  readonly file: string
  readonly text: string
}

interface Size {
  readonly page: string
  readonly lines: number
  /** Outside of generated lists. */
  readonly written: number
  readonly generated: number
}

const INDEX = 'docs/index.md'
const SIDEBAR = 'site/.vitepress/sidebar.ts'
const pageName = /^docs\/([\w-]+)\.md$/

/** A page has one title, which is its heading, the text of its link in the index, and its text in the sidebar. */
export function checkTitles(root: string, pages: readonly Page[]): Violation[] {
  const docs = pages.filter(({ file }) => pageName.test(file))
  const titles = new Map(docs.map(({ file, text }) => [file, findHeadings(text)[0] ?? '']))
  const sidebar = readFileOrEmpty(join(root, SIDEBAR))
  return [
    ...docs.flatMap(({ file, text }) => {
      const headings = findHeadings(text)
      const sharing = docs.find((other) => other.file !== file && titles.get(other.file) === headings[0])
      return [
        ...(headings.length === 1 ? [] : [toViolation(file, 1, `has ${headings.length} titles, not one`)]),
        ...(sharing === undefined ? [] : [toViolation(file, 1, `has the title of ${sharing.file}`)]),
        ...(sidebar.includes(`'${pageName.exec(file)?.[1]}'`)
          ? []
          : [toViolation(file, 1, `is not listed in ${SIDEBAR}`)]),
      ]
    }),
    ...pages.filter(({ file }) => file === INDEX).flatMap((page) => checkIndexLinks(page, titles)),
  ]
}

function checkIndexLinks({ file, text }: Page, titles: ReadonlyMap<string, string>): Violation[] {
  const links = text.matchAll(/(?<!!)\[([^\]]+)\]\(([\w-]+\.md)\)/g)
  return [...links].flatMap(({ 1: label = '', 2: target, index }) => {
    const title = titles.get(`docs/${target}`)
    if (title === undefined || title.toLowerCase() === label.toLowerCase()) return []
    return [
      toViolation(file, getLineNumber(text, index), `calls ${target} "${label}", its title is "${title}"`),
    ]
  })
}

function toViolation(file: string, line: number, what: string): Violation {
  return {
    file,
    line,
    what,
    why: 'a reader must recognize a page by its title',
    todo: 'use one title: the heading, the link in the index and the sidebar',
  }
}

function findHeadings(text: string): string[] {
  const prose = text.replaceAll(/^ {0,3}```[^]*?^ {0,3}```/gm, '')
  return [...prose.matchAll(/^# (.+)$/gm)].map(([, title = '']) => title)
}

/** A line for each page of docs/, the largest first, and the sums. */
export function renderWords(pages: readonly Page[]): string {
  const sizes = pages
    .flatMap(({ file, text }) => {
      const page = pageName.exec(file)?.[1]
      return page === undefined ? [] : [measure(page, text)]
    })
    .toSorted((a, b) => b.written - a.written)
  const sum = (key: 'lines' | 'written' | 'generated') => sizes.reduce((total, size) => total + size[key], 0)
  const total = {
    page: `${sizes.length} pages`,
    lines: sum('lines'),
    written: sum('written'),
    generated: sum('generated'),
  }
  const rows = [...sizes, total].map(({ page, lines, written, generated }) => [
    page,
    lines,
    written,
    generated,
  ])
  return [['page', 'lines', 'words', 'generated'], ...rows]
    .map(
      ([page, ...numbers]) => String(page).padEnd(20) + numbers.map((n) => String(n).padStart(10)).join(''),
    )
    .join('\n')
}

function measure(page: string, text: string): Size {
  const written = text
    .replaceAll(/<!-- generated: [^]*?<!-- \/generated -->/g, '')
    .replace(/<!-- GENERATED [^]*/, '')
  const words = countWords(written)
  return {
    page,
    lines: text.trimEnd().split('\n').length,
    written: words,
    generated: countWords(text) - words,
  }
}

function countWords(text: string): number {
  return text.split(/\s+/).filter(Boolean).length
}
