import { type Static, Type } from 'typebox'
import { categories, severities } from '../../../metrics-store/findings.ts'
import { closedObject, nullable } from '../../../shape.ts'
import { formatField, groupByField, windowFields } from '../request.ts'
import {
  count,
  currentName,
  definitionField,
  groupField,
  nullableChoice,
  nullableText,
  weekField,
} from '../schema.ts'
import { groupKeys } from './sql.ts'

export const SummaryQuery = closedObject({
  ...windowFields(),
  ...groupByField(groupKeys, 'findings'),
  ...formatField('`csv` returns a table with one line per group.'),
})
export type SummaryQuery = Static<typeof SummaryQuery>

const rate = (description: string) => nullable(Type.Number({ minimum: 0, maximum: 1 }), { description })

const groupFields = {
  ...weekField,
  organization: Type.Optional(nullableText('ID assigned by the Git provider.')),
  repository: Type.Optional(nullableText('ID assigned by the Git provider.')),
  author: Type.Optional(nullableText('ID assigned by the Git provider; null when the author is unknown.')),
  reviewer: Type.Optional(nullableText('Reviewer that made the finding; null when unknown.')),
  severity: Type.Optional(nullableChoice(severities)),
  category: Type.Optional(nullableChoice(categories)),
  repository_name: currentName('repository', 'its current name'),
  author_username: currentName('author', 'the current username'),
}

export const acceptanceFields = {
  posted: count('Findings of merged pull requests.'),
  accepted: count('Findings known to be accepted.'),
  not_accepted: count('Findings known not to be accepted.'),
  unknown: count('Findings without a known outcome.'),
  rate: rate('accepted ÷ (accepted + not_accepted); null when no outcome is known.'),
  rate_low: rate('accepted ÷ posted: the rate if no unknown finding was accepted.'),
  rate_high: rate('(accepted + unknown) ÷ posted: the rate if all unknown findings were accepted.'),
  interval_low: rate('Lower bound of the 95% Wilson interval of `rate`.'),
  interval_high: rate('Upper bound of the 95% Wilson interval of `rate`.'),
}

export const Summary = closedObject({
  data: Type.Array(closedObject({ ...groupField(groupFields, 'findings'), ...acceptanceFields })),
  ...definitionField('acceptance'),
})
