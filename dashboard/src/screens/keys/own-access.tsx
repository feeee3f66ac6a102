import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { selfQuery } from '../../api/query.ts'
import { useOrganization } from '../../frame/use-organization.ts'
import { explainRefusal } from '../../texts.ts'
import { Load } from '../../ui/load.tsx'
import { CopyCurl } from '../../ui/share.tsx'
import { Table } from '../../ui/table.tsx'
import styles from './keys.module.css'

/** Every endpoint, and whether a request of this session is allowed. The service decides; nothing is worked out here. */
export function OwnAccess() {
  const self = useQuery(selfQuery(useOrganization()))
  const [onlyRefused, setOnlyRefused] = useState(false)
  return (
    <Load query={self} what="permissions">
      {({ endpoints, permissions, kind, organizations }) => {
        const refused = endpoints.filter(({ allowed }) => !allowed)
        return (
          <>
            <p>
              You act like a {kind} key in{' '}
              {organizations.count === 1
                ? organizations.first[0]?.name
                : `${organizations.count} organizations`}
              , with {permissions.length} permissions. You can call {endpoints.length - refused.length} of{' '}
              {endpoints.length} endpoints.
            </p>
            <p className={styles['tools']}>
              <label className={styles['check']}>
                <input
                  type="checkbox"
                  checked={onlyRefused}
                  onChange={({ target }) => setOnlyRefused(target.checked)}
                />{' '}
                Only what is refused
              </label>
              <CopyCurl read={{ path: '/v1/keys/self' }} />
            </p>
            <Table
              caption="Endpoints and your access"
              items={onlyRefused ? refused : endpoints}
              keyOf={({ method, path }) => `${method} ${path}`}
              columns={[
                {
                  head: 'Endpoint',
                  cell: ({ method, path }) => (
                    <code>
                      {method} {path}
                    </code>
                  ),
                },
                {
                  head: 'Access',
                  wide: true,
                  cell: ({ allowed, code }) => (allowed ? 'allowed' : explainRefusal(code ?? '')),
                },
                { head: 'Code', cell: ({ code }) => (code === null ? '' : <code>{code}</code>) },
              ]}
            />
          </>
        )
      }}
    </Load>
  )
}
