import type { EndpointExample } from '../../../http/endpoint.ts'

export const sessionExample: EndpointExample = {
  response: {
    person: {
      cr_user_id: '01a1e3ad-d186-7cf8-9a61-3c5c4b7bbdf6',
      name: 'Amara Okafor',
      email: 'amara.okafor@meridian-freight.example',
    },
    organizations: [
      {
        id: '01a1e3ad-d186-7543-adfb-2114591f053e',
        name: 'Meridian Platform',
        provider: 'github',
        provider_organization_id: '41207731',
        role: 'cr_admin',
        role_name: 'cr_admin',
      },
    ],
    workspace_admin: true,
    expires_at: '2026-11-16T17:26:22.239Z',
    fresh_until: '2026-11-16T09:36:22.239Z',
  },
}

export const sessionsExample: EndpointExample = {
  response: {
    data: [
      {
        id: '01a1e3ad-d322-710a-8921-022ac7f94e3c',
        method: 'provider',
        issuer: 'https://meridian-freight.okta.example',
        user_agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
        created_at: '2026-11-16T09:26:22.239Z',
        last_used_at: '2026-11-16T09:31:02.104Z',
        expires_at: '2026-11-16T17:31:02.104Z',
        current: true,
      },
    ],
  },
}

export const sessionRemovalExample: EndpointExample = {
  params: { session_id: '01a1e3ad-d322-710a-8921-022ac7f94e3c' },
}
