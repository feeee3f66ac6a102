// What can happen to a finding: a line of stories.jsonl says what people did and why. The label follows from that, never from
// a rule of the detector.
import { readFileSync } from 'node:fs'
import type { Random } from '../../proofs/tools/random.ts'
import type { Judged } from '../evaluation.ts'

/** A finding in a file, as it was commented on. */
export interface Target {
  readonly path: string
  readonly renamed: string
  readonly lines: readonly string[]
  /** The lines of the finding, from 0; `end` is included. */
  readonly start: number
  readonly end: number
  readonly filler: readonly string[]
  readonly newBlock: readonly string[]
  /** What texts of a story may have in ‹ and ›. */
  readonly words: ReadonlyMap<string, string>
}

/** One of these, by chance. */
type Choice<Value> = Value | { readonly either: readonly Value[] }

/** A change of the file; texts are lines with ‹words›. */
type Edit = keyof typeof edits | { readonly [Name in keyof typeof editsWithLines]?: readonly string[] }

interface Content {
  readonly lines: readonly string[]
  readonly start: number
  readonly end: number
}

/** Its edits begin with the file as it was commented on; null = the file is deleted. */
interface Step {
  readonly edits: Choice<readonly Edit[]> | null
  readonly isRenamed?: boolean
  readonly message?: string
  /** Content of a second file. */
  readonly other?: string
}

interface StoryOf<TextLines, Text, Resolved> {
  readonly id: string
  readonly label: Judged['label']
  readonly isResolved: Resolved
  /** What GitHub shows when the line of a comment is no longer in the diff. */
  readonly isOutdated?: boolean
  readonly suggestion?: TextLines
  readonly botOutcome?: 'addressed' | 'dismissed'
  readonly thumbsDown?: 'bot' | 'person'
  readonly thumbsUp?: 'bot' | 'person'
  readonly reply?: Text
  readonly replyOfBot?: Text
  readonly suggestionApplied?: boolean
  readonly alert?: 'dismissed' | 'fixed'
  readonly verdict?: boolean
  readonly state?: 'closed' | 'open'
  /** The author rebases and force-pushes before the merge. */
  readonly isRebased?: boolean
  /** The author merges the base branch, which changed the same file, before the merge. */
  readonly isBaseMerged?: boolean
  /** The forge no longer has this commit. */
  readonly lost?: 'commented' | 'head'
  readonly side?: 'left'
  readonly isAboutFile?: boolean
  readonly isPostedAfterMerge?: boolean
  /** The file has line ends of Windows. */
  readonly crlf?: boolean
  /** Lines around the finding that the comment covers too. */
  readonly margin?: number
}

/** As it is written in stories.jsonl. */
export interface StoryLine
  extends StoryOf<Choice<readonly string[] | null>, Choice<string | null>, Choice<boolean>> {
  /** One in this many findings has the story. */
  readonly every: number
  /** Edits of the file before the comment. */
  readonly commented?: readonly Edit[]
  /** Commits after the comment. */
  readonly steps: readonly Step[]
}

/** As it happened to one finding. */
export interface Story extends StoryOf<readonly string[] | null, string | null, boolean> {
  readonly commented: readonly string[]
  readonly steps: readonly {
    readonly lines: readonly string[] | null
    readonly path: string
    readonly message: string
    readonly other?: string
  }[]
}

export function loadStories(): StoryLine[] {
  const text = readFileSync(new URL('stories.jsonl', import.meta.url), 'utf8')
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as StoryLine)
}

export function tellStory(line: StoryLine, target: Target, random: Random): Story {
  const choose = <Value>(choice: Choice<Value>): Value =>
    typeof choice === 'object' && choice !== null && 'either' in choice ? random.pick(choice.either) : choice
  const fill = (text: string | null) => text && fillIn(text, target)
  let path = target.path
  const steps = line.steps.map(({ edits: chosen, isRenamed, message = 'Work', other }) => {
    const changes = choose(chosen)
    path = isRenamed === true ? target.renamed : path
    const lines = changes && applyEdits(target, changes)
    return { lines, path, message, ...(other === undefined ? {} : { other }) }
  })
  const isResolved = choose(line.isResolved)
  const reply = fill(choose(line.reply ?? null))
  const suggestion = choose(line.suggestion ?? null)?.map((text) => fillIn(text, target)) ?? null
  const commented = applyEdits(target, line.commented ?? [])
  return {
    ...line,
    commented,
    steps,
    isResolved,
    reply,
    replyOfBot: fill(choose(line.replyOfBot ?? null)),
    suggestion,
  }
}

function fillIn(text: string, { words }: Target): string {
  return text.replaceAll(/‹(\w+)›/g, (_, name: string) => {
    const word = words.get(name)
    if (word === undefined) throw new Error(`stories.jsonl: ‹${name}› is no word of a story`)
    return word
  })
}

function applyEdits(target: Target, changes: readonly Edit[]): readonly string[] {
  const { lines } = changes.reduce<Content>((content, change) => {
    if (typeof change === 'string') return edits[change](content, target)
    return Object.entries(change).reduce((before, [name, texts]) => {
      const filled = texts.map((text) => fillIn(text, target))
      return editsWithLines[name as keyof typeof editsWithLines](before, filled)
    }, content)
  }, target)
  return lines
}

const editsWithLines = {
  /** In place of the lines of the finding. */
  replace: ({ lines, start, end }: Content, by: readonly string[]): Content => ({
    lines: lines.toSpliced(start, end - start + 1, ...by),
    start,
    end: start + by.length - 1,
  }),
  /** Above the finding. */
  insert: ({ lines, start, end }: Content, added: readonly string[]): Content => ({
    lines: lines.toSpliced(start, 0, ...added),
    start: start + added.length,
    end: end + added.length,
  }),
  append: (content: Content, added: readonly string[]): Content => ({
    ...content,
    lines: [...content.lines, ...added],
  }),
}

const edits = {
  'add above': (content: Content, { filler }: Target) => prepend(content, [...filler, '']),
  'add below': (content: Content, { filler }: Target) => editsWithLines.append(content, ['', ...filler]),
  'add finding below': (content: Content, { newBlock }: Target) =>
    editsWithLines.append(content, ['', ...newBlock]),
  /** The file once more above itself, as it was. */
  'copy above': (content: Content, { lines }: Target) => prepend(content, [...lines, '']),
  indent: (content: Content) =>
    editsWithLines.replace(
      content,
      content.lines.slice(content.start, content.end + 1).map((line) => `  ${line}`),
    ),
  reformat: (content: Content) => mapLines(content, (line) => line.replace(/^\s+/, '$&$&')),
  'add carriage returns': (content: Content) => mapLines(content, (line) => `${line}\r`),
  'remove function': (content: Content): Content => ({
    ...content,
    lines: content.lines.toSpliced(...findFunction(content)),
  }),
  'move function': (content: Content, { filler }: Target): Content => {
    const [first, count] = findFunction(content)
    const moved = content.lines.slice(first, first + count)
    return { ...content, lines: [...content.lines.toSpliced(first, count), '', ...filler, '', ...moved] }
  },
}

function prepend({ lines, start, end }: Content, added: readonly string[]): Content {
  return { lines: [...added, ...lines], start: start + added.length, end: end + added.length }
}

function mapLines(content: Content, map: (line: string) => string): Content {
  return { ...content, lines: content.lines.map(map) }
}

/** The block of lines without an empty one that has the finding. */
function findFunction({ lines, start }: Content): readonly [first: number, count: number] {
  const first = lines.lastIndexOf('', start) + 1
  const next = lines.indexOf('', start)
  return [first, (next === -1 ? lines.length : next) - first]
}
