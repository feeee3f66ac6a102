import { Type } from 'typebox'
import { closed } from '../../../shape.ts'

const Time = Type.String({ format: 'date-time' })

export const CurrentSession = Type.Object(
  {
    person: Type.Object(
      {
        cr_user_id: Type.String({ format: 'uuid' }),
        name: Type.String(),
        email: Type.Union([Type.String(), Type.Null()]),
      },
      closed,
    ),
    organizations: Type.Array(
      Type.Object(
        {
          id: Type.String({ format: 'uuid', description: 'Pass it in `x-scholiast-organization`.' }),
          name: Type.String(),
          provider: Type.String({ examples: ['github'] }),
          provider_organization_id: Type.String(),
          role: Type.Union([
            Type.Literal('cr_admin'),
            Type.Literal('cr_member'),
            Type.Literal('cr_billing_admin'),
          ]),
          role_name: Type.String(),
        },
        closed,
      ),
      { description: 'Active organizations by name, at most 1,000. Workspace admins act in all of them.' },
    ),
    workspace_admin: Type.Boolean({ description: 'May pass `all` in `x-scholiast-organization`.' }),
    expires_at: { ...Time, description: 'Each request moves it, up to 24 hours after the sign-in.' },
    fresh_until: Type.Union([Time, Type.Null()], {
      description:
        'Until then, requests that need a recent sign-in are accepted; later ones are 403 REAUTHENTICATION_REQUIRED. ' +
        'null if the identity provider did not say when you signed in: such requests are refused.',
    }),
  },
  closed,
)

export const SessionList = Type.Object(
  {
    data: Type.Array(
      Type.Object(
        {
          id: Type.String({ format: 'uuid' }),
          method: Type.Union([Type.Literal('provider'), Type.Literal('passkey'), Type.Literal('link')]),
          issuer: Type.Union([Type.String(), Type.Null()]),
          user_agent: Type.String(),
          created_at: Time,
          last_used_at: { ...Time, description: 'Up to one minute behind.' },
          expires_at: Time,
          current: Type.Boolean({ description: 'Whether this request was sent in it.' }),
        },
        closed,
      ),
      { description: 'The most recently used first, at most 100.' },
    ),
  },
  closed,
)

export const SessionPath = Type.Object(
  { session_id: Type.String({ format: 'uuid', description: 'ID of one of your sessions.' }) },
  closed,
)
