import { Type } from 'typebox'
import { allPermissions } from '../../../access/permissions.ts'
import { errorCodes } from '../../../errors.ts'
import { closedObject, literals } from '../../../shape.ts'
import { keyFields } from '../schema.ts'

const verdict = {
  allowed: Type.Boolean(),
  code: Type.Union([Type.Null(), ...errorCodes.map((code) => Type.Literal(code))], {
    description: 'null if allowed, else the error code that a valid request returns.',
    examples: ['NOT_ADMIN'],
  }),
}

const { org_id: _, ...facts } = keyFields

export const KeySelf = closedObject({
  ...facts,
  tenant_root: closedObject(
    {
      id: Type.String({ format: 'uuid' }),
      kind: literals(['workspace', 'instance', 'organization']),
      name: Type.String(),
      plan: literals(['free', 'pro', 'enterprise']),
      subscription_active: Type.Boolean(),
    },
    { description: 'Workspace, self-hosted instance or organization that owns the data.' },
  ),
  organizations: closedObject(
    {
      count: Type.Integer({ minimum: 0 }),
      first: Type.Array(
        closedObject({
          id: Type.String({ format: 'uuid' }),
          name: Type.String(),
          provider: Type.String({ examples: ['github'] }),
          provider_organization_id: Type.String(),
        }),
        { description: 'The first 100 by ID. GET /v1/organizations returns all.' },
      ),
    },
    { description: 'Active organizations that the key can see.' },
  ),
  admin: Type.Boolean({ description: 'Whether the key has admin access.' }),
  permissions: Type.Array(literals(allPermissions), {
    description: 'Effective permissions: those granted to the key that the role of its owner also allows.',
  }),
  endpoints: Type.Array(
    closedObject({
      method: Type.String({ examples: ['GET'] }),
      path: Type.String({ examples: ['/v1/organizations'] }),
      ...verdict,
    }),
  ),
  tools: Type.Array(closedObject({ name: Type.String({ examples: ['search_learnings'] }), ...verdict }), {
    description: 'Tools for agents at /mcp.',
  }),
})
