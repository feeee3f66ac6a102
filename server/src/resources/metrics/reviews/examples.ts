import type { EndpointExample } from '../../../http/endpoint.ts'

export const reviewsExample: EndpointExample = {
  query: {
    start_date: '2026-10-17',
    end_date: '2026-11-16',
    limit: 100,
  },
  response: {
    data: [
      {
        pr_url: 'https://github.com/meridian-platform/route-planner/pull/318',
        author_id: '17549942',
        author_username: 'mei-tanaka',
        organization_id: '41207731',
        organization_name: 'Meridian Platform',
        repository_id: '620118402',
        repository_name: 'route-planner',
        status: 'merged',
        created_at: '2026-10-16T18:40:01.544Z',
        ready_for_review_at: '2026-10-16T18:40:01.544Z',
        first_human_review_at: '2026-10-17T15:30:38.797Z',
        last_commit_at: '2026-10-17T20:36:46.671Z',
        merged_at: '2026-10-18T08:31:41.129Z',
        closed_at: '2026-10-18T08:31:41.129Z',
        review_iterations: 1,
        estimated_complexity: 3,
        estimated_review_minutes: 20.7,
        coderabbit_comments: {
          total: {
            posted: 4,
            accepted: 3,
          },
          severity: {
            critical: {
              posted: 1,
              accepted: 1,
            },
            major: {
              posted: 0,
              accepted: 0,
            },
            minor: {
              posted: 2,
              accepted: 2,
            },
            trivial: {
              posted: 0,
              accepted: 0,
            },
            info: {
              posted: 1,
              accepted: 0,
            },
          },
          category: {
            data_integrity_and_integration: {
              posted: 1,
              accepted: 1,
            },
            functional_correctness: {
              posted: 1,
              accepted: 0,
            },
            maintainability_and_code_quality: {
              posted: 0,
              accepted: 0,
            },
            performance_and_scalability: {
              posted: 1,
              accepted: 1,
            },
            security_and_privacy: {
              posted: 0,
              accepted: 0,
            },
            stability_and_availability: {
              posted: 0,
              accepted: 0,
            },
          },
        },
        counted_on: '2026-10-18',
      },
    ],
    next_cursor: 'AQR0ZXN0LZcvkuoqqb-uVpSwWzEwMTE3Xa3bhrot_RQTPR6e4O4u2bY',
  },
  files: {
    'text/csv':
      'pr_url,author_id,author_username,organization_id,organization_name,repository_id,repository_name,status,created_at,ready_for_review_at,first_human_review_at,last_commit_at,merged_at,closed_at,review_iterations,estimated_complexity,estimated_review_minutes,total_coderabbit_comments_posted,total_coderabbit_comments_accepted,critical_comments_posted,critical_comments_accepted,major_comments_posted,major_comments_accepted,minor_comments_posted,minor_comments_accepted,trivial_comments_posted,trivial_comments_accepted,info_comments_posted,info_comments_accepted,data_integrity_and_integration_comments_posted,data_integrity_and_integration_comments_accepted,functional_correctness_comments_posted,functional_correctness_comments_accepted,maintainability_and_code_quality_comments_posted,maintainability_and_code_quality_comments_accepted,performance_and_scalability_comments_posted,performance_and_scalability_comments_accepted,security_and_privacy_comments_posted,security_and_privacy_comments_accepted,stability_and_availability_comments_posted,stability_and_availability_comments_accepted,counted_on\r\nhttps://github.com/meridian-platform/route-planner/pull/318,17549942,mei-tanaka,41207731,Meridian Platform,620118402,route-planner,merged,2026-10-16T18:40:01.544Z,2026-10-16T18:40:01.544Z,2026-10-17T15:30:38.797Z,2026-10-17T20:36:46.671Z,2026-10-18T08:31:41.129Z,2026-10-18T08:31:41.129Z,1,3,20.7,4,3,1,1,0,0,2,2,0,0,1,0,1,1,1,0,0,0,1,1,0,0,0,0,2026-10-18\r\n',
  },
}
