import { Type } from 'typebox'
import { allPermissions } from '../../../access/permissions.ts'
import { errorCodes } from '../../../errors.ts'
import { closed } from '../../../shape.ts'
import { keyFields } from '../schema.ts'

const verdict = {
  allowed: Type.Boolean(),
  code: Type.Union([Type.Null(), ...errorCodes.map((code) => Type.Literal(code))], {
    description: 'null if allowed, else the error code that a valid request returns.',
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
      { ...closed, description: 'Workspace, self-hosted instance or organization that owns the data.' },
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
          { description: 'The first 100 by ID. GET /v1/organizations returns all.' },
        ),
      },
      { ...closed, description: 'Active organizations that the key can see.' },
    ),
    admin: Type.Boolean({ description: 'Whether the key has admin access.' }),
    permissions: Type.Array(Type.Union(allPermissions.map((permission) => Type.Literal(permission))), {
      description: 'Effective permissions: those granted to the key that the role of its owner also allows.',
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
        description: 'Tools for agents at /mcp.',
      },
    ),
  },
  closed,
)
