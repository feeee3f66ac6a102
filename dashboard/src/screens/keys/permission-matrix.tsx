import { Fragment } from 'react'
import styles from './permission-matrix.module.css'
import { hasPermission, type KnownPermissions, nameResource, type Role } from './role-permissions.ts'

interface PermissionMatrixProps {
  readonly roles: readonly Role[]
  readonly known: KnownPermissions
}

/** Permissions by role. The names stay in view when it scrolls. */
export function PermissionMatrix({ roles, known }: PermissionMatrixProps) {
  return (
    // It is wider than the page with many roles, so it can have the focus.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className={styles['scroll']} role="region" aria-label="Permissions by role" tabIndex={0}>
      <table className={styles['matrix']}>
        <caption className="visually-hidden">Permissions by role</caption>
        <thead>
          <tr>
            <th scope="col">Resource</th>
            <th scope="col">Access</th>
            {roles.map(({ id, name }) => (
              <th key={id} scope="col" className={styles['role']}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        {known.resource_ids.map((resource) => (
          <tbody key={resource}>
            {known.access_types.map((access, index) => (
              <tr key={access}>
                {index === 0 ? (
                  <th scope="rowgroup" rowSpan={known.access_types.length}>
                    {nameResource(resource)}
                  </th>
                ) : null}
                <th scope="row">{access}</th>
                {roles.map((role) => (
                  <Fragment key={role.id}>
                    <Cell allowed={hasPermission(role, `${resource}:${access}`)} />
                  </Fragment>
                ))}
              </tr>
            ))}
          </tbody>
        ))}
      </table>
    </div>
  )
}

function Cell({ allowed }: { readonly allowed: boolean }) {
  return (
    <td className={styles['cell']} data-allowed={allowed || undefined}>
      {allowed ? 'yes' : '–'}
      {allowed ? null : <span className="visually-hidden">no</span>}
    </td>
  )
}
