import { Type } from 'typebox'
import { closed } from '../../shape.ts'

export const PageQuery = Type.Object(
  {
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 100,
        default: 100,
        description: 'Entries per page. Default 100; a cursor keeps it.',
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
        'Service UUID of the organization: `id` of GET /v1/organizations, not the id of the Git provider.',
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
      description: 'Kind of Git provider, as in github or gitlab.',
      examples: ['github'],
    }),
    provider_organization_id: Type.String({
      description: 'ID assigned by the Git provider: org_id elsewhere.',
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
      description: 'ID assigned by the Git provider: repository_id elsewhere.',
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
