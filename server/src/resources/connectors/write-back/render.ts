import { normalizeText } from '../../../text/normalize.ts'
import { redact } from '../../../text/redact.ts'
import type { CheckRunOutput } from '../git-providers/write-client.ts'
import type { ApplyingLearning } from './context.ts'

// What is written to a Git provider. Texts of people are shown as code only: a Git provider resolves no mention, link, image, reference or
// HTML in it.

const MAX_TEXT_CHARACTERS = 300

/** One line of code, whatever the text contains. */
function toCode(text: string): string {
  const line = normalizeText(redact(text).text, 'NFC')
    .replaceAll(/[\s\p{C}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
  const shown =
    line.length > MAX_TEXT_CHARACTERS ? `${line.slice(0, MAX_TEXT_CHARACTERS - 1).toWellFormed()}…` : line
  const longest = Math.max(0, ...[...shown.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return longest === 0 ? `${fence}${shown}${fence}` : `${fence} ${shown} ${fence}`
}

export function renderCheckRun(learnings: readonly ApplyingLearning[]): CheckRunOutput {
  const title =
    learnings.length === 0
      ? 'No Learnings apply'
      : learnings.length === 1
        ? '1 Learning applies'
        : `${learnings.length} Learnings apply`
  return { title, summary: renderLearnings(learnings) }
}

/** The Learnings with the reason why each fits. */
export function renderLearnings(learnings: readonly ApplyingLearning[]): string {
  if (learnings.length === 0)
    return 'No Learning of this repository applies to the files and commits of this pull request.'
  const strong = learnings.filter(({ match }) => match === 'strong')
  const weak = learnings.filter(({ match }) => match === 'weak')
  return [
    ...(strong.length > 0
      ? ['These Learnings of this repository apply:', '', ...strong.map(renderItem)]
      : []),
    ...(strong.length > 0 && weak.length > 0 ? [''] : []),
    ...(weak.length > 0 ? ['These Learnings may apply:', '', ...weak.map(renderItem)] : []),
  ].join('\n')
}

function renderItem({ learning, reason }: ApplyingLearning): string {
  return `- ${toCode(learning)}\n  Why: ${toCode(reason.replaceAll('`', ''))}`
}
