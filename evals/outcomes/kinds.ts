// What can happen to a finding. Each kind says what people did and why; the label follows from that, never from a rule of the detector.
import type { Random } from '../../proofs/tools/random.ts'

/** A finding in a file, as it was commented on. */
export interface Target {
  readonly path: string
  readonly renamed: string
  readonly lines: readonly string[]
  /** The lines of the finding, from 0; `end` is included. */
  readonly start: number
  readonly end: number
  readonly fixed: string
  /** The line after a change that leaves the fault in. */
  readonly edited: string
  readonly filler: readonly string[]
  readonly newBlock: readonly string[]
  /** What starts a line comment. */
  readonly comment: string
  readonly declining: string
  readonly unclear: string
  readonly agreeing: string
}

export interface Step {
  /** null = the file is deleted. */
  readonly lines: readonly string[] | null
  readonly path?: string
  readonly message?: string
  /** Content of a second file. */
  readonly other?: string
}

export interface Story {
  /** Whether the code was changed because of the finding, and merged so. null = nobody can know. */
  readonly label: boolean | null
  /** The file as it was commented on, where it is not that of the target. */
  readonly commented?: readonly string[]
  /** Commits after the comment. */
  readonly steps: readonly Step[]
  readonly isResolved: boolean
  /** What GitHub shows when the line of a comment is no longer in the diff. */
  readonly isOutdated?: boolean
  readonly suggestion?: readonly string[]
  readonly botOutcome?: 'addressed' | 'dismissed'
  readonly thumbsDown?: 'bot' | 'person'
  readonly thumbsUp?: 'bot' | 'person'
  readonly reply?: string
  readonly replyOfBot?: string
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

interface Kind {
  readonly name: string
  /** One in this many findings has it. */
  readonly every: number
  readonly create: (target: Target, random: Random) => Story
}

const replace = ({ lines, start, end }: Target, ...by: readonly string[]) =>
  lines.toSpliced(start, end - start + 1, ...by)
const atTop = ({ filler }: Target, lines: readonly string[]) => [...filler, '', ...lines]
const atEnd = ({ filler }: Target, lines: readonly string[]) => [...lines, '', ...filler]
const indentOf = (line = '') => /^\s*/.exec(line)?.[0] ?? ''
const applyMessage = 'Apply suggestion from @review-bot[bot]'
const reformat = (lines: readonly string[]) => lines.map((line) => line.replace(/^\s+/, '$&$&'))
const requote = (line: string) => line.replaceAll("'", '"')
const withVariable = (line: string) =>
  line.replace(/\(([^()]*)\)(?!.*\()/, '( $1 )').replace(/;?$/, (end) => ` /* checked */${end}`)

/** The block of lines without an empty one that has the finding. */
function getBlock({ lines, start }: Target): readonly [first: number, count: number] {
  const first = lines.lastIndexOf('', start) + 1
  const next = lines.indexOf('', start)
  return [first, (next === -1 ? lines.length : next) - first]
}

const removeBlock = (t: Target) => t.lines.toSpliced(...getBlock(t))

/** The function of the finding goes to the end of the file, with these lines in place of its own. */
function moveToEnd(t: Target, ...by: readonly string[]): string[] {
  const [first, count] = getBlock(t)
  const block = t.lines.slice(first, first + count).toSpliced(t.start - first, t.end - t.start + 1, ...by)
  return [...removeBlock(t), '', ...t.filler, '', ...block]
}

export const kinds: readonly Kind[] = [
  // Accepted.
  {
    name: 'suggestion committed at the forge',
    every: 3,
    create: (t) => ({
      label: true,
      suggestion: [t.fixed],
      steps: [{ lines: replace(t, t.fixed), message: applyMessage }],
      isResolved: true,
      isOutdated: true,
    }),
  },
  {
    name: 'suggestion typed in, squashed',
    every: 3,
    create: (t, random) => ({
      label: true,
      suggestion: [t.fixed],
      steps: [{ lines: atEnd(t, replace(t, t.fixed)), message: 'Review' }],
      isResolved: random.below(2) === 0,
      isOutdated: true,
    }),
  },
  {
    name: 'suggestion applied, then rebased',
    every: 4,
    create: (t) => ({
      label: true,
      suggestion: [t.fixed],
      steps: [{ lines: replace(t, t.fixed) }],
      isResolved: true,
      isOutdated: true,
      isRebased: true,
    }),
  },
  {
    name: 'suggestion applied, base merged in',
    every: 4,
    create: (t) => ({
      label: true,
      suggestion: [t.fixed],
      steps: [{ lines: replace(t, t.fixed) }],
      isResolved: true,
      isOutdated: true,
      isBaseMerged: true,
    }),
  },
  {
    name: 'suggestion applied and reformatted',
    every: 4,
    create: (t) => ({
      label: true,
      suggestion: [t.fixed],
      steps: [
        { lines: replace(t, t.fixed) },
        { lines: reformat(replace(t, requote(t.fixed))), message: 'Format' },
      ],
      isResolved: true,
      isOutdated: true,
    }),
  },
  {
    name: 'suggestion applied, file renamed',
    every: 4,
    create: (t) => ({
      label: true,
      suggestion: [t.fixed],
      steps: [
        { lines: replace(t, t.fixed) },
        { lines: replace(t, t.fixed), path: t.renamed, message: 'Rename' },
      ],
      isResolved: false,
      isOutdated: true,
    }),
  },
  {
    name: 'suggestion of several lines',
    every: 3,
    create: (t) => {
      const guard = `${indentOf(t.lines[t.start])}${t.comment} checked by the caller`
      return {
        label: true,
        margin: 1,
        suggestion: withMargin(t, [guard, t.fixed]),
        steps: [{ lines: replace(t, guard, t.fixed) }],
        isResolved: true,
        isOutdated: true,
      }
    },
  },
  {
    name: 'suggestion to remove the line',
    every: 6,
    create: (t) => ({
      label: true,
      suggestion: [],
      steps: [{ lines: replace(t) }],
      isResolved: true,
      isOutdated: true,
    }),
  },
  {
    name: 'suggestion applied in a file of Windows',
    every: 5,
    create: (t) => ({
      label: true,
      crlf: true,
      suggestion: [`${t.fixed}\r`],
      steps: [{ lines: replace(t, t.fixed) }],
      isResolved: true,
      isOutdated: true,
    }),
  },
  {
    name: 'suggestion committed at the forge, edited later',
    every: 5,
    create: (t) => ({
      label: true,
      suggestion: [t.fixed],
      steps: [
        { lines: replace(t, t.fixed), message: applyMessage },
        { lines: replace(t, withVariable(t.fixed)), message: 'Polish' },
      ],
      isResolved: true,
      isOutdated: true,
    }),
  },
  {
    name: 'suggestion edited while typing it in',
    every: 5,
    create: (t) => ({
      label: true,
      suggestion: [t.fixed],
      steps: [{ lines: replace(t, withVariable(t.fixed)) }],
      isResolved: true,
      isOutdated: true,
    }),
  },
  {
    name: 'thumbs down, then the suggestion after all',
    every: 7,
    create: (t) => ({
      label: true,
      thumbsDown: 'person',
      suggestion: [t.fixed],
      steps: [{ lines: replace(t, t.fixed) }],
      isResolved: true,
      isOutdated: true,
    }),
  },
  {
    name: 'thumbs down, then fixed in another way',
    every: 9,
    create: (t) => ({
      label: true,
      thumbsDown: 'person',
      steps: [{ lines: replace(t, t.fixed) }],
      isResolved: true,
      isOutdated: true,
    }),
  },
  {
    name: 'fixed, bot says addressed',
    every: 2,
    create: (t) => ({
      label: true,
      botOutcome: 'addressed',
      steps: [{ lines: replace(t, t.fixed) }],
      isResolved: true,
      isOutdated: true,
    }),
  },
  {
    name: 'fixed in part, bot says addressed',
    every: 6,
    create: (t) => ({
      label: true,
      margin: 1,
      botOutcome: 'addressed',
      suggestion: withMargin(t, [`${indentOf(t.lines[t.start])}${t.comment} one more check`, t.fixed]),
      steps: [{ lines: replace(t, t.fixed) }],
      isResolved: true,
      isOutdated: true,
    }),
  },
  {
    name: 'fixed by a guard above, bot says addressed',
    every: 4,
    create: (t) => ({
      label: true,
      botOutcome: 'addressed',
      steps: [{ lines: t.lines.toSpliced(t.start, 0, `${indentOf(t.lines[t.start])}assertSafe(input)`) }],
      isResolved: true,
    }),
  },
  {
    name: 'fixed and rebased, bot says addressed',
    every: 4,
    create: (t) => ({
      label: true,
      botOutcome: 'addressed',
      steps: [{ lines: atTop(t, replace(t, t.fixed)) }],
      isResolved: true,
      isOutdated: true,
      isRebased: true,
    }),
  },
  {
    name: 'fixed, a person resolves',
    every: 4,
    create: (t, random) => ({
      label: true,
      steps: [{ lines: replace(t, t.fixed) }],
      isResolved: true,
      isOutdated: true,
      ...(random.below(2) === 0 ? { reply: t.agreeing } : {}),
    }),
  },
  {
    name: 'fixed, thread left open',
    every: 4,
    create: (t) => ({
      label: true,
      steps: [{ lines: replace(t, t.fixed) }],
      isResolved: false,
      isOutdated: true,
    }),
  },
  {
    name: 'fixed by a guard above, thread left open',
    every: 6,
    create: (t) => ({
      label: true,
      steps: [{ lines: t.lines.toSpliced(t.start, 0, `${indentOf(t.lines[t.start])}assertSafe(input)`) }],
      isResolved: false,
    }),
  },
  {
    name: 'fixed in another file, reply says so',
    every: 8,
    create: (t) => ({
      label: true,
      steps: [{ lines: t.lines, other: 'the check is in the caller now' }],
      isResolved: false,
      reply: t.agreeing,
    }),
  },
  {
    name: 'fixed elsewhere, thread left open without a word',
    every: 14,
    create: (t) => ({
      label: true,
      steps: [{ lines: atTop(t, t.lines), other: 'the check is in the caller now' }],
      isResolved: false,
    }),
  },
  {
    name: 'file deleted because of the finding',
    every: 9,
    create: () => ({
      label: true,
      botOutcome: 'addressed',
      steps: [{ lines: null }],
      isResolved: true,
      isOutdated: true,
    }),
  },
  {
    name: 'fixed by white space alone',
    every: 10,
    create: (t) => ({
      label: true,
      botOutcome: 'addressed',
      steps: [{ lines: replace(t, ...t.lines.slice(t.start, t.end + 1).map((line) => `  ${line}`)) }],
      isResolved: true,
      isOutdated: true,
    }),
  },
  {
    name: 'alert fixed',
    every: 7,
    create: (t) => ({
      label: true,
      alert: 'fixed',
      steps: [{ lines: replace(t, t.fixed) }],
      isResolved: false,
      isOutdated: true,
    }),
  },
  {
    name: 'suggestion applied at GitLab',
    every: 6,
    create: (t) => ({
      label: true,
      suggestionApplied: true,
      suggestion: [t.fixed],
      steps: [{ lines: replace(t, t.fixed), message: 'Apply 1 suggestion(s) to 1 file(s)' }],
      isResolved: true,
      isOutdated: true,
    }),
  },
  {
    name: 'a person says accepted',
    every: 10,
    create: (t) => ({
      label: true,
      verdict: true,
      steps: [{ lines: replace(t, t.edited) }],
      isResolved: true,
      isOutdated: true,
    }),
  },
  {
    name: 'branch lost after a squash, suggestion in its result',
    every: 8,
    create: (t) => ({
      label: true,
      suggestion: [t.fixed],
      steps: [{ lines: replace(t, t.fixed) }],
      isResolved: true,
      isOutdated: true,
      lost: 'head',
    }),
  },
  {
    name: 'suggestion applied, function moved',
    every: 8,
    create: (t) => ({
      label: true,
      suggestion: [t.fixed],
      steps: [{ lines: moveToEnd(t, t.fixed) }],
      isResolved: true,
      isOutdated: true,
    }),
  },
  {
    name: 'declined, then a guard above after all',
    every: 10,
    create: (t) => ({
      label: true,
      reply: t.declining,
      steps: [{ lines: t.lines.toSpliced(t.start, 0, `${indentOf(t.lines[t.start])}assertSafe(input)`) }],
      isResolved: true,
    }),
  },
  // Not accepted.
  {
    name: 'function moved as it is, bot says addressed',
    every: 6,
    create: (t) => ({
      label: false,
      botOutcome: 'addressed',
      steps: [{ lines: moveToEnd(t, ...t.lines.slice(t.start, t.end + 1)) }],
      isResolved: true,
      isOutdated: true,
    }),
  },
  {
    name: 'declined, function moved as it is',
    every: 9,
    create: (t) => ({
      label: false,
      reply: t.declining,
      steps: [{ lines: moveToEnd(t, ...t.lines.slice(t.start, t.end + 1)) }],
      isResolved: true,
      isOutdated: true,
    }),
  },
  {
    name: 'the same code elsewhere in the file was fixed',
    every: 5,
    create: (t) => ({
      label: false,
      suggestion: [t.fixed],
      commented: [...t.lines, '', ...t.lines],
      steps: [{ lines: [...t.lines, '', ...replace(t, t.fixed)] }],
      isResolved: false,
    }),
  },
  {
    name: 'suggestion equals a line beside, line changed for another reason',
    every: 7,
    create: (t) => ({
      label: false,
      suggestion: [t.lines[t.end + 1] ?? '}'],
      steps: [{ lines: replace(t, t.edited) }],
      isResolved: true,
      isOutdated: true,
    }),
  },
  {
    name: 'a suggestion of another reviewer was applied',
    every: 6,
    create: (t) => ({
      label: false,
      suggestion: [t.edited],
      steps: [{ lines: replace(t, t.fixed), message: applyMessage }],
      isResolved: true,
      isOutdated: true,
    }),
  },
  {
    name: 'thumbs up, but ignored',
    every: 9,
    create: (t) => ({
      label: false,
      thumbsUp: 'person',
      steps: [{ lines: t.lines, other: 'x' }],
      isResolved: false,
    }),
  },
  {
    name: 'thumbs up by a bot, ignored',
    every: 9,
    create: (t) => ({
      label: false,
      thumbsUp: 'bot',
      steps: [{ lines: atTop(t, t.lines) }],
      isResolved: false,
    }),
  },
  {
    name: 'an unclear reply, ignored',
    every: 4,
    create: (t) => ({
      label: false,
      reply: t.unclear,
      steps: [{ lines: t.lines, other: 'x' }],
      isResolved: false,
    }),
  },
  {
    name: 'a bot declines in a reply, resolved',
    every: 9,
    create: (t) => ({
      label: false,
      replyOfBot: t.declining,
      steps: [{ lines: t.lines, other: 'x' }],
      isResolved: true,
    }),
  },
  {
    name: 'function removed for another reason',
    every: 8,
    create: (t) => ({
      label: false,
      suggestion: [t.fixed],
      steps: [{ lines: removeBlock(t) }],
      isResolved: false,
      isOutdated: true,
    }),
  },
  {
    name: 'ignored',
    every: 2,
    create: (t) => ({
      label: false,
      steps: [{ lines: t.lines, other: 'another change' }],
      isResolved: false,
      ...(t.start % 2 === 0 ? { suggestion: [t.fixed] } : {}),
    }),
  },
  {
    name: 'ignored, lines moved down',
    every: 3,
    create: (t) => ({
      label: false,
      suggestion: [t.fixed],
      steps: [{ lines: atTop(t, t.lines) }],
      isResolved: false,
    }),
  },
  {
    name: 'ignored, unrelated change in the file',
    every: 3,
    create: (t) => ({
      label: false,
      steps: [{ lines: atEnd(t, t.lines) }, { lines: [...atEnd(t, t.lines), '', ...t.newBlock] }],
      isResolved: false,
    }),
  },
  {
    name: 'ignored, rebased',
    every: 3,
    create: (t) => ({
      label: false,
      steps: [{ lines: t.lines, other: 'another change' }],
      isResolved: false,
      isRebased: true,
    }),
  },
  {
    name: 'ignored, base merged in',
    every: 3,
    create: (t) => ({
      label: false,
      steps: [{ lines: t.lines, other: 'another change' }],
      isResolved: false,
      isBaseMerged: true,
    }),
  },
  {
    name: 'ignored, file renamed',
    every: 4,
    create: (t) => ({
      label: false,
      steps: [{ lines: atTop(t, t.lines), path: t.renamed }],
      isResolved: false,
    }),
  },
  {
    name: 'ignored, several lines',
    every: 4,
    create: (t) => ({ label: false, margin: 2, steps: [{ lines: atTop(t, t.lines) }], isResolved: false }),
  },
  {
    name: 'ignored, file gets line ends of Windows',
    every: 8,
    create: (t) => ({
      label: false,
      steps: [{ lines: t.lines.map((line) => `${line}\r`) }],
      isResolved: false,
    }),
  },
  {
    name: 'ignored, about the whole file',
    every: 9,
    create: (t) => ({
      label: false,
      isAboutFile: true,
      steps: [{ lines: t.lines, other: 'another change' }],
      isResolved: false,
    }),
  },
  {
    name: 'suggestion applied to other lines',
    every: 6,
    create: (t) => ({
      label: false,
      suggestion: [t.fixed],
      steps: [{ lines: [...t.lines, '', ...t.newBlock, t.fixed] }],
      isResolved: false,
    }),
  },
  {
    name: 'fixed and reverted in the same pull request',
    every: 5,
    create: (t) => ({
      label: false,
      suggestion: [t.fixed],
      steps: [
        { lines: replace(t, t.fixed), message: applyMessage },
        { lines: t.lines, message: 'Revert "Apply suggestion"' },
      ],
      isResolved: false,
    }),
  },
  {
    name: 'fixed and reverted, thread stays resolved',
    every: 9,
    create: (t) => ({
      label: false,
      suggestion: [t.fixed],
      steps: [
        { lines: replace(t, t.fixed), message: applyMessage },
        { lines: t.lines, message: 'Revert "Apply suggestion"' },
      ],
      isResolved: true,
      botOutcome: 'addressed',
    }),
  },
  {
    name: 'thumbs down by a person',
    every: 3,
    create: (t, random) => ({
      label: false,
      thumbsDown: 'person',
      steps: [{ lines: random.below(2) === 0 ? t.lines : atTop(t, t.lines), other: 'x' }],
      isResolved: random.below(2) === 0,
    }),
  },
  {
    name: 'declined by a reply',
    every: 2,
    create: (t, random) => ({
      label: false,
      reply: t.declining,
      steps: [{ lines: random.below(2) === 0 ? t.lines : atEnd(t, t.lines), other: 'x' }],
      isResolved: random.below(3) > 0,
    }),
  },
  {
    name: 'declined, then reformatted',
    every: 6,
    create: (t) => ({
      label: false,
      reply: t.declining,
      steps: [{ lines: reformat(t.lines) }],
      isResolved: true,
      isOutdated: true,
    }),
  },
  {
    name: 'ignored, reformatted',
    every: 7,
    create: (t) => ({
      label: false,
      steps: [{ lines: reformat(t.lines) }],
      isResolved: false,
      isOutdated: true,
    }),
  },
  {
    name: 'resolved without a change',
    every: 4,
    create: (t) => ({ label: false, steps: [{ lines: t.lines, other: 'another change' }], isResolved: true }),
  },
  {
    name: 'bot says addressed, nothing changed',
    every: 5,
    create: (t) => ({
      label: false,
      botOutcome: 'addressed',
      steps: [{ lines: atEnd(t, t.lines) }],
      isResolved: true,
    }),
  },
  {
    name: 'bot says addressed, line changed for another reason',
    every: 14,
    create: (t) => ({
      label: false,
      botOutcome: 'addressed',
      steps: [{ lines: replace(t, t.edited) }],
      isResolved: true,
      isOutdated: true,
    }),
  },
  {
    name: 'line changed for another reason',
    every: 5,
    create: (t, random) => ({
      label: false,
      suggestion: [t.fixed],
      steps: [{ lines: replace(t, t.edited) }],
      isResolved: random.below(2) === 0,
      isOutdated: true,
    }),
  },
  {
    name: 'declined, line changed for another reason',
    every: 9,
    create: (t) => ({
      label: false,
      reply: t.declining,
      steps: [{ lines: replace(t, t.edited) }],
      isResolved: true,
      isOutdated: true,
    }),
  },
  {
    name: 'thumbs down by a bot, resolved',
    every: 8,
    create: (t) => ({
      label: false,
      thumbsDown: 'bot',
      steps: [{ lines: t.lines, other: 'x' }],
      isResolved: true,
    }),
  },
  {
    name: 'thumbs down by a bot, fixed, bot says addressed',
    every: 8,
    create: (t) => ({
      label: true,
      thumbsDown: 'bot',
      botOutcome: 'addressed',
      steps: [{ lines: replace(t, t.fixed) }],
      isResolved: true,
      isOutdated: true,
    }),
  },
  {
    name: 'file deleted for another reason',
    every: 9,
    create: () => ({ label: false, steps: [{ lines: null }], isResolved: false, isOutdated: true }),
  },
  {
    name: 'on a removed line, ignored',
    every: 9,
    create: (t) => ({ label: false, side: 'left', steps: [{ lines: atEnd(t, t.lines) }], isResolved: false }),
  },
  {
    name: 'alert dismissed',
    every: 8,
    create: (t) => ({
      label: false,
      alert: 'dismissed',
      steps: [{ lines: t.lines, other: 'x' }],
      isResolved: true,
    }),
  },
  {
    name: 'a person says not accepted',
    every: 10,
    create: (t) => ({
      label: false,
      verdict: false,
      botOutcome: 'addressed',
      steps: [{ lines: replace(t, t.edited) }],
      isResolved: true,
      isOutdated: true,
    }),
  },
  {
    name: 'declined, pull request closed',
    every: 9,
    create: (t) => ({
      label: false,
      reply: t.declining,
      state: 'closed',
      steps: [{ lines: t.lines, other: 'x' }],
      isResolved: false,
    }),
  },
  // Nobody can know.
  {
    name: 'force push lost the commit',
    every: 6,
    create: (t, random) => ({
      label: null,
      lost: 'commented',
      suggestion: [t.fixed],
      steps: [{ lines: random.below(2) === 0 ? t.lines : replace(t, t.fixed) }],
      isResolved: random.below(2) === 0,
      isOutdated: true,
    }),
  },
  {
    name: 'still open',
    every: 9,
    create: (t) => ({
      label: null,
      state: 'open',
      thumbsDown: 'person',
      steps: [{ lines: t.lines, other: 'x' }],
      isResolved: false,
    }),
  },
  {
    name: 'posted after the merge',
    every: 9,
    create: (t) => ({
      label: null,
      isPostedAfterMerge: true,
      steps: [{ lines: t.lines, other: 'x' }],
      isResolved: false,
    }),
  },
]

/** The lines that a comment with a margin of one line replaces. */
function withMargin({ lines, start, end }: Target, by: readonly string[]): string[] {
  return [...lines.slice(Math.max(start - 1, 0), start), ...by, ...lines.slice(end + 1, end + 2)]
}
