// Organizations and repositories that the key can see.
import type { Item } from '@scholiast/sdk'
import { collect } from './collect.ts'
import type { CliContext } from './context.ts'
import { CliError, exitCodes } from './exit.ts'

type Organization = Item<'/v1/organizations'>
export type Repository = Item<'/v1/organizations/{organization_id}/repositories'> & {
  readonly organization: Organization
}

/** By name: the order of the service is that of ids, which mean nothing to people. */
export async function readOrganizations(context: CliContext): Promise<Organization[]> {
  return (await collect(context.client().items('/v1/organizations'))).sort(compareNames)
}

/** Repositories of the organization of --org, or of all organizations. */
export async function readRepositories(context: CliContext): Promise<Repository[]> {
  const { org_id: selected } = context.selectOrganization()
  const organizations = (await readOrganizations(context)).filter(
    (organization) =>
      selected === undefined ||
      [
        organization.provider_organization_id,
        `${organization.provider}:${organization.provider_organization_id}`,
      ].includes(selected),
  )
  if (organizations.length === 0) {
    const what = selected === undefined ? 'any organization' : `the organization ${selected}`
    throw new CliError(`The key cannot see ${what}.`, {
      next: 'Run "scholiast organizations list" for the IDs.',
      exitCode: exitCodes.notFound,
    })
  }
  const repositories: Repository[] = []
  const path = '/v1/organizations/{organization_id}/repositories'
  for (const organization of organizations) {
    const params = { organization_id: organization.id }
    const found = (await collect(context.client().items(path, { params }))).sort(compareNames)
    repositories.push(...found.map((repository) => ({ ...repository, organization })))
  }
  return repositories
}

function compareNames(a: { readonly name: string }, b: { readonly name: string }): number {
  return a.name.localeCompare(b.name, 'en')
}
