import type { EndpointExample } from '../../../http/endpoint.ts'

export const endedSessionsExample: EndpointExample = {
  params: { cr_user_id: '0192f3a1-7c44-7d2e-9b1f-3c5d8e7a6b90' },
  response: { ended: 2 },
}

export const offboardingExample: EndpointExample = {
  body: {
    member: { email: 'amara.okafor@example.com' },
    dry_run: true,
  },
  response: {
    person: {
      cr_user_id: '0192f3a1-7c44-7d2e-9b1f-3c5d8e7a6b90',
      name: 'Amara Okafor',
      email: 'amara.okafor@example.com',
      active: true,
    },
    sessions: 0,
    keys: [
      {
        id: '0192f3a2-1d0e-7b58-a6c3-4f2e9d8c7b61',
        kind: 'user',
        name: 'Demo: user',
        last_used_at: '2026-11-12T08:31:20.000Z',
        ends: true,
      },
    ],
    seats: 0,
    roles: [
      {
        organization_id: '41207731',
        organization: { id: '0192f3a1-5b20-7e11-8a44-91d3c7f0e2ab' },
        organization_name: 'Meridian Freight',
        user_id: '66592086',
        role_name: 'cr_admin',
        role_type: 'system',
      },
    ],
    pending_learnings: 0,
    executed: false,
    receipt: null,
  },
}
