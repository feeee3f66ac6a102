import { client } from '../../api/client.ts'
import { useWrite } from '../../api/write.ts'
import { useOrganization } from '../../frame/use-organization.ts'
import { type Outcome, sendBatches } from './batch.tsx'
import type { Person } from './people-query.ts'

interface SeatChange {
  readonly action: 'assign' | 'unassign'
  readonly people: readonly Person[]
}

/** Assigns or releases seats. In the whole workspace people are named by `cr_user_id`, in an organization by account. */
export function useSeatChange() {
  const organization = useOrganization()
  return useWrite<SeatChange, Outcome>(async ({ action, people }, headers) => {
    const result = await sendBatches(
      people.map(({ id }) => id),
      (ids) =>
        client.post('/v1/users/seats', {
          headers,
          body:
            organization === 'all'
              ? { action, members: ids.map((cr_user_id) => ({ cr_user_id })) }
              : { action, user_ids: ids },
        }),
    )
    return { ...result, people, done: action === 'assign' ? 'has a seat' : 'has no seat' }
  })
}
