import type { EndpointExample } from '../../http/endpoint.ts'

const response = {
  organization_id: '41207731',
  repository_id: '620118401',
  settings: {
    knowledge_base: { learnings: { scope: 'local', approval_delay: 0 } },
    metrics: { enabled: true },
    currency: 'EUR',
    reviewers: {},
  },
  inherited: ['knowledge_base.learnings.approval_delay', 'metrics.enabled', 'currency', 'reviewers'],
}

export const settingsExample: EndpointExample = { query: { repository_id: '620118401' }, response }

export const settingsChangeExample: EndpointExample = {
  body: { repository_id: '620118401', settings: { knowledge_base: { learnings: { scope: 'local' } } } },
  response: { ...response, warnings: [] },
}
