import type { EndpointExample } from '../../../http/endpoint.ts'

export const summaryExample: EndpointExample = {
  query: {
    start_date: '2026-10-17',
    end_date: '2026-11-16',
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
        posted: 4,
        accepted: 3,
        not_accepted: 1,
        unknown: 0,
        rate: 0.75,
        rate_low: 0.75,
        rate_high: 0.75,
        interval_low: 0.300642,
        interval_high: 0.954413,
      },
    ],
    definition_id: 'acceptance.v1',
  },
  files: {
    'text/csv':
      'week,repository,posted,accepted,not_accepted,unknown,rate,rate_low,rate_high,interval_low,interval_high,definition_id,repository_name\r\n2026-10-12,620118402,4,3,1,0,0.75,0.75,0.75,0.300642,0.954413,acceptance.v1,route-planner\r\n',
  },
}
