import { Type } from 'typebox'
import { closedObject, nullable } from '../../shape.ts'

export const PageQuery = closedObject({
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 100,
      default: 100,
      description: 'Entries per page. Default 100. Pages read with a cursor use the limit of the first page.',
    }),
  ),
  cursor: Type.Optional(Type.String({ description: 'next_cursor of the previous page, unchanged.' })),
})

export const OrganizationPath = closedObject({
  organization_id: Type.String({
    format: 'uuid',
    description:
      'UUID of the organization in this service: `id` of GET /v1/organizations, not the ID assigned by the Git provider.',
  }),
})

const NextCursor = nullable(Type.String(), { description: 'null on the last page.' })

const Organization = closedObject({
  id: Type.String({ format: 'uuid' }),
  name: Type.String({ examples: ['Meridian Platform'] }),
  provider: Type.String({
    description: 'Kind of Git provider, for example github or gitlab.',
    examples: ['github'],
  }),
  provider_organization_id: Type.String({
    description: 'ID assigned by the Git provider. Other endpoints call it org_id.',
  }),
})

const Repository = closedObject({
  id: Type.String({ format: 'uuid' }),
  name: Type.String({ examples: ['booking-api'] }),
  provider: Type.String({ examples: ['github'] }),
  provider_repository_id: Type.String({
    description: 'ID assigned by the Git provider. Other endpoints call it repository_id.',
  }),
  private: Type.Boolean(),
})

export const OrganizationPage = closedObject({
  organizations: Type.Array(Organization),
  next_cursor: NextCursor,
})

export const RepositoryPage = closedObject({ repositories: Type.Array(Repository), next_cursor: NextCursor })
