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
      },
    ],
    next_cursor: null,
  },
}
