import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { type Access, useAccess } from '../../api/access.ts'
import { createLoader, queryClient, sessionQuery } from '../../api/query.ts'
import { serviceUrl, signInHref } from '../../base.ts'
import { ALL } from '../../frame/organization-switch.tsx'
import { useOrganization } from '../../frame/use-organization.ts'
import { screenPath } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { formatCounted, formatDate, formatDaysFromNow } from '../../ui/format.ts'
import { Command, Empty, Load } from '../../ui/load.tsx'
import { Headline, Note, Page, Row, Section } from '../../ui/page.tsx'
import { readAllPages, usePages } from '../../ui/pages.ts'
import { CopyCurl, SaveCsv } from '../../ui/share.tsx'
import { Table } from '../../ui/table.tsx'
import { KeyDialog, type OpenDialog } from './key-dialog.tsx'
import {
  describeLastUse,
  describeValue,
  expiresSoon,
  isUnused,
  type Key,
  SOON_DAYS,
  sortByExpiry,
  UNUSED_DAYS,
} from './key-facts.ts'
import styles from './keys.module.css'
import { keysQuery, permissionsQuery, rolesQuery } from './queries.ts'
import { Roles } from './roles.tsx'

export const loader = createLoader((organization) => [
  keysQuery(organization),
  ...(organization === ALL ? [] : [rolesQuery(organization), permissionsQuery(organization)]),
])

/** What expires, and who may do what? */
export function Component() {
  const organization = useOrganization()
  const { query, items, loadMore } = usePages((cursor) => keysQuery(organization, cursor))
  const [dialog, setDialog] = useState<OpenDialog | null>(null)
  const create = useAccess('POST', '/v1/keys')
  return (
    <Page
      title="Keys and roles"
      tools={
        <>
          <Button kind="main" access={create} onClick={() => setDialog({ kind: 'create' })}>
            Create a key
          </Button>
          <Button onClick={() => setDialog({ kind: 'access' })}>What you may do</Button>
          <CopyCurl read={{ path: '/v1/keys' }} />
          <SaveCsv
            name="keys"
            rows={async () =>
              toRows(await readAllPages((cursor) => queryClient.fetchQuery(keysQuery(organization, cursor))))
            }
          />
        </>
      }
    >
      {create.needsSignIn === true ? (
        <p className={styles['warning']}>
          Your sign-in is older than 10 minutes. To create or rotate keys and to change roles,{' '}
          <a href={signInHref({ fresh: true })}>sign in again</a>.
        </p>
      ) : null}
      <Load query={query} what="keys">
        {() =>
          items.length === 0 ? (
            <NoKeys />
          ) : (
            <>
              <Summary keys={items} isPart={loadMore !== null} />
              <Section
                title="Keys, the next to expire first"
                wide
                notes={
                  <>
                    <Note>
                      <b>Last used</b> is up to one minute behind. Only active keys are listed; expired and
                      revoked keys are in the <Link to={screenPath(organization, 'audit')}>audit log</Link>.
                    </Note>
                    <Note>
                      <b>Only its owner</b> can rotate a key, because the new value acts for that person.
                    </Note>
                  </>
                }
              >
                <KeyTable keys={sortByExpiry(items)} onOpen={setDialog} />
                {loadMore === null ? null : <Button onClick={loadMore}>Show more keys</Button>}
              </Section>
            </>
          )
        }
      </Load>
      <Roles />
      <KeyDialog dialog={dialog} onChange={setDialog} />
    </Page>
  )
}

interface SummaryProps {
  readonly keys: readonly Key[]
  readonly isPart: boolean
}

function Summary({ keys, isPart }: SummaryProps) {
  const soon = keys.filter(expiresSoon).length
  const unused = keys.filter(isUnused).length
  const endless = keys.filter(({ expires_at }) => expires_at === null).length
  return (
    <Row
      notes={
        unused > 0 ? (
          <Note>
            <b>A key that nobody uses</b> is a risk without a benefit. Revoke it; its owner can make a new
            one.
          </Note>
        ) : null
      }
    >
      <Headline
        more={
          <>
            {endless === 0
              ? 'Every key expires.'
              : `${formatCounted(endless, 'key never expires', 'keys never expire')}.`}
            {isPart ? ` These figures cover only the first ${formatCounted(keys.length, 'key')}.` : ''}
          </>
        }
      >
        Of <b>{formatCounted(keys.length, 'key')}</b>, <b>{soon}</b> {soon === 1 ? 'expires' : 'expire'}{' '}
        within {SOON_DAYS} days and <b>{unused}</b> {unused === 1 ? 'has' : 'have'} not been used for{' '}
        {UNUSED_DAYS} days.
      </Headline>
    </Row>
  )
}

interface KeyTableProps {
  readonly keys: readonly Key[]
  readonly onOpen: (dialog: OpenDialog) => void
}

function KeyTable({ keys, onOpen }: KeyTableProps) {
  const rotate = useAccess('POST', '/v1/keys/{key_id}/rotate')
  const revoke = useAccess('DELETE', '/v1/keys/{key_id}')
  const { data: session } = useQuery(sessionQuery)
  return (
    <Table
      caption="Keys"
      items={keys}
      keyOf={({ id }) => id}
      columns={[
        {
          head: 'Name and kind',
          wide: true,
          cell: (key) => (
            <span className={styles['name']}>
              <Button kind="link" onClick={() => onOpen({ kind: 'details', key })}>
                {key.name}
              </Button>
              <span className={styles['hint']}>{key.kind}</span>
            </span>
          ),
        },
        { head: 'Key', cell: (key) => <code>{describeValue(key)}</code> },
        { head: 'Owner', cell: ({ owner }) => owner?.name ?? 'none' },
        { head: 'Created', cell: ({ created_at }) => formatDate(created_at) },
        {
          head: 'Expires',
          cell: (key) => (
            <span className={expiresSoon(key) ? styles['soon'] : styles['stack']}>
              {key.expires_at === null ? 'never' : formatDate(key.expires_at)}
              {key.expires_at !== null && expiresSoon(key) ? (
                <span>{formatDaysFromNow(key.expires_at)}</span>
              ) : null}
            </span>
          ),
        },
        {
          head: 'Last used',
          cell: (key) => (
            <span className={isUnused(key) ? styles['soon'] : styles['stack']}>{describeLastUse(key)}</span>
          ),
        },
        {
          head: 'Actions',
          actions: true,
          cell: (key) => (
            <span className={styles['actions']}>
              <Button
                kind="link"
                label={`Rotate ${key.name}`}
                access={forOwner(rotate, key, session?.person.cr_user_id)}
                onClick={() => onOpen({ kind: 'rotate', key })}
              >
                Rotate
              </Button>
              <Button
                kind="link"
                label={`Revoke ${key.name}`}
                access={revoke}
                onClick={() => onOpen({ kind: 'revoke', key })}
              >
                Revoke
              </Button>
            </span>
          ),
        },
      ]}
    />
  )
}

/** A new value acts for the owner, so nobody else gets one. */
function forOwner(access: Access, { owner }: Key, person: string | undefined): Access {
  if (!access.allowed || owner?.cr_user_id === person) return access
  const name = owner === null ? 'The operator of the service' : `Its owner, ${owner.name},`
  return { allowed: false, reason: `${name} can rotate it. You can revoke it.` }
}

function NoKeys() {
  return (
    <Empty title="No keys yet">
      <p>Create one with the button above. Then see what it can do, with its value in the variable:</p>
      <Command>{`curl -H "x-service-api-key: $SCHOLIAST_API_KEY" '${new URL('v1/keys/self', serviceUrl).href}'`}</Command>
    </Empty>
  )
}

function toRows(keys: readonly Key[]) {
  return [
    ['id', 'name', 'kind', 'prefix', 'last_four', 'owner', 'created_at', 'expires_at', 'last_used_at'],
    ...sortByExpiry(keys).map((key) => [
      key.id,
      key.name,
      key.kind,
      key.prefix,
      key.last_four,
      key.owner?.name ?? null,
      key.created_at,
      key.expires_at,
      key.last_used_at,
    ]),
  ]
}
