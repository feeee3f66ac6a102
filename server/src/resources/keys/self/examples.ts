import type { EndpointExample } from '../../../http/endpoint.ts'

export const keySelfExample: EndpointExample = {
  response: {
    id: '01a1e3ad-d322-710a-8921-022ac7f94e3c',
    name: 'Demo: user',
    kind: 'user',
    prefix: 'sch_usr_',
    last_four: 'tT5A',
    owner: {
      cr_user_id: '01a1e3ad-d186-7cf8-9a61-3c5c4b7bbdf6',
      name: 'Amara Okafor',
    },
    created_at: '2026-11-16T09:26:22.239Z',
    expires_at: null,
    last_used_at: null,
    tenant_root: {
      id: '01a1e3ad-cffe-7c76-a889-536ff883b123',
      kind: 'workspace',
      name: 'Meridian Freight',
      plan: 'enterprise',
      subscription_active: true,
    },
    organizations: {
      count: 1,
      first: [
        {
          id: '01a1e3ad-d186-7543-adfb-2114591f053e',
          name: 'Meridian Platform',
          provider: 'github',
          provider_organization_id: '41207731',
        },
      ],
    },
    admin: true,
    permissions: ['organization_management:read'],
    endpoints: [
      {
        method: 'GET',
        path: '/v1/organizations',
        allowed: true,
        code: null,
      },
    ],
    tools: [
      {
        name: 'search_learnings',
        allowed: true,
        code: null,
      },
    ],
  },
}
