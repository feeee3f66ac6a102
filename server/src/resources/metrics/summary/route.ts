import { Type } from 'typebox'
import { defineEndpoint } from '../../../http/endpoint.ts'
import { metricsEndpointDefaults, metricsRefusals, refuseReversedWindow } from '../request.ts'
import { summaryExample } from './examples.ts'
import { Summary, SummaryQuery } from './schema.ts'
import { summarize } from './summarize.ts'

export const summary = defineEndpoint({
  ...metricsEndpointDefaults,
  path: '/v1/metrics/summary',
  operationId: 'summarizeFindings',
  example: summaryExample,
  summary: 'Summarize the acceptance of findings',
  description:
    'Returns counts and acceptance rates of the findings of pull requests merged in the window, grouped by the keys in ' +
    '`group_by`. Findings without a known outcome count as unknown: `rate` covers the other findings, `rate_low` and ' +
    '`rate_high` are its bounds if none or all of the unknown findings were accepted. The counts match ' +
    '`/v1/metrics/review-comments`. Groups are sorted by week, organization, repository, author, reviewer, severity and ' +
    'category, unknown values last.',
  query: SummaryQuery,
  paging: null,
  refine: refuseReversedWindow,
  replies: {
    200: {
      description: 'All groups with findings; one total without `group_by`.',
      body: Summary,
      files: {
        'text/csv': Type.String({
          description:
            'With `format=csv`: one line per group with its keys, its fields, `definition_id` and the names.',
        }),
      },
    },
  },
  refusals: metricsRefusals.filter((code) => code !== 'INVALID_CURSOR'),
  run: summarize,
})
