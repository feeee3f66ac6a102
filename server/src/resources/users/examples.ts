import type { EndpointExample } from '../../http/endpoint.ts'

export const usersExample: EndpointExample = {
  query: {
    limit: 100,
  },
  response: {
    seats_purchased: 40,
    seats_assigned: 0,
    seat_assignment_mode: 'manual',
    users: [
      {
        user_id: '17549942',
        active: true,
        seat_assigned: false,
        role: 'cr_member',
        role_name: 'cr_member',
        role_type: 'system',
        name: 'Mei Tanaka',
        username: 'mei-tanaka',
        email: 'mei.tanaka@example.com',
        seat_requested_at: null,
        last_active_at: '2026-11-14T16:20:41.000Z',
      },
    ],
    next_cursor: null,
  },
}
