import type { Get } from '@scholiast/sdk'
import { useQuery } from '@tanstack/react-query'
import { client } from '../api/client.ts'
import { apiQuery } from '../api/query.ts'
import { useWrite } from '../api/write.ts'
import { serviceUrl } from '../base.ts'
import { Button } from '../ui/button.tsx'
import { formatTime } from '../ui/format.ts'
import { Load } from '../ui/load.tsx'
import { Failure } from '../ui/problem.tsx'
import { Table } from '../ui/table.tsx'
import styles from './frame.module.css'
import { useOrganization } from './use-organization.ts'

type Session = Get<'/v1/sessions'>['data'][number]

const methods: Readonly<Record<Session['method'], string>> = {
  provider: 'identity provider',
  passkey: 'passkey',
  link: 'sign-in link',
}

/** The browsers in which the person is signed in. Ending a session acts on its next request. */
export function YourSignIn() {
  const organization = useOrganization()
  const sessions = useQuery(apiQuery(organization, '/v1/sessions', {}))
  const end = useWrite((session_id: string, headers) =>
    client.delete('/v1/sessions/{session_id}', { params: { session_id }, headers }),
  )
  return (
    <>
      <Load query={sessions} what="sessions">
        {({ data }) => (
          <Table
            caption="Your sessions"
            items={data}
            keyOf={({ id }) => id}
            columns={[
              { head: 'Browser', wide: true, cell: ({ user_agent }) => describeBrowser(user_agent) },
              { head: 'Signed in with', cell: ({ method, issuer }) => issuer ?? methods[method] },
              { head: 'Last used', cell: ({ last_used_at }) => formatTime(last_used_at) },
              { head: 'Ends', cell: ({ expires_at }) => formatTime(expires_at) },
              {
                head: 'Action',
                cell: (session) =>
                  session.current ? (
                    'this browser'
                  ) : (
                    <Button
                      kind="link"
                      busy={end.isPending}
                      label={`End the session in ${describeBrowser(session.user_agent)}, last used ${formatTime(session.last_used_at)}`}
                      onClick={() => end.mutate(session.id)}
                    >
                      End
                    </Button>
                  ),
              },
            ]}
          />
        )}
      </Load>
      {end.error === null ? null : <Failure error={end.error} title="The session was not ended." />}
      <p className={styles['more']}>
        A session ends 8 hours after its last use, and no later than 24 hours after sign-in. End any session
        that you do not recognize, and tell an admin.
      </p>
      <p className={styles['more']}>
        <a href={new URL('auth/passkeys/new', serviceUrl).href}>Your passkeys</a>: add one for this device, or
        remove one you lost. That page requires a sign-in within the last 10 minutes.
      </p>
    </>
  )
}

const browsers = [
  ['Edg/', 'Edge'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const
const systems = ['Windows', 'Android', 'iPhone', 'iPad', 'Mac OS', 'Linux'] as const

/** `Firefox on Linux`; the text of the browser itself where it is none of the usual ones. */
function describeBrowser(userAgent: string): string {
  const browser = browsers.find(([mark]) => userAgent.includes(mark))?.[1]
  const system = systems.find((mark) => userAgent.includes(mark))
  if (browser === undefined) return userAgent.slice(0, 60) || 'unknown'
  return system === undefined ? browser : `${browser} on ${system}`
}
