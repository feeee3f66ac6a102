import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { sessionQuery } from '../../api/query.ts'
import { describeRole } from './describe.ts'
import styles from './people.module.css'
import type { Person } from './people-query.ts'

/** `Meridian Platform: Admin`, for each organization. */
export function Memberships({ accounts }: Pick<Person, 'accounts'>): ReactNode {
  const { data } = useQuery(sessionQuery)
  const nameOf = ({ provider, org_id }: Person['accounts'][number]) =>
    data?.organizations.find((one) => one.provider === provider && one.provider_organization_id === org_id)
      ?.name ?? `${provider} ${org_id}`
  if (accounts.length === 0) return 'none'
  return accounts.map((account, index) => (
    <span key={`${account.provider} ${account.org_id}`} className={styles['membership']}>
      {nameOf(account)}: {describeRole(account.role, account.role_name)}
      {index < accounts.length - 1 ? ', ' : ''}
    </span>
  ))
}
