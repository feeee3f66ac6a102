import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { type Access, useAccess } from '../../api/access.ts'
import { createLoader } from '../../api/query.ts'
import { ALL } from '../../frame/organization-switch.tsx'
import { useOrganization } from '../../frame/use-organization.ts'
import { Button } from '../../ui/button.tsx'
import { RepositoryFilter } from '../../ui/filters.tsx'
import { daysUntil, formatCount, formatCounted, formatDaysFromNow } from '../../ui/format.ts'
import { Command, Empty, Load } from '../../ui/load.tsx'
import { Headline, Note, Page, Row } from '../../ui/page.tsx'
import { CopyCurl } from '../../ui/share.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { importCommand } from './import-command.ts'
import styles from './learnings.module.css'
import { LearningList } from './list.tsx'
import { Pending } from './pending.tsx'
import {
  type Learning,
  listQuery,
  type PendingLearning,
  pendingQuery,
  scopeQuery,
  toListFilters,
  toPendingFilters,
} from './reads.ts'
import { WriteDialog } from './write-dialog.tsx'

type View = 'pending' | 'all'

const ACTIVE_DAYS = 30
const NEW_DAYS = 7
const chooseOne: Access = { allowed: false, reason: 'Choose one organization at the top left.' }

export const loader = createLoader((organization, search) => [
  scopeQuery(organization, search),
  listQuery(organization, search),
])

/** What guides reviews, what waits for me? */
export function Component() {
  const organization = useOrganization()
  const [search] = useSearchParams()
  const access = useAccess('GET', '/v1/learnings/pending')
  const decide = organization === ALL ? chooseOne : access
  const mayDecide = decide.allowed
  const view: View = search.get('view') === 'all' || !mayDecide ? 'all' : 'pending'
  const pending = useQuery({ ...pendingQuery(organization, search), enabled: mayDecide })
  const scope = useQuery(scopeQuery(organization, search))
  const read =
    view === 'pending'
      ? { path: '/v1/learnings/pending', query: toPendingFilters(search) }
      : { path: '/v1/learnings', query: toListFilters(search) }
  return (
    <Page
      title="Learnings"
      tools={
        <>
          <RepositoryFilter />
          <CopyCurl read={read} />
          <WriteButtons />
        </>
      }
    >
      <Load query={scope} what="Learnings">
        {({ data, next_cursor }) => (
          <>
            <Summary
              learnings={data}
              isPartial={next_cursor !== null}
              pending={pending.data}
              decide={decide}
            />
            {data.length === 0 && !hasFilters(search) ? <NoLearnings /> : null}
          </>
        )}
      </Load>
      <Tabs
        label="Views of Learnings"
        tabs={[
          ...(mayDecide
            ? [
                {
                  label: 'Waiting for a decision',
                  search: toView(search, 'pending'),
                  current: view === 'pending',
                },
              ]
            : []),
          { label: 'All Learnings', search: toView(search, 'all'), current: view === 'all' },
        ]}
      />
      {view === 'pending' ? <Pending /> : <LearningList />}
    </Page>
  )
}

function hasFilters(search: URLSearchParams): boolean {
  return search.has('repository_ids')
}

/** Repositories stay, the filters of the other view go. */
function toView(search: URLSearchParams, view: View, usage?: string): string {
  const repositories = search.get('repository_ids')
  return `?${new URLSearchParams({
    view,
    ...(usage !== undefined && { usage }),
    ...(repositories !== null && { repository_ids: repositories }),
  })}`
}

const ImportDialog = lazy(async () => ({ default: (await import('./import-dialog.tsx')).ImportDialog }))

function WriteButtons() {
  const [open, setOpen] = useState<'write' | 'import' | null>(null)
  const organization = useOrganization()
  const access = useAccess('POST', '/v1/learnings')
  const writeAccess = organization === ALL ? chooseOne : access
  const close = () => setOpen(null)
  return (
    <>
      <Button access={writeAccess} onClick={() => setOpen('import')}>
        Import rules
      </Button>
      <Button kind="main" access={writeAccess} onClick={() => setOpen('write')}>
        Write a Learning
      </Button>
      {open === 'write' ? <WriteDialog onClose={close} /> : null}
      <Suspense fallback={null}>{open === 'import' ? <ImportDialog onClose={close} /> : null}</Suspense>
    </>
  )
}

interface SummaryProps {
  readonly learnings: readonly Learning[]
  /** Whether proposals are shown. */
  readonly decide: Access
  /** The service has more than were read. */
  readonly isPartial: boolean
  readonly pending:
    | { readonly data: readonly PendingLearning[]; readonly next_cursor: string | null }
    | undefined
}

function Summary({ learnings, isPartial, pending, decide }: SummaryProps) {
  const [search] = useSearchParams()
  const count = (matches: (learning: Learning) => boolean) =>
    `${formatCount(learnings.filter(matches).length)}${isPartial ? '+' : ''}`
  const neverUsed = learnings.filter(({ usage_count }) => usage_count === 0).length
  return (
    <Row
      notes={
        <>
          {isPartial ? (
            <Note>
              <b>Figures count the {formatCount(learnings.length)} Learnings that were shared first.</b> The
              service has more; the CSV file has all of them.
            </Note>
          ) : null}
          {decide.allowed ? null : (
            <Note>
              <b>Proposals are not shown.</b> {decide.reason}
            </Note>
          )}
        </>
      }
    >
      <Headline
        more={
          <>
            {learnings.length === 0 ? '' : `No review has used ${formatCount(neverUsed)} of them yet. `}
            <Waiting pending={pending} />
          </>
        }
      >
        <b>
          {formatCount(learnings.length)}
          {isPartial ? '+' : ''}
        </b>{' '}
        {learnings.length === 1 ? 'Learning guides' : 'Learnings guide'} reviews
        {pending === undefined ? (
          '.'
        ) : (
          <>
            , and <b>{formatPending(pending)}</b>{' '}
            {pending.data.length === 1 ? 'waits for your decision.' : 'wait for your decision.'}
          </>
        )}
      </Headline>
      <dl className={styles['figures']}>
        <Figure
          label="used in the last 30 days"
          value={count(({ last_used_at }) => isWithin(last_used_at, ACTIVE_DAYS))}
          to={toView(search, 'all', 'active')}
        />
        <Figure
          label="never used"
          value={count(({ usage_count }) => usage_count === 0)}
          to={toView(search, 'all', 'never_used')}
        />
        <Figure
          label="created in the last 7 days"
          value={count(({ created_at }) => isWithin(created_at, NEW_DAYS))}
          to={toView(search, 'all', 'created_this_week')}
        />
      </dl>
    </Row>
  )
}

function isWithin(time: string | null, days: number): boolean {
  return time !== null && -daysUntil(time) <= days
}

function Figure({
  label,
  value,
  to,
}: {
  readonly label: string
  readonly value: string
  readonly to: string
}) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <Link to={to}>{value}</Link>
      </dd>
    </div>
  )
}

function formatPending({ data, next_cursor }: NonNullable<SummaryProps['pending']>): string {
  return data.length === 0 ? 'none' : `${formatCount(data.length)}${next_cursor === null ? '' : '+'}`
}

function Waiting({ pending }: Pick<SummaryProps, 'pending'>) {
  if (pending === undefined || pending.data.length === 0) return null
  const deadlines = pending.data.flatMap(({ deadline }) => deadline ?? []).sort()
  const [first] = deadlines
  const flagged = pending.data.filter(({ flags }) => flags.length > 0).length
  return (
    <>
      {first === undefined
        ? 'No proposal is approved automatically.'
        : `If nobody decides, ${formatCounted(deadlines.length, 'proposal is approved automatically', 'proposals are approved automatically')}, the first ${formatDaysFromNow(first)}.`}
      {flagged === 0 ? '' : ` ${formatCounted(flagged, 'proposal has', 'proposals have')} a warning.`}
    </>
  )
}

function NoLearnings() {
  return (
    <Empty title="No Learnings yet">
      <p>
        Write the first one above, or import a rules file that you already have. On the command line, in a
        checkout with AGENTS.md, CLAUDE.md, or Cursor or Copilot rules, this shows what an import would
        create. It writes nothing without --apply:
      </p>
      <Command>{importCommand()}</Command>
    </Empty>
  )
}
