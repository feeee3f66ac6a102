import { createLink } from '../src/resources/people/links/manage.ts'
import { addMember } from './seats/test-seats.ts'
import type { Tenant } from './tenant.ts'

/** What acceptance/sign-in.test.ts needs of a tenant of its own. */
export async function createSignInData(tenant: Tenant, publicUrl: string) {
  const { root, admin, organizations } = tenant.workspace
  const [organization, otherOrganization] = organizations
  const { person: member } = await addMember(tenant, [organization])
  const { person: colleague } = await addMember(tenant, [organization])
  const { person: spare } = await addMember(tenant, [organization])
  const create = async (person: string) => {
    const link = { purpose: 'sign_in', minutes: 60 } as const
    const { value } = await tenant.change(root, (change) => createLink(change, person, link))
    return `${publicUrl}/auth/links/${value}`
  }
  const { value: key } = await tenant.createKey('user')
  return {
    publicUrl,
    adminLink: await create(admin),
    memberLink: await create(member),
    colleagueLink: await create(colleague),
    spareLink: await create(spare),
    organization: organization.id,
    otherOrganization: otherOrganization?.id ?? '',
    foreignOrganization: tenant.alone.organizations[0].id,
    key,
  }
}
