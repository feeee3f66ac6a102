import type { EndpointExample } from '../../http/endpoint.ts'

export const seatsExample: EndpointExample = {
  body: {
    action: 'assign',
    user_ids: ['66592086', '22605247'],
  },
  response: {
    status: 'partial_success',
    succeeded: ['66592086'],
    failed: [
      {
        user_id: '22605247',
        id: '22605247',
        code: 'USER_NOT_FOUND',
        message: 'No user with this ID was found. List users with GET /v1/users.',
      },
    ],
  },
}

export const seatModeExample: EndpointExample = {
  body: {
    mode: 'manual',
  },
  response: {
    mode: 'manual',
  },
}
