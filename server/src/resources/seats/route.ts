import { allButLegacyAndAgenticKeys, defineEndpoint } from '../../http/endpoint.ts'
import { NoPath, NoQuery } from '../../shape.ts'
import { manageSeats, refuseInvalidUsers } from './manage.ts'
import { SeatMode, SeatRequest, SeatResult } from './schema.ts'
import { refuseUnlessSelfHosted, setSeatMode } from './set-mode.ts'

export const seats = defineEndpoint({
  method: 'POST',
  path: '/v1/users/seats',
  operationId: 'manageSeats',
  summary: 'Assign or unassign seats',
  description:
    'Gives seats to users of the organization, or takes them back; an instance key means its home organization, a ' +
    'workspace token people of the whole workspace. Seats belong to the tenant: one person has one seat, shown on all ' +
    'accounts. Who has a seat already succeeds, and so does who has none to take back. Check `status` and `failed`.',
  tag: 'Users',
  keys: allButLegacyAndAgenticKeys,
  organization: 'own',
  plan: 'enterprise',
  permission: 'user_management:write',
  admin: true,
  limit: 'seats',
  maxConcurrent: 3,
  errorBody: 'error',
  params: NoPath,
  query: NoQuery,
  body: SeatRequest,
  refine: refuseInvalidUsers,
  paging: null,
  replies: {
    200: { description: 'What became of each user, in the order of the request.', body: SeatResult },
  },
  refusals: ['BATCH_SIZE_EXCEEDED'],
  run: manageSeats,
})

export const seatMode = defineEndpoint({
  method: 'POST',
  path: '/v1/users/seats/assignment',
  operationId: 'setSeatAssignmentMode',
  summary: 'Set the seat assignment mode',
  description:
    'How developers of a self-hosted organization come by a seat. An instance key sets it for every organization that ' +
    'it is authorized for. The present mode is in GET /v1/users.',
  tag: 'Users',
  keys: { ...allButLegacyAndAgenticKeys, workspace: 'KEY_KIND_NOT_ALLOWED' },
  organization: 'optional',
  plan: 'enterprise',
  permission: 'user_management:write',
  admin: true,
  limit: 'seat-mode',
  errorBody: 'error',
  params: NoPath,
  query: NoQuery,
  body: SeatMode,
  paging: null,
  replies: { 200: { description: 'The mode that holds from now on.', body: SeatMode } },
  refusals: ['SELF_HOSTED_ONLY'],
  checkRequirements: refuseUnlessSelfHosted,
  run: setSeatMode,
})
