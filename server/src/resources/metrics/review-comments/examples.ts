import type { EndpointExample } from '../../../http/endpoint.ts'

export const reviewCommentsExample: EndpointExample = {
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
        coderabbit_comments: [
          {
            url: 'https://github.com/meridian-platform/route-planner/pull/318#discussion_r2143392015',
            severity: 'minor',
            category: 'performance_and_scalability',
            accepted: true,
          },
        ],
      },
    ],
    next_cursor: 'AQR0ZXN0SPy1UgaD2Vo1eDznWzEwMTE5XbC8JKAX-9OLaJfZ5eIFCJI',
  },
}

export const changesExample: EndpointExample = {
  query: {
    limit: 100,
  },
  response: {
    data: [
      {
        position: 1,
        pull_request_key: '5d0f7d7e-2f5b-5c0e-9d55-6f1f5d6e3c11',
        kind: 'written',
        pr_url: 'https://github.com/meridian-platform/design-tokens/pull/483',
        organization_id: '41207731',
        organization_name: 'Meridian Platform',
        repository_id: '620118403',
        repository_name: 'design-tokens',
        number: 483,
        author_id: '81286807',
        merged_at: '2025-11-19T17:25:46.278Z',
        counted_on: '2025-11-19',
        findings: [
          {
            finding_id: '620118403-483-1',
            url: 'https://github.com/meridian-platform/design-tokens/pull/483#discussion_r1846986423',
            severity: 'trivial',
            category: 'maintainability_and_code_quality',
            accepted: false,
            reviewer: 'scholiast',
          },
        ],
        at: '2025-11-19T17:26:15.337Z',
      },
    ],
    next_cursor: 'AQR0ZXN0rvAmQJHRMvzECqdPWzE4NzldLCUyoJcxoD82mPVFRcHNHA',
    has_more: true,
  },
}
