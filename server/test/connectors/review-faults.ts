import { categories, severities } from '../../src/metrics-store/findings.ts'
import type { ParsedReview } from '../../src/resources/connectors/finding.ts'

/** Says what is wrong with the result of a parser, whatever it read; null = nothing. */
export function findReviewFault({ findings, unparsedComments }: ParsedReview): string | null {
  if (!Number.isSafeInteger(unparsedComments) || unparsedComments < 0)
    return `unparsedComments is ${unparsedComments}`
  if (new Set(findings.map(({ id }) => id)).size !== findings.length) return 'two findings have one id'
  for (const { id, severity, category, startLine, endLine, sketch } of findings) {
    if (id === '') return 'a finding has no id'
    if (severity !== null && !severities.includes(severity)) return `severity is ${severity}`
    if (category !== null && !categories.includes(category)) return `category is ${category}`
    if (startLine !== null && !(startLine >= 1 && startLine <= (endLine ?? 0)))
      return `lines are ${startLine} to ${endLine}`
    if (sketch.some((number) => !(number >= 0 && number <= 0xffff)))
      return 'a number of the sketch is out of range'
  }
  return null
}
