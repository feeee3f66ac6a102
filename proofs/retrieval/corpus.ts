// Learnings and labelled situations, written by hand and without looking at the ranking that they measure.
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { atLine, readJsonLines } from '../tools/json-lines.ts'

export interface Learning {
  readonly id: string
  readonly text: string
  readonly file?: string
}

/** What a review asks for: a text, or a diff with its files. */
export interface Situation {
  readonly id: string
  readonly text?: string
  readonly diff?: string
  readonly files?: readonly string[]
  /** The ids of the Learnings that the review needs. */
  readonly relevant: readonly string[]
}

export interface Corpus {
  readonly learnings: readonly Learning[]
  readonly situations: Readonly<Record<'paraphrases' | 'diffs' | 'identifiers', readonly Situation[]>>
  /** Changes for which no Learning is needed: layout, versions, prose, generated files, other languages. */
  readonly nothingApplies: readonly Situation[]
  /** Texts without a meaning for anybody who reviews code. */
  readonly nonsense: readonly Situation[]
}

/** Half of the situations, by their id. Choose weights on the others. */
export function isReported(id: string): boolean {
  return Number.parseInt(hash('sha256', id).slice(0, 2), 16) % 2 === 1
}

export function loadCorpus(): Corpus {
  const learnings = readJsonLines(dataFile('learnings.jsonl'), (record): Learning => {
    const file = record.optionalString('file')
    return { id: record.string('id'), text: record.string('text'), ...(file === undefined ? {} : { file }) }
  })
  const ids = new Set(learnings.map(({ id }) => id))
  return {
    learnings,
    situations: {
      paraphrases: readTextSituations('paraphrases.jsonl', 'paraphrase', ids),
      diffs: readDiffSituations('diffs.patch', ids),
      identifiers: readTextSituations('identifiers.jsonl', 'identifier', ids),
    },
    nothingApplies: readUnlabelledDiffs('nothing-applies.patch'),
    nonsense: readJsonLines(dataFile('nonsense.jsonl'), (record) => record.string('text')).map(
      (text, index) => ({ id: `nonsense:${index + 1}`, text, relevant: [] }),
    ),
  }
}

function readTextSituations(name: string, set: string, ids: ReadonlySet<string>): Situation[] {
  return readJsonLines(dataFile(name), (record) => {
    const relevant = checkIds(record.strings('relevant'), ids)
    return { id: `${set}:${relevant[0]}`, text: record.string('text'), relevant }
  })
}

/** A situation starts with a line `Learnings: ID, …` and a line `Files: PATH, …`; its diff follows. */
function readDiffSituations(name: string, ids: ReadonlySet<string>): Situation[] {
  const file = dataFile(name)
  let line = 1
  return readFileSync(file, 'utf8')
    .split(/^(?=Learnings: )/m)
    .map((text) => {
      const situation = atLine(file, line, () => parseDiffSituation(text.trimEnd(), ids))
      line += text.split('\n').length - 1
      return situation
    })
}

function parseDiffSituation(text: string, ids: ReadonlySet<string>): Situation {
  const [, learnings, paths, diff] = /^Learnings: ([^\n]+)\nFiles: ([^\n]+)\n(@@ .+)$/s.exec(text) ?? []
  if (learnings === undefined || paths === undefined || diff === undefined)
    throw new Error('a situation must be a line "Learnings:", a line "Files:" and a diff that starts with @@')
  const relevant = checkIds(learnings.split(', '), ids)
  return { id: `diff:${relevant[0]}`, diff, files: paths.split(', '), relevant }
}

/** A situation starts with a line `Files: PATH, …`; its diff follows. */
function readUnlabelledDiffs(name: string): Situation[] {
  return readFileSync(dataFile(name), 'utf8')
    .split(/^(?=Files: )/m)
    .map((text, index) => {
      const [, paths, diff] = /^Files: ([^\n]+)\n(@@ .+)$/s.exec(text.trimEnd()) ?? []
      if (paths === undefined || diff === undefined)
        throw new Error(
          `situation ${index + 1} of ${name} must be a line "Files:" and a diff that starts with @@`,
        )
      return { id: `nothing:${index + 1}`, diff, files: paths.split(', '), relevant: [] }
    })
}

function checkIds(relevant: readonly string[], ids: ReadonlySet<string>): readonly string[] {
  const unknown = relevant.find((id) => !ids.has(id))
  if (unknown !== undefined) throw new Error(`no Learning has the id "${unknown}"`)
  return relevant
}

function dataFile(name: string): URL {
  return new URL(name, import.meta.url)
}
