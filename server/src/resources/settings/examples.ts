import type { EndpointExample } from '../../http/endpoint.ts'

const response = {
  organization_id: '0197a000-0000-7000-8000-000000000001',
  repository_id: '620118401',
  settings: {
    knowledge_base: { learnings: { scope: 'local', approval_delay: 0 } },
    metrics: { enabled: true },
    reviewers: {},
  },
  inherited: ['knowledge_base.learnings.approval_delay', 'metrics.enabled', 'reviewers'],
}

export const settingsExample: EndpointExample = { query: { repository_id: '620118401' }, response }

export const settingsChangeExample: EndpointExample = {
  body: { repository_id: '620118401', settings: { knowledge_base: { learnings: { scope: 'local' } } } },
  response,
}
