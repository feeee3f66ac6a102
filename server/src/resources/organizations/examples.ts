import type { EndpointExample } from '../../http/endpoint.ts'

export const organizationsExample: EndpointExample = {
  query: {
    limit: 100,
  },
  response: {
    organizations: [
      {
        id: '01a1e3ad-d186-7543-adfb-2114591f053e',
        name: 'Meridian Platform',
        provider: 'github',
        provider_organization_id: '41207731',
      },
    ],
    next_cursor: null,
  },
}

export const repositoriesExample: EndpointExample = {
  params: {
    organization_id: '01a1e3ad-d186-7543-adfb-2114591f053e',
  },
  query: {
    limit: 100,
  },
  response: {
    repositories: [
      {
        id: '01a1e3ad-d196-7b25-b66b-13f18de837d3',
        name: 'booking-api',
        provider: 'github',
        provider_repository_id: '620118401',
        private: true,
      },
    ],
    next_cursor: null,
  },
}
