// Sourcery: `**issue (bug_risk):** Title`, or with an emoji `**🚨 issue (security):** Title`; it adds `✅ Addressed in SHA` to its own comment.
import { nothingFound, notUnderstood, type ParsedText, type Parser } from './bot-finding.ts'
import { firstProse, onlyFinding, readBotOutcome } from './content.ts'
import { type Markup, toPlainText } from './markup.ts'

const label =
  /^\s{0,3}\*\*(?:[^\p{L}\p{N}*(]{1,8} )?(issue|suggestion|nitpick|question|todo|chore|thought|praise|note)(?: \(([\w -]{1,40})\))?:\*\*\s{0,3}(.{0,2000})$/iu

export const sourceryParser: Parser = { thread: parseThread }

function parseThread(markup: Markup): ParsedText {
  const first = firstProse(markup.lines)
  if (first === '') return nothingFound
  const [, kind, category, title = ''] = label.exec(first) ?? []
  if (kind === undefined) return notUnderstood
  if (kind.toLowerCase() === 'praise') return nothingFound
  return onlyFinding(markup, {
    format: 1,
    title: toPlainText(title),
    rawSeverity: kind.toLowerCase(),
    rawCategory: category?.toLowerCase() ?? null,
    ...readBotOutcome(markup.lines),
  })
}
