import { useQuery } from '@tanstack/react-query'
import { useLocation, useNavigate } from 'react-router'
import { sessionQuery } from '../api/query.ts'
import styles from './frame.module.css'
import { useOrganization } from './use-organization.ts'

export const ALL = 'all'

/** The same screen of another organization. Filters do not go along: they name things of this one. */
export function OrganizationSwitch() {
  const organization = useOrganization()
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const { data } = useQuery(sessionQuery)
  if (data === undefined) return null
  const screen = pathname.split('/')[2] ?? 'overview'
  return (
    <select
      className={styles['switch']}
      aria-label="Organization"
      value={organization}
      onChange={(event) => void navigate(`/${event.target.value}/${screen}`)}
    >
      {data.organizations.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
      {data.workspace_admin ? <option value={ALL}>All organizations</option> : null}
    </select>
  )
}
