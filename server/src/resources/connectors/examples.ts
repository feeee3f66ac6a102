import type { EndpointExample } from '../../http/endpoint.ts'

const connector = {
  id: '01a1e3ad-d317-77bd-a045-1313ee64d8cc',
  provider: 'github',
  host: 'github.com',
  mode: 'polling',
  write_back: false,
  bots: [],
  status: 'backfilling',
  error: null,
  repositories: 12,
  backfill: { done: 1840, total: 5120, seconds_left: 960 },
  last_event_at: '2026-11-16T09:26:22.230Z',
  lag_seconds: 4,
  unparsed_comments: 3,
}

export const connectorsExample: EndpointExample = {
  query: { limit: 100 },
  response: { data: [connector], next_cursor: null },
}

export const newConnectorExample: EndpointExample = {
  body: {
    provider: 'github',
    mode: 'polling',
    account: 'meridian-platform',
    credential: {
      app_id: '918273',
      installation_id: '51827364',
      private_key: '-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----\n',
    },
  },
  response: {
    ...connector,
    status: 'pending',
    repositories: 0,
    backfill: { done: 0, total: null, seconds_left: null },
    last_event_at: null,
    lag_seconds: 0,
    unparsed_comments: 0,
  },
}

export const connectorRemovalExample: EndpointExample = { params: { connector_id: connector.id } }
