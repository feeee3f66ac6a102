import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type LoaderFunctionArgs, useSearchParams } from 'react-router'
import { queryClient } from '../../api/query.ts'
import { useOrganization } from '../../frame/use-organization.ts'
import { formatCount, formatCounted } from '../../ui/format.ts'
import { Load } from '../../ui/load.tsx'
import { Headline, Note, Page, Row } from '../../ui/page.tsx'
import { CopyCurl, SaveCsv } from '../../ui/share.tsx'
import { type Outcome } from './batch.tsx'
import { NoPeople } from './no-people.tsx'
import { PeopleDialog } from './people-dialog.tsx'
import {
  type People,
  type Person,
  peopleQuery,
  readPeople,
  readPeopleFilters,
  USERS,
} from './people-query.ts'
import { PeopleTable } from './people-table.tsx'
import { SeatMeter } from './seat-meter.tsx'
import { SeatRules } from './seat-rules.tsx'
import type { PeopleTask } from './task.ts'

export function loader({ params, request }: LoaderFunctionArgs) {
  const filters = readPeopleFilters(new URL(request.url).searchParams)
  void queryClient.prefetchInfiniteQuery(peopleQuery(params['organization'] ?? '', filters))
  return null
}

/** Who has what? */
export function Component() {
  const organization = useOrganization()
  const [search] = useSearchParams()
  const filters = readPeopleFilters(search)
  const query = useInfiniteQuery(peopleQuery(organization, filters))
  const [task, setTask] = useState<PeopleTask | null>(null)
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const isFiltered = filters.seat_filter !== 'all' || filters.role_filter !== 'all'
  const finish = (next: Outcome) => {
    setOutcome(next)
    setTask(null)
  }
  return (
    <Page
      title="People and seats"
      tools={
        <>
          <CopyCurl read={{ path: USERS, query: { ...filters, limit: 100 } }} />
          <SaveCsv
            name="people"
            rows={async () => toRows((await readPeople(organization, filters)).people)}
          />
        </>
      }
    >
      <Load query={query} what="people">
        {(data) =>
          data === undefined ? null : data.people.length === 0 && !isFiltered ? (
            <NoPeople />
          ) : (
            <>
              <Seats data={data} hasMore={query.hasNextPage} />
              <PeopleTable
                people={data.people}
                outcome={outcome}
                onOutcome={setOutcome}
                onTask={setTask}
                more={
                  query.hasNextPage
                    ? { busy: query.isFetchingNextPage, load: () => void query.fetchNextPage() }
                    : null
                }
              />
              <SeatRules mode={data.mode} onTask={setTask} />
            </>
          )
        }
      </Load>
      <PeopleDialog task={task} onTask={setTask} onDone={finish} />
    </Page>
  )
}

function Seats({ data, hasMore }: { readonly data: People; readonly hasMore: boolean }) {
  const { purchased, assigned, people, mode } = data
  const waiting = people.filter(({ requestedAt }) => typeof requestedAt === 'string').length
  const unseen = people.filter(({ lastActiveAt }) => lastActiveAt === null).length
  const listed = `${hasMore ? 'Of the first' : 'Of'} ${formatCounted(people.length, 'person', 'people')} listed`
  return (
    <Row
      notes={
        <Note>
          <b>One seat per person.</b> Seats belong to the whole tenant: somebody in three organizations uses
          one seat, and all of their accounts show it.
        </Note>
      }
    >
      <Headline
        more={
          mode === null
            ? 'Seat requests and activity are recorded per organization. Choose one at the top left to see them.'
            : `${listed}, ${describeWaiting(waiting)} and ${describeUnseen(unseen)}.`
        }
      >
        {assigned >= purchased ? (
          <>
            <b>All {formatCounted(purchased, 'seat')}</b> {purchased === 1 ? 'is' : 'are'} in use: the next
            person gets one only when somebody gives one up.
          </>
        ) : (
          <>
            <b>{formatCount(assigned)}</b> of <b>{formatCount(purchased)}</b> seats are used.
          </>
        )}
      </Headline>
      <SeatMeter assigned={assigned} purchased={purchased} />
    </Row>
  )
}

function describeWaiting(count: number): string {
  if (count === 0) return 'nobody is waiting for a seat'
  return `${formatCount(count)} ${count === 1 ? 'is' : 'are'} waiting for a seat`
}

function describeUnseen(count: number): string {
  if (count === 0) return 'everybody has been seen at least once'
  return `${formatCount(count)} ${count === 1 ? 'has' : 'have'} never been seen`
}

function toRows(people: readonly Person[]) {
  return [
    ['id', 'name', 'username', 'email', 'active', 'role', 'seat', 'last_active_at', 'seat_requested_at'],
    ...people.map((person) => [
      person.id,
      person.name,
      person.username,
      person.email,
      person.active,
      person.roleName,
      person.seat,
      person.lastActiveAt ?? null,
      person.requestedAt ?? null,
    ]),
  ]
}
