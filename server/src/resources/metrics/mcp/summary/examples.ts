import type { EndpointExample } from '../../../../http/endpoint.ts'

export const usageSummaryExample: EndpointExample = {
  query: {
    start_date: '2026-10-17',
    end_date: '2026-11-16',
    group_by: ['server', 'tool'],
  },
  response: {
    data: [
      {
        group: {
          server: 'linear',
          tool: 'get_issue',
        },
        pull_requests: 3,
        calls: 7,
        errors: 1,
      },
    ],
    completeness: 'best_effort',
  },
}
