import { Type } from 'typebox'
import { closed } from '../../shape.ts'

export const PageQuery = Type.Object(
  {
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 100,
        default: 100,
        description:
          'Entries per page. Default 100. Pages read with a cursor use the limit of the first page.',
      }),
    ),
    cursor: Type.Optional(Type.String({ description: 'next_cursor of the previous page, unchanged.' })),
  },
  closed,
)

export const OrganizationPath = Type.Object(
  {
    organization_id: Type.String({
      format: 'uuid',
      description:
        'UUID of the organization in this service: `id` of GET /v1/organizations, not the ID assigned by the Git provider.',
    }),
  },
  closed,
)

const NextCursor = Type.Union([Type.String(), Type.Null()], { description: 'null on the last page.' })

const Organization = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    name: Type.String({ examples: ['Meridian Platform'] }),
    provider: Type.String({
      description: 'Kind of Git provider, for example github or gitlab.',
      examples: ['github'],
    }),
    provider_organization_id: Type.String({
      description: 'ID assigned by the Git provider. Other endpoints call it org_id.',
    }),
  },
  closed,
)

const Repository = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    name: Type.String({ examples: ['booking-api'] }),
    provider: Type.String({ examples: ['github'] }),
    provider_repository_id: Type.String({
      description: 'ID assigned by the Git provider. Other endpoints call it repository_id.',
    }),
    private: Type.Boolean(),
  },
  closed,
)

export const OrganizationPage = Type.Object(
  { organizations: Type.Array(Organization), next_cursor: NextCursor },
  closed,
)

export const RepositoryPage = Type.Object(
  { repositories: Type.Array(Repository), next_cursor: NextCursor },
  closed,
)
