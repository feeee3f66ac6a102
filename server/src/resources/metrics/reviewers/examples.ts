import type { EndpointExample } from '../../../http/endpoint.ts'

const query = { start_date: '2026-10-17', end_date: '2026-11-16' }

export const reviewersExample: EndpointExample = {
  query,
  response: {
    data: [
      {
        reviewer: 'scholiast',
        pull_requests: 212,
        findings: 640,
        accepted: 352,
        not_accepted: 190,
        unknown: 98,
        rate: 0.649446,
        rate_low: 0.55,
        rate_high: 0.703125,
        interval_low: 0.608348,
        interval_high: 0.688459,
        median_minutes_to_fix: 94.5,
        unique_accepted: 201,
        cost_per_accepted: 1.39,
      },
    ],
    currency: 'EUR',
    definition_id: 'reviewers.v1',
  },
}

export const overlapExample: EndpointExample = {
  query,
  response: {
    data: [
      {
        a: 'coderabbit',
        b: 'scholiast',
        common_pull_requests: 118,
        both: 74,
        only_a: 160,
        only_b: 143,
        both_accepted: 52,
      },
    ],
    definition_id: 'reviewers.v1',
  },
}
