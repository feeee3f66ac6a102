import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import { useAccess } from '../../api/access.ts'
import { queryClient } from '../../api/query.ts'
import { useWrite } from '../../api/write.ts'
import { useOrganization } from '../../frame/use-organization.ts'
import { Button } from '../../ui/button.tsx'
import { ExternalLink } from '../../ui/external-link.tsx'
import { useSearchUpdate } from '../../ui/filters.tsx'
import { daysUntil, formatCounted, formatDate, formatDaysFromNow } from '../../ui/format.ts'
import { Load } from '../../ui/load.tsx'
import { Note, Section } from '../../ui/page.tsx'
import { readAllPages, usePages } from '../../ui/pages.ts'
import { Failure } from '../../ui/problem.tsx'
import { SaveCsv } from '../../ui/share.tsx'
import { Confirmation } from './confirmation.tsx'
import { type Decided, type Decision, decideAll } from './decide.ts'
import { LearningText } from './learning-text.tsx'
import styles from './learnings.module.css'
import { filteredSources, type PendingLearning, pendingQuery, readSource, sources } from './reads.ts'
import { SettingsNote } from './settings-note.tsx'
import { Similar } from './similar.tsx'

/** A decision that the service did not make, with the Learning as it was: a later read may no longer have it. */
interface Failed {
  readonly learning: PendingLearning
  readonly code: string
}

export function Pending() {
  const organization = useOrganization()
  const [search] = useSearchParams()
  const { query, items, loadMore } = usePages<PendingLearning>((cursor) =>
    pendingQuery(organization, search, cursor),
  )
  return (
    <Section
      title="Proposals, oldest first"
      tools={
        <span className={styles['tools']}>
          <SourceFilter />
          <SaveCsv
            name="pending-learnings"
            rows={async () =>
              toRows(
                await readAllPages((cursor) =>
                  queryClient.fetchQuery(pendingQuery(organization, search, cursor)),
                ),
              )
            }
          />
        </span>
      }
      notes={<PendingNotes items={items} />}
    >
      <Load query={query} what="pending Learnings">
        {() => (
          <>
            <Queue key={search.toString()} items={items} />
            {loadMore === null ? null : <Button onClick={loadMore}>Load more</Button>}
          </>
        )}
      </Load>
    </Section>
  )
}

function SourceFilter() {
  const [search] = useSearchParams()
  const update = useSearchUpdate()
  return (
    <label>
      Proposed by{' '}
      <select
        value={readSource(search) ?? ''}
        onChange={(event) => update({ source: event.target.value || null })}
      >
        <option value="">anybody</option>
        {Object.entries(filteredSources).map(([source, name]) => (
          <option key={source} value={source}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}

function PendingNotes({ items }: { readonly items: readonly PendingLearning[] }) {
  const isCompared = items.every(({ similar }) => similar !== null)
  return (
    <>
      <Note>
        <b>Approve</b> immediately shares a Learning with every review in its scope. <b>Reject</b> also blocks
        the same text in future, until an admin approves it.
      </Note>
      <Note>
        Read a proposal as you would read a stranger’s code: <b>its text reaches agents.</b>
      </Note>
      {isCompared ? null : (
        <Note>
          <b>Some were not compared</b> with shared Learnings: the service has no calibrated embedding model,
          or the model did not answer in time.
        </Note>
      )}
      <SettingsNote />
    </>
  )
}

function Queue({ items }: { readonly items: readonly PendingLearning[] }) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [failed, setFailed] = useState<ReadonlyMap<string, Failed>>(new Map())
  const [asked, setAsked] = useState<Decision | null>(null)
  const access = useAccess('POST', '/v1/learnings/approvals')
  const rows = withFailed(items, failed)
  const selected = rows.filter(({ id }) => chosen.has(id))
  const write = useWrite(async (decision: Decision, headers) => {
    const decided = await decideAll(
      selected.map(({ id }) => id),
      decision,
      headers,
    )
    const made = new Set(decided.results.filter(isDecided).map(({ learning_id }) => learning_id))
    setChosen(new Set(selected.map(({ id }) => id).filter((id) => !made.has(id))))
    setFailed(toFailed(rows, decided))
    return decided
  })
  const start = (decision: Decision) => {
    setAsked(null)
    write.mutate(decision)
  }
  const needsLook = selected.some(({ flags }) => flags.length > 0)
  const decisionAccess = selected.length === 0 ? selectFirst : access
  const everyone = rows.length > 0 && selected.length === rows.length
  return (
    <>
      {rows.length === 0 ? null : (
        <div className={styles['bar']}>
          <label className={styles['check']}>
            <input
              type="checkbox"
              checked={everyone}
              ref={(box) => {
                if (box !== null) box.indeterminate = selected.length > 0 && !everyone
              }}
              onChange={() => setChosen(new Set(everyone ? [] : rows.map(({ id }) => id)))}
            />{' '}
            Select all {rows.length} loaded
          </label>
          <Button
            kind="main"
            busy={write.isPending}
            access={decisionAccess}
            onClick={() => (needsLook ? setAsked('approve') : start('approve'))}
          >
            {`Approve ${selected.length || ''}`}
          </Button>
          <Button
            kind="danger"
            busy={write.isPending}
            access={decisionAccess}
            onClick={() => setAsked('disapprove')}
          >
            {`Reject ${selected.length || ''}`}
          </Button>
        </div>
      )}
      <DecidedSummary
        decided={write.data}
        busy={write.isPending}
        onClear={() => {
          setChosen(new Set())
          setFailed(new Map())
          write.reset()
        }}
      />
      {rows.length === 0 ? <p className={styles['none']}>No Learning is waiting for a decision.</p> : null}
      {/* Arrow keys move between the boxes; Tab reaches everything else too. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <ul className={styles['queue']} onKeyDown={moveBetweenBoxes} aria-label="Proposals">
        {rows.map((learning) => (
          <Proposal
            key={learning.id}
            learning={learning}
            code={failed.get(learning.id)?.code ?? null}
            checked={chosen.has(learning.id)}
            onCheck={(checked) => setChosen(change(chosen, learning.id, checked))}
          />
        ))}
      </ul>
      <Confirmation
        open={asked !== null}
        title={
          asked === 'approve'
            ? `Approve ${formatCounted(selected.length, 'Learning')}?`
            : `Reject ${formatCounted(selected.length, 'Learning')}?`
        }
        confirm={asked === 'approve' ? 'Approve' : 'Reject'}
        danger={asked === 'disapprove'}
        onClose={() => setAsked(null)}
        onConfirm={() => asked !== null && start(asked)}
      >
        {asked === 'approve' ? (
          <p>
            {formatCounted(
              selected.filter(({ flags }) => flags.length > 0).length,
              'of them has',
              'of them have',
            )}{' '}
            a warning: a text that speaks to an agent, or hidden characters. Approved texts reach agents.
          </p>
        ) : (
          <p>
            Nobody can create the same text again until an admin approves it. Reviews are not affected,
            because none of them uses it yet.
          </p>
        )}
      </Confirmation>
    </>
  )
}

const selectFirst = { allowed: false, reason: 'Select at least one Learning.' }

function isDecided({ status }: Decided['results'][number]): boolean {
  return status === 'decided'
}

function change(chosen: ReadonlySet<string>, id: string, checked: boolean): ReadonlySet<string> {
  const next = new Set(chosen)
  if (checked) next.add(id)
  else next.delete(id)
  return next
}

/** Those that failed come first: they need a look, and may no longer wait. */
function withFailed(
  items: readonly PendingLearning[],
  failed: ReadonlyMap<string, Failed>,
): readonly PendingLearning[] {
  return [
    ...[...failed.values()].map(({ learning }) => learning),
    ...items.filter(({ id }) => !failed.has(id)),
  ]
}

function toFailed(rows: readonly PendingLearning[], { results }: Decided): ReadonlyMap<string, Failed> {
  const codes = new Map(
    results
      .filter((result) => !isDecided(result))
      .map(({ learning_id, code }) => [learning_id, code ?? 'FAILED']),
  )
  return new Map(
    rows.flatMap((learning): [string, Failed][] => {
      const code = codes.get(learning.id)
      return code === undefined ? [] : [[learning.id, { learning, code }]]
    }),
  )
}

interface DecidedSummaryProps {
  readonly decided: Decided | undefined
  readonly busy: boolean
  readonly onClear: () => void
}

function DecidedSummary({ decided, busy, onClear }: DecidedSummaryProps) {
  const done = busy ? undefined : decided
  const made = done?.results.filter(isDecided).length ?? 0
  const failed = (done?.results.length ?? 0) - made
  const result = useRef<HTMLParagraphElement>(null)
  // The rows under the focus are gone: people who use the keyboard continue at what happened.
  useEffect(() => {
    if (done !== undefined) result.current?.focus()
  }, [done])
  return (
    <>
      <p ref={result} className={styles['result']} role="status" tabIndex={-1}>
        {busy ? 'Deciding…' : describeDecided(done, made, failed)}
      </p>
      {failed > 0 ? <Button onClick={onClear}>Remove those that failed from this list</Button> : null}
      {done?.error == null ? null : (
        <Failure
          error={done.error}
          title={made === 0 ? 'Nothing was decided.' : 'The rest were not decided. They are still selected.'}
        />
      )}
    </>
  )
}

function describeDecided(decided: Decided | undefined, made: number, failed: number): string {
  if (decided === undefined || decided.results.length === 0) return ''
  const verb = decided.decision === 'approve' ? 'approved' : 'rejected'
  const sentence = `${formatCounted(made, 'Learning was', 'Learnings were')} ${verb}.`
  return failed === 0
    ? sentence
    : `${sentence} ${formatCounted(failed, 'decision')} failed: each stays selected, with the reason.`
}

interface ProposalProps {
  readonly learning: PendingLearning
  readonly code: string | null
  readonly checked: boolean
  readonly onCheck: (checked: boolean) => void
}

function Proposal({ learning, code, checked, onCheck }: ProposalProps) {
  const [compared, setCompared] = useState(false)
  const { similar } = learning
  return (
    <li className={styles['proposal']} data-checked={checked || undefined}>
      <label className={styles['box']}>
        <input type="checkbox" checked={checked} onChange={(event) => onCheck(event.target.checked)} />
        <span className="visually-hidden">Select: {learning.learning.slice(0, 80)}</span>
      </label>
      <div>
        {code === null ? null : <p className={styles['code']}>{explainCode(code)}</p>}
        <LearningText text={learning.learning} flags={learning.flags} />
        <Origin learning={learning} />
        {similar === null || similar.length === 0 ? null : (
          <Button kind="link" onClick={() => setCompared(!compared)}>
            {compared
              ? 'Hide similar Learnings'
              : `Compare with ${formatCounted(similar.length, 'similar shared Learning')}`}
          </Button>
        )}
        {compared && similar !== null ? <Similar text={learning.learning} similar={similar} /> : null}
      </div>
    </li>
  )
}

function explainCode(code: string): string {
  return code === 'NOT_FOUND'
    ? 'NOT_FOUND: it is no longer waiting. Somebody else decided on it or deleted it.'
    : `${code}: the service did not decide on it.`
}

function Origin({ learning }: { readonly learning: PendingLearning }) {
  const { repository_name, repository_id, file, source, author_username, pull_request, source_url } = learning
  return (
    <p className={styles['meta']}>
      {repository_name ?? repository_id}
      {file === null ? null : (
        <>
          {' · '}
          <code>{file}</code>
        </>
      )}
      {' · from '}
      {sources[source]}
      {author_username === null ? null : ` by ${author_username}`}
      {pull_request === null ? null : (
        <>
          {' · '}
          <ExternalLink href={source_url}>pull request #{pull_request}</ExternalLink>
        </>
      )}
      {pull_request === null && source_url !== null ? (
        <>
          {' · '}
          <ExternalLink href={source_url}>origin</ExternalLink>
        </>
      ) : null}
      {` · proposed ${formatDate(learning.proposed_at)} · `}
      <Deadline deadline={learning.deadline} />
    </p>
  )
}

function Deadline({ deadline }: { readonly deadline: string | null }) {
  if (deadline === null) return <>waits for a person</>
  const text = `approved automatically ${formatDaysFromNow(deadline)}`
  return daysUntil(deadline) < 2 ? <strong className={styles['soon']}>{text}</strong> : <>{text}</>
}

function moveBetweenBoxes(event: KeyboardEvent<HTMLUListElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (step === undefined || !(event.target instanceof HTMLInputElement)) return
  const boxes = [...event.currentTarget.querySelectorAll<HTMLInputElement>('input[type="checkbox"]')]
  event.preventDefault()
  boxes[boxes.indexOf(event.target) + step]?.focus()
}

function toRows(items: readonly PendingLearning[]): (string | number | null)[][] {
  const columns = [
    'id',
    'learning',
    'repository_id',
    'repository_name',
    'file',
    'source',
    'author_username',
    'proposed_at',
    'deadline',
    'pull_request',
    'source_url',
  ] as const
  return [
    [...columns, 'flags'],
    ...items.map((item) => [...columns.map((column) => item[column]), item.flags.join(' ')]),
  ]
}
