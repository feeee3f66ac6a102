import { type Static, Type } from 'typebox'
import { closedObject, literals, nullable } from '../../../shape.ts'

const Time = Type.String({ format: 'date-time' })

export const CurrentSession = closedObject({
  person: closedObject({
    cr_user_id: Type.String({ format: 'uuid' }),
    name: Type.String(),
    email: nullable(Type.String()),
  }),
  organizations: Type.Array(
    closedObject({
      id: Type.String({ format: 'uuid', description: 'Pass it in `x-scholiast-organization`.' }),
      name: Type.String(),
      provider: Type.String({ examples: ['github'] }),
      provider_organization_id: Type.String(),
      role: literals(['cr_admin', 'cr_member', 'cr_billing_admin']),
      role_name: Type.String(),
    }),
    { description: 'Active organizations by name, at most 1,000. Workspace admins act in all of them.' },
  ),
  workspace_admin: Type.Boolean({ description: 'May pass `all` in `x-scholiast-organization`.' }),
  expires_at: { ...Time, description: 'Each request moves it, up to 24 hours after the sign-in.' },
  fresh_until: nullable(Time, {
    description:
      'Until then, requests that need a recent sign-in are accepted; later ones are 403 REAUTHENTICATION_REQUIRED. ' +
      'null if the identity provider did not say when you signed in: such requests are refused.',
  }),
})

export type CurrentSession = Static<typeof CurrentSession>

export const SessionList = closedObject({
  data: Type.Array(
    closedObject({
      id: Type.String({ format: 'uuid' }),
      method: literals(['provider', 'passkey', 'link']),
      issuer: nullable(Type.String()),
      user_agent: Type.String(),
      created_at: Time,
      last_used_at: { ...Time, description: 'Up to one minute behind.' },
      expires_at: Time,
      current: Type.Boolean({ description: 'Whether this request was sent in it.' }),
    }),
    { description: 'The most recently used first, at most 100.' },
  ),
})

export type SessionList = Static<typeof SessionList>

export const SessionPath = closedObject({
  session_id: Type.String({ format: 'uuid', description: 'ID of one of your sessions.' }),
})
