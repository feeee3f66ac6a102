import type { EndpointExample } from '../../http/endpoint.ts'

export const auditLogsExample: EndpointExample = {
  query: {
    date_from: '2026-11-16',
    page_size: 10,
  },
  response: {
    data: [
      {
        id: 'db79d626-7d80-44dc-9e88-a8d638ae32e7',
        action: 'role_deleted',
        actionLabel: 'Role deleted',
        resourceType: 'role',
        resourceTypeLabel: 'Role',
        resourceSummary: 'Role Release manager was deleted',
        actor: {
          name: 'Demo: user',
          subtitle: 'user key sch_usr_…tT5A of Amara Okafor',
          isBot: true,
          avatarUrl: null,
          owner: { id: '01a1e3b1-c5be-77b0-8d3d-9f7e5e7f4b32', name: 'Amara Okafor' },
        },
        metadata: {
          resource_id: '01a1e3b1-d021-7c3a-9d53-2f4b8a6e1c07',
          is_default: false,
          permissions: ['metrics:read'],
          actor_owner_id: '01a1e3b1-c5be-77b0-8d3d-9f7e5e7f4b32',
          before: {
            description: 'sha256:730b945589579b72658d9731fbf5631ca78fa607878efac29706ab90e2e91f11',
            is_default: false,
            permissions: ['metrics:read'],
          },
        },
        ipAddress: '127.0.0.1',
        createdAt: '2026-11-16T09:26:34.044Z',
        relativeTime: 'just now',
        position: 85,
        hash: '1e6e093daf0e5d69460ef8d20318f893463c3ffcae75d39d578600487b7672f0',
        content:
          '{"action":"role_deleted","actor_id":"01a1e3b1-c621-756b-b2e8-d8a9f306ac06","actor_kind":"key","at":"2026-11-16T09:26:34.044Z","id":"db79d626-7d80-44dc-9e88-a8d638ae32e7","metadata":{"actor_owner_id":"01a1e3b1-c5be-77b0-8d3d-9f7e5e7f4b32","before":{"description":"sha256:730b945589579b72658d9731fbf5631ca78fa607878efac29706ab90e2e91f11","is_default":false,"permissions":["metrics:read"]},"is_default":false,"permissions":["metrics:read"]},"organization_id":"01a1e3b1-c9a7-795e-93ff-31394dea0582","resource_id":"01a1e3b1-d021-7c3a-9d53-2f4b8a6e1c07","resource_type":"role","sealed":{"name":"ddb8fc5607d2036506712330658bc26eb2d6bf2a0b95434dc3feba6a2ac144eb"}}',
        personalValues: { name: { salt: '9f1c2a6b3d4e5f60718293a4b5c6d7e8', value: 'Release manager' } },
      },
    ],
    warnings: [],
    next_cursor: 'AQR0ZXN0YFFyqxIGhJQ6qDFxWzIxOF3jXEebmAFPhS8ax-H4qxXU',
    pagination: {
      page: 1,
      page_size: 10,
      total_count: 85,
      total_pages: 9,
      has_next_page: true,
      has_previous_page: false,
    },
    filter_options: {
      actions: [
        {
          value: 'api_key_created',
          label: 'API key created',
          count: 7,
        },
      ],
      resource_types: [
        {
          value: 'api_key',
          label: 'API key',
          count: 9,
        },
      ],
    },
  },
}

export const auditChainExample: EndpointExample = {
  query: { after: 84, limit: 1 },
  response: {
    data: [
      {
        position: 85,
        digest: '7b4fe2a6ca4a014c945dbd48c1597a000a1108569ac7445bee728f346943e5cf',
        hash: '1e6e093daf0e5d69460ef8d20318f893463c3ffcae75d39d578600487b7672f0',
      },
    ],
    heads: [
      {
        kind: 'head',
        root: '01a1e3b1-c001-7a11-8c5e-0d9a3c7b1e22',
        position: 85,
        hash: '1e6e093daf0e5d69460ef8d20318f893463c3ffcae75d39d578600487b7672f0',
        at: '2026-11-16T09:26:36.120Z',
        key: '55f81a12910a1d66',
        signature: 'n0gq1wq9Yw0m3yq1f0H8u3b2m5rXk6c8s1t7v9x2z4A6B8C0D2E4F6G8H0I2J4K6L8M0N2O4P6Q8R0S2T4U6Vw==',
      },
    ],
    public_keys: [
      {
        key: '55f81a12910a1d66',
        public_key:
          '-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=\n-----END PUBLIC KEY-----\n',
      },
    ],
  },
}
