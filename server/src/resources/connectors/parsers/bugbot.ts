// Cursor Bugbot: `### Title`, `**Medium Severity**`, and the id of the bug in a hidden comment. It posts a bug that is still
// there again on each push, with the same id.
import { type BotFinding, nothingFound, notUnderstood, type ParsedText, type Parser } from './bot-finding.ts'
import { findInProse, firstProse, matchFirst, onlyFinding, readHeading, readLocation } from './content.ts'
import { type Markup, toPlainText } from './markup.ts'

export const bugbotParser: Parser = {
  thread: (markup) => parseBug(markup, {}),
  elsewhere: (markup) =>
    readKey(markup) === null ? nothingFound : parseBug(markup, { postedAs: 'body', ...findLocation(markup) }),
}

function parseBug(markup: Markup, place: Partial<BotFinding>): ParsedText {
  const { lines } = markup
  if (firstProse(lines) === '') return nothingFound
  const botKey = readKey(markup)
  const title = findInProse(lines, readHeading)
  const rawSeverity = findInProse(lines, readSeverity)
  if (!title || (rawSeverity === null && botKey === null)) return notUnderstood
  return onlyFinding(markup, {
    format: 1,
    title: title.replace(/^bug: /i, ''),
    rawSeverity,
    botKey,
    ...place,
  })
}

function readKey({ hidden }: Markup): string | null {
  const [, key] = matchFirst(hidden, /^BUGBOT_BUG_ID:\s{0,5}([\w-]{1,80})$/)
  // `ref1_` marks the same bug of an earlier run.
  return key?.replace(/^ref\d{1,3}_/, '').toLowerCase() ?? null
}

function readSeverity(text: string): string | null {
  if (!text.includes('everity')) return null
  return /^(critical|high|medium|low) severity$/i.exec(toPlainText(text))?.[1] ?? null
}

/** `src/app.ts#L23-L32`, the first of the locations. */
function findLocation({ hidden }: Markup) {
  const list = hidden.find((text) => text.startsWith('LOCATIONS START'))
  return readLocation(list?.split('\n', 2)[1]?.trim() ?? '', '#')
}
