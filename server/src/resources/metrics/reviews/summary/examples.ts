import type { EndpointExample } from '../../../../http/endpoint.ts'

export const reviewSummaryExample: EndpointExample = {
  query: {
    start_date: '2026-10-17',
    end_date: '2026-11-16',
    status: 'all',
    group_by: ['week', 'repository'],
  },
  response: {
    data: [
      {
        group: {
          week: '2026-10-12',
          repository: '620118402',
          repository_name: 'route-planner',
        },
        pull_requests: 2,
        merged: 1,
        closed: 1,
        median_minutes_to_first_human_review: 1250.62,
        median_minutes_to_merge: 2271.66,
        p90_minutes_to_merge: 2271.66,
        mean_review_iterations: 1.5,
      },
    ],
    definition_id: 'review_times.v1',
    approximate: false,
  },
}
