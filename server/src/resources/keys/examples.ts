import type { EndpointExample } from '../../http/endpoint.ts'

export const keysExample: EndpointExample = {
  query: {
    limit: 100,
  },
  response: {
    data: [
      {
        id: '01a1e3ad-d317-77bd-a045-1313ee64d8cc',
        name: 'Demo: organization',
        kind: 'organization',
        prefix: 'sch_org_',
        last_four: 'iJUm',
        org_id: '41207731',
        owner: {
          cr_user_id: '01a1e3ad-d186-7cf8-9a61-3c5c4b7bbdf6',
          name: 'Amara Okafor',
        },
        created_at: '2026-11-16T09:26:22.230Z',
        expires_at: null,
        last_used_at: null,
        permissions: ['organization_management:read'],
      },
    ],
    next_cursor: null,
  },
}

export const newKeyExample: EndpointExample = {
  body: {
    kind: 'user',
    name: 'Nightly export',
    permissions: ['metrics:read', 'learning:read'],
  },
  response: {
    id: '01a1e3ae-0189-7e6a-a9f8-7850343a2b56',
    name: 'Nightly export',
    kind: 'user',
    prefix: 'sch_usr_',
    last_four: '3fuP',
    org_id: '41207731',
    owner: {
      cr_user_id: '01a1e3ad-d186-7cf8-9a61-3c5c4b7bbdf6',
      name: 'Amara Okafor',
    },
    created_at: '2026-11-16T09:26:34.119Z',
    expires_at: null,
    last_used_at: null,
    permissions: ['learning:read', 'metrics:read'],
    value: 'sch_usr_…',
  },
}

export const keyRotationExample: EndpointExample = {
  params: {
    key_id: '01a1e3ae-0189-7e6a-a9f8-7850343a2b56',
  },
  body: {
    overlap_days: 1,
  },
  response: {
    id: '01a1e3ae-019e-734b-8825-6a8776452797',
    name: 'Nightly export',
    kind: 'user',
    prefix: 'sch_usr_',
    last_four: 'bDko',
    org_id: '41207731',
    owner: {
      cr_user_id: '01a1e3ad-d186-7cf8-9a61-3c5c4b7bbdf6',
      name: 'Amara Okafor',
    },
    created_at: '2026-11-16T09:26:34.138Z',
    expires_at: null,
    last_used_at: null,
    permissions: ['learning:read', 'metrics:read'],
    value: 'sch_usr_…',
    replaces: {
      id: '01a1e3ae-0189-7e6a-a9f8-7850343a2b56',
      ends_at: '2026-11-17T09:26:34.138Z',
    },
  },
}

export const keyRemovalExample: EndpointExample = {
  params: {
    key_id: '01a1e3ae-019e-734b-8825-6a8776452797',
  },
}
