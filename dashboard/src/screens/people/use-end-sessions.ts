import { client } from '../../api/client.ts'
import { useWrite } from '../../api/write.ts'
import { useOrganization } from '../../frame/use-organization.ts'
import type { Person } from './people-query.ts'

/** Signs a person out of all browsers. In an organization, an offboarding that changes nothing says who the account is. */
export function useEndSessions() {
  const organization = useOrganization()
  return useWrite<Person, { readonly ended: number }>(async ({ id }, headers) => {
    const cr_user_id = organization === 'all' ? id : await findPersonId(id, headers)
    return client.delete('/v1/users/{cr_user_id}/sessions', { params: { cr_user_id }, headers })
  })
}

async function findPersonId(user_id: string, headers: Record<string, string>): Promise<string> {
  const body = { member: { user_id }, dry_run: true }
  return (await client.post('/v1/users/offboarding', { body, headers })).person.cr_user_id
}
