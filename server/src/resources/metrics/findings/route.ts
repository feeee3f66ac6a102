import { allButLegacyAndAgenticKeys, allowKeys, defineEndpoint } from '../../../http/endpoint.ts'
import examples from '../examples.json' with { type: 'json' }
import { metricsEndpointDefaults, metricsPaging, windowDefaults, windowParameters } from '../request.ts'
import { listFindings } from './list.ts'
import { FindingPath, FindingsPage, FindingsQuery, OutcomeBody, RecordedOutcome } from './schema.ts'
import { setFindingOutcome } from './set-outcome.ts'

export const findings = defineEndpoint({
  ...windowDefaults,
  keys: allButLegacyAndAgenticKeys,
  path: '/v1/metrics/findings',
  operationId: 'listFindings',
  example: examples.findings,
  summary: 'List findings with their outcomes and evidence',
  description:
    'Returns the findings of pull requests merged in the window, one by one: who made them, where, what became of them, and ' +
    'who or what decided that. Pages are in write order, as those of `/v1/metrics/review-comments`. Text and code are never ' +
    'returned.',
  query: FindingsQuery,
  paging: metricsPaging(...windowParameters, 'reviewer', 'outcome'),
  replies: { 200: { description: 'A page of findings.', body: FindingsPage } },
  run: listFindings,
})

export const findingOutcome = defineEndpoint({
  ...metricsEndpointDefaults,
  method: 'PUT',
  keys: allowKeys('user'),
  organization: 'required',
  permission: 'metrics:write',
  limit: 'finding-outcomes',
  path: '/v1/metrics/findings/{id}/outcome',
  operationId: 'setFindingOutcome',
  example: examples.findingOutcome,
  summary: 'Overrule the outcome of a finding',
  description:
    'Records what a person says about a finding. It counts before the outcomes of the Git provider and of detectors, until it is ' +
    'withdrawn with `accepted: null`. The change is audited at once and shows in the metrics shortly after.',
  params: FindingPath,
  body: OutcomeBody,
  replies: { 202: { description: 'The outcome is recorded.', body: RecordedOutcome } },
  refusals: ['NOT_FOUND', 'METRICS_UNAVAILABLE', 'METRICS_PREPARING', 'METRICS_TEMPORARILY_UNAVAILABLE'],
  run: setFindingOutcome,
})
