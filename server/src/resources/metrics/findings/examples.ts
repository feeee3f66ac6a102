import type { EndpointExample } from '../../../http/endpoint.ts'

export const findingsExample: EndpointExample = {
  query: { start_date: '2026-10-17', end_date: '2026-11-16', outcome: 'accepted', limit: 1 },
  response: {
    data: [
      {
        id: '6b1f0c52-7d3e-8a41-8c0d-2f5e9b7a1d34',
        finding_id: '620118401-4180-1',
        pull_request_key: '6b1f0c52-7d3e-8f02-8a11-90b7c3d45e66',
        counted_on: '2026-11-02',
        pr_url: 'https://github.com/meridian-platform/booking-api/pull/4180',
        organization_id: '41207731',
        repository_id: '620118401',
        reviewer: 'scholiast',
        severity: 'major',
        category: 'functional_correctness',
        accepted: true,
        source: 'detector',
        rule: 'suggestion',
        evidence: [{ kind: 'commit', at: '2026-11-02T15:55:00.000Z' }],
        file: 'src/booking/reserve.ts',
        start_line: 118,
        end_line: 121,
        posted_at: '2026-11-02T13:11:00.000Z',
        comment_url: 'https://github.com/meridian-platform/booking-api/pull/4180#discussion_r2100000001',
        posted_as: 'inline',
      },
    ],
    next_cursor: null,
  },
}

export const outcomeExample: EndpointExample = {
  params: { id: '6b1f0c52-7d3e-8a41-8c0d-2f5e9b7a1d34' },
  body: { accepted: false },
  response: {
    id: '6b1f0c52-7d3e-8a41-8c0d-2f5e9b7a1d34',
    finding_id: '620118401-4180-1',
    pull_request_key: '6b1f0c52-7d3e-8f02-8a11-90b7c3d45e66',
    accepted: false,
    source: 'person',
  },
}
