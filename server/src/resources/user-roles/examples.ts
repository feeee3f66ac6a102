import type { EndpointExample } from '../../http/endpoint.ts'

export const userRolesExample: EndpointExample = {
  body: {
    role: 'cr_member',
    user_ids: ['17549942', '22605247'],
  },
  response: {
    status: 'partial_success',
    succeeded: ['17549942'],
    failed: [
      {
        user_id: '22605247',
        id: '22605247',
        code: 'USER_NOT_FOUND',
        message: 'No member with this ID was found. List users with GET /v1/users.',
      },
    ],
  },
}

export const roleMembersExample: EndpointExample = {
  params: { role_id: 'cr_member' },
  body: { user_ids: ['17549942'] },
  response: { status: 'success', succeeded: ['17549942'], failed: [] },
}
