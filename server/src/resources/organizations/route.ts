import { defineEndpoint } from '../../http/endpoint.ts'
import { NoPath } from '../../shape.ts'
import { organizationsExample, repositoriesExample } from './examples.ts'
import { listOrganizations, listRepositories } from './list.ts'
import { OrganizationPage, OrganizationPath, PageQuery, RepositoryPage } from './schema.ts'

const paging = { defaultLimit: 100, limitInCursor: true } as const

const keys = {
  organization: 'allowed',
  user: 'allowed',
  workspace: 'allowed',
  instance: 'allowed',
  legacy: 'LEGACY_API_KEY',
  agentic: 'allowed',
} as const

export const organizations = defineEndpoint({
  method: 'GET',
  path: '/v1/organizations',
  operationId: 'listOrganizations',
  example: organizationsExample,
  summary: 'List organizations',
  description:
    'Returns the active organizations that the key can see, ordered by ID: for an organization, user or agentic key the ' +
    'one it is bound to, for a workspace token all of the workspace, for an instance key those it is authorized for.',
  tag: 'Organizations',
  keys,
  organization: 'whole',
  plan: 'enterprise',
  permission: 'organization_management:read',
  admin: false,
  limit: 'organizations',
  readsWithAdmission: true,
  errorBody: 'error',
  params: NoPath,
  query: PageQuery,
  body: null,
  paging,
  replies: { 200: { description: 'A page of organizations.', body: OrganizationPage } },
  refusals: ['INVALID_CURSOR'],
  run: listOrganizations,
})

export const repositories = defineEndpoint({
  method: 'GET',
  path: '/v1/organizations/{organization_id}/repositories',
  operationId: 'listRepositories',
  example: repositoriesExample,
  summary: 'List repositories of an organization',
  description: 'Returns the active repositories of one organization that the key can see, ordered by ID.',
  tag: 'Organizations',
  keys,
  organization: 'path',
  plan: 'enterprise',
  permission: 'repository_management:read',
  admin: false,
  limit: 'repositories',
  readsWithAdmission: true,
  errorBody: 'error',
  params: OrganizationPath,
  query: PageQuery,
  body: null,
  paging,
  replies: { 200: { description: 'A page of repositories.', body: RepositoryPage } },
  refusals: ['INVALID_CURSOR', 'ORGANIZATION_NOT_FOUND'],
  run: listRepositories,
})
