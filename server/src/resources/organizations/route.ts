import { allowKeys, defineEndpoint, type RequestContext, requireOrganization } from '../../http/endpoint.ts'
import { pageReply, type Reply } from '../../http/reply.ts'
import examples from './examples.json' with { type: 'json' }
import { OrganizationPage, OrganizationPath, PageQuery, RepositoryPage } from './schema.ts'
import { readOrganizations, readRepositories } from './sql.ts'

async function listOrganizations({ scope, tx, page }: RequestContext): Promise<Reply> {
  return pageReply('organizations', page, await readOrganizations(scope, tx, page))
}

async function listRepositories(context: RequestContext): Promise<Reply> {
  const { scope, tx, page } = context
  const stored = await readRepositories(scope, tx, requireOrganization(context), page)
  return pageReply('repositories', page, stored)
}

const paging = { defaultLimit: 100, limitInCursor: true, boundBy: [] } as const

const keys = allowKeys('organization', 'user', 'workspace', 'instance', 'agentic')

export const organizations = defineEndpoint({
  method: 'GET',
  path: '/v1/organizations',
  operationId: 'listOrganizations',
  example: examples.organizations,
  summary: 'List organizations',
  description:
    'Returns the active organizations that the key can see, ordered by ID: for an organization, user or agentic key the ' +
    'one it is bound to, for a workspace token all of the workspace, for an instance key those it is authorized for.',
  tag: 'Organizations',
  keys,
  organization: 'whole',
  permission: 'organization_management:read',
  admin: false,
  limit: 'organizations',
  readsWithAdmission: true,
  query: PageQuery,
  paging,
  replies: { 200: { description: 'A page of organizations.', body: OrganizationPage } },
  run: listOrganizations,
})

export const repositories = defineEndpoint({
  method: 'GET',
  path: '/v1/organizations/{organization_id}/repositories',
  operationId: 'listRepositories',
  example: examples.repositories,
  summary: 'List repositories of an organization',
  description: 'Returns the active repositories of one organization that the key can see, ordered by ID.',
  tag: 'Organizations',
  keys,
  organization: 'path',
  permission: 'repository_management:read',
  admin: false,
  limit: 'repositories',
  readsWithAdmission: true,
  params: OrganizationPath,
  query: PageQuery,
  paging,
  replies: { 200: { description: 'A page of repositories.', body: RepositoryPage } },
  refusals: ['ORGANIZATION_NOT_FOUND'],
  run: listRepositories,
})
