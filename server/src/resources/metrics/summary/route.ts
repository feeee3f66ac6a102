import { defineEndpoint } from '../../../http/endpoint.ts'
import {
  metricsEndpointDefaults,
  metricsRefusals,
  refuseReversedWindow,
} from '../../../metrics-store/request.ts'
import { Summary, SummaryQuery } from './schema.ts'
import { summarize } from './summarize.ts'

export const summary = defineEndpoint({
  ...metricsEndpointDefaults,
  path: '/v1/metrics/summary',
  operationId: 'summarizeFindings',
  summary: 'Sum up how findings were accepted',
  description:
    'The findings of pull requests that were merged in the window, counted and told apart by whatever `group_by` names. Of ' +
    'many findings nobody knows whether they were accepted: they are counted as unknown, `rate` is that of the others, ' +
    'and `rate_low` and `rate_high` are what it could be at worst and at best. The counts are those that ' +
    '`/v1/metrics/review-comments` shows pull request by pull request. Groups come in one order: by week, repository, author, ' +
    'reviewer, severity, category, what is not known last.',
  query: SummaryQuery,
  paging: null,
  refine: refuseReversedWindow,
  replies: {
    200: {
      description: 'All groups that have findings; without `group_by` one total.',
      body: Summary,
      files: {
        'text/csv':
          'With `format=csv`: the keys of the group, the fields of a group and `definition_id`, a group a line.',
      },
    },
  },
  refusals: metricsRefusals.filter((code) => code !== 'INVALID_CURSOR'),
  run: summarize,
})
