import { allButLegacyAndAgenticKeys, allowKeys, defineEndpoint } from '../../http/endpoint.ts'
import examples from './examples.json' with { type: 'json' }
import { manageSeats, refuseInvalidUsers } from './manage.ts'
import { SeatMode, SeatRequest, SeatResult } from './schema.ts'
import { refuseUnlessSelfHosted, setSeatMode } from './set-mode.ts'

export const seats = defineEndpoint({
  method: 'POST',
  path: '/v1/users/seats',
  operationId: 'manageSeats',
  example: examples.seats,
  summary: 'Assign or unassign seats',
  description:
    'Assigns or unassigns seats of users of the organization. An instance key uses its home organization; a workspace ' +
    'token names people of the whole workspace. Seats belong to the tenant: a person has one seat, shown on all of their ' +
    'accounts. Assigning a seat to a user who has one, and unassigning one from a user without, succeed. Check `status` ' +
    'and `failed`.',
  tag: 'Users',
  keys: allButLegacyAndAgenticKeys,
  organization: 'own',
  permission: 'user_management:write',
  admin: true,
  limit: 'seats',
  concurrency: 3,
  body: SeatRequest,
  checks: { input: refuseInvalidUsers },
  replies: {
    200: { description: 'Result for each user, in the order of the request.', body: SeatResult },
  },
  refusals: ['NO_ACTIVE_SUBSCRIPTION', 'BATCH_SIZE_EXCEEDED'],
  run: manageSeats,
})

export const seatMode = defineEndpoint({
  method: 'POST',
  path: '/v1/users/seats/assignment',
  operationId: 'setSeatAssignmentMode',
  example: examples.seatMode,
  summary: 'Set the seat assignment mode',
  description:
    'Sets how developers of a self-hosted organization get a seat. An instance key sets it for every organization that ' +
    'it is authorized for. GET /v1/users returns the current mode.',
  tag: 'Users',
  keys: allowKeys('organization', 'user', 'instance'),
  organization: 'optional',
  permission: 'user_management:write',
  admin: true,
  limit: 'seat-mode',
  body: SeatMode,
  replies: { 200: { description: 'The new mode.', body: SeatMode } },
  refusals: ['NO_ACTIVE_SUBSCRIPTION', 'SELF_HOSTED_ONLY'],
  checks: { access: refuseUnlessSelfHosted },
  run: setSeatMode,
})
