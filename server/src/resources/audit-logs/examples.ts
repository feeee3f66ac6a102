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
        },
        metadata: {
          is_default: false,
          permissions: ['metrics:read'],
        },
        ipAddress: '127.0.0.1',
        createdAt: '2026-11-16T09:26:34.044Z',
        relativeTime: 'just now',
      },
    ],
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
