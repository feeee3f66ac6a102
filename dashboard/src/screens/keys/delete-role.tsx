import { client } from '../../api/client.ts'
import { useWrite } from '../../api/write.ts'
import { Button } from '../../ui/button.tsx'
import { DialogActions } from '../../ui/dialog.tsx'
import { formatCounted } from '../../ui/format.ts'
import { Failure } from '../../ui/problem.tsx'
import type { Role } from './role-permissions.ts'

export function DeleteRole({ role, onClose }: { readonly role: Role; readonly onClose: () => void }) {
  const remove = useWrite((role_id: string, headers) =>
    client.delete('/v1/roles/{role_id}', { params: { role_id }, headers }),
  )
  const people = role.user_count ?? 0
  return (
    <>
      <p>
        {people === 0
          ? 'Nobody has this role. This cannot be undone.'
          : `${formatCounted(people, 'person has', 'people have')} this role. Give them another one first: the service refuses to delete a role that is in use.`}
      </p>
      {remove.error === null ? null : <Failure error={remove.error} title="The role was not deleted." />}
      <DialogActions>
        <Button
          kind="danger"
          busy={remove.isPending}
          onClick={() => remove.mutate(role.id, { onSuccess: onClose })}
        >
          {remove.isPending ? 'Deleting…' : 'Delete the role'}
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </DialogActions>
    </>
  )
}
