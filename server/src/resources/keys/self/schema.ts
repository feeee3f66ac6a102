import { Type } from 'typebox'
import { allPermissions } from '../../../access/permissions.ts'
import { errorCodes } from '../../../errors.ts'
import { closed } from '../../../shape.ts'
import { keyFields } from '../schema.ts'

const verdict = {
  allowed: Type.Boolean(),
  code: Type.Union([Type.Null(), ...errorCodes.map((code) => Type.Literal(code))], {
    description: 'null, or the code with which a good request is refused.',
    examples: ['NOT_ADMIN'],
  }),
}

const { org_id: _, ...facts } = keyFields

export const KeySelf = Type.Object(
  {
    ...facts,
    tenant_root: Type.Object(
      {
        id: Type.String({ format: 'uuid' }),
        kind: Type.Union([Type.Literal('workspace'), Type.Literal('instance'), Type.Literal('organization')]),
        name: Type.String(),
        plan: Type.Union([Type.Literal('free'), Type.Literal('pro'), Type.Literal('enterprise')]),
        subscription_active: Type.Boolean(),
      },
      { ...closed, description: 'The workspace, self-hosted instance or organization whose data it is.' },
    ),
    organizations: Type.Object(
      {
        count: Type.Integer({ minimum: 0 }),
        first: Type.Array(
          Type.Object(
            {
              id: Type.String({ format: 'uuid' }),
              name: Type.String(),
              provider: Type.String({ examples: ['github'] }),
              provider_organization_id: Type.String(),
            },
            closed,
          ),
          { description: 'By id, at most 100; GET /v1/organizations has all.' },
        ),
      },
      { ...closed, description: 'Active organizations that it sees.' },
    ),
    admin: Type.Boolean({ description: 'Whether it counts as Admin.' }),
    permissions: Type.Array(Type.Union(allPermissions.map((permission) => Type.Literal(permission))), {
      description: 'What it has now: what it was given and what its owner’s role allows, both.',
    }),
    endpoints: Type.Array(
      Type.Object(
        {
          method: Type.String({ examples: ['GET'] }),
          path: Type.String({ examples: ['/v1/organizations'] }),
          ...verdict,
        },
        closed,
      ),
    ),
    tools: Type.Array(
      Type.Object({ name: Type.String({ examples: ['search_learnings'] }), ...verdict }, closed),
      {
        description: 'What agents are offered at /mcp.',
      },
    ),
  },
  closed,
)
