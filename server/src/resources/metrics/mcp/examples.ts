import type { EndpointExample } from '../../../http/endpoint.ts'

export const mcpUsageExample: EndpointExample = {
  query: {
    start_date: '2026-10-17',
    end_date: '2026-11-16',
    limit: 100,
  },
  response: {
    data: [
      {
        pr_url: 'https://github.com/meridian-platform/route-planner/pull/318',
        organization_id: '41207731',
        repository_id: '620118402',
        author_id: '17549942',
        merged_at: '2026-10-18T08:31:41.129Z',
        servers: [
          {
            name: 'linear',
            calls: 3,
            tools: [
              {
                name: 'get_issue',
                calls: 1,
                errors: 0,
              },
            ],
          },
        ],
        completeness: 'best_effort',
      },
    ],
    next_cursor: 'AQR0ZXN0fTZ-cQUn4yWxnwyuWzEwOTczXdhUY75VxDp0LEEQPPY4OMs',
  },
}
