import type { Get } from '@scholiast/sdk'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useOrganization } from '../../frame/use-organization.ts'
import { formatCount, formatSeconds, formatTime } from '../../ui/format.ts'
import { Load } from '../../ui/load.tsx'
import { Note, Section } from '../../ui/page.tsx'
import { FirstEvent } from '../first-event.tsx'
import styles from './audit.module.css'

type Status = Get<'/v1/ingest/status'>

export function Health({ query }: { readonly query: UseQueryResult<Status> }) {
  return (
    <Section title="Is data flowing?" notes={query.data === undefined ? null : <Notes status={query.data} />}>
      <Load query={query} what="event status">
        {(status) => (
          <>
            <dl className={styles['figures']}>
              <Figure label="last event">
                {status.last_event_at === null ? 'none in 30 days' : formatTime(status.last_event_at)}
              </Figure>
              <Figure label="messages waiting" isHidden={status.queued === null}>
                {status.queued === null ? HIDDEN : formatCount(status.queued)}
              </Figure>
              <Figure label="oldest waiting for" isHidden={status.lag_seconds === null}>
                {status.lag_seconds === null ? HIDDEN : describeLag(status.lag_seconds)}
              </Figure>
              <Figure label="to be retried">{formatCount(status.parked)}</Figure>
              <Figure
                label="given up"
                isHidden={status.dead_letters === null}
                isAlarm={(status.dead_letters ?? 0) > 0}
              >
                {status.dead_letters === null ? HIDDEN : formatCount(status.dead_letters)}
              </Figure>
            </dl>
            {status.last_event_at === null ? (
              <>
                <p>To send the first event, create an ingest credential and paste:</p>
                <FirstEvent />
              </>
            ) : null}
          </>
        )}
      </Load>
    </Section>
  )
}

const HIDDEN = 'not visible to you'

function describeLag(seconds: number): string {
  return seconds === 0 ? 'none is waiting' : formatSeconds(seconds)
}

interface FigureProps {
  readonly label: string
  readonly children: ReactNode
  readonly isHidden?: boolean
  readonly isAlarm?: boolean
}

function Figure({ label, children, isHidden = false, isAlarm = false }: FigureProps) {
  const style = isHidden ? styles['hidden'] : isAlarm ? styles['alarm'] : undefined
  return (
    <div>
      <dt>{label}</dt>
      <dd className={style}>{children}</dd>
    </div>
  )
}

function Notes({ status }: { readonly status: Status }) {
  const isWhole = useOrganization() === 'all'
  return (
    <>
      {status.queued === null && !isWhole ? (
        <Note>
          <b>Not visible to you.</b> All organizations share the queue. Workspace admins see it by choosing
          All organizations at the top left.
        </Note>
      ) : null}
      {status.dead_letters === null ? (
        <Note>
          <b>Given up: unknown.</b> Messages of a credential that also sends for other organizations were
          given up. It is not known which organization they belong to.
        </Note>
      ) : null}
      {(status.dead_letters ?? 0) > 0 ? (
        <Note>
          <b>Given up</b> means that the events could not be stored. Nothing is lost: the operator lists them
          with <code>npm run admin -- dead-letters list</code> and can replay them.
        </Note>
      ) : null}
      {status.parked > 0 ? (
        <Note>
          <b>To be retried</b> for about an hour, for example because their repository is not known yet.
        </Note>
      ) : null}
    </>
  )
}
