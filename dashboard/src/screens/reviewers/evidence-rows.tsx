import type { Get } from '@scholiast/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { useAccess } from '../../api/access.ts'
import { client } from '../../api/client.ts'
import { queryClient } from '../../api/query.ts'
import { useWrite } from '../../api/write.ts'
import { useOrganization } from '../../frame/use-organization.ts'
import { Button } from '../../ui/button.tsx'
import { ExternalLink } from '../../ui/external-link.tsx'
import { readFilters } from '../../ui/filters.tsx'
import { formatCount, formatCounted, formatDate, formatTime, MISSING } from '../../ui/format.ts'
import { Load } from '../../ui/load.tsx'
import { sliceDays, useNewest } from '../../ui/newest.ts'
import { Note, Section } from '../../ui/page.tsx'
import { allPagesQuery } from '../../ui/pages.ts'
import { Problem } from '../../ui/problem.tsx'
import { SearchChoice, SearchChoices } from '../../ui/search-choice.tsx'
import { CopyCurl, SaveCsv } from '../../ui/share.tsx'
import { Table } from '../../ui/table.tsx'
import { namePullRequest } from '../pull-request-link.ts'
import styles from './reviewers.module.css'

const PATH = '/v1/metrics/findings'
const READ_BACK_MS = 2_000
const outcomes = { accepted: 'acted on', not_accepted: 'not acted on', unknown: 'unknown' }

type Finding = Get<typeof PATH>['data'][number]
type Outcome = keyof typeof outcomes

/** Why an outcome is what it is, by the rule that decided. */
const rules: Readonly<Record<string, string>> = {
  verdict: 'A person decided.',
  provider: 'The Git provider reported it: an alert was fixed or dismissed, or a suggestion was applied.',
  suggestion: 'The suggested text is in the merged code and was not there before.',
  addressed: 'The bot said that it was addressed, and the lines changed.',
  declined: 'A person declined it, and the lines did not change.',
  unresolved: 'The thread was open at the merge, and the lines had not changed.',
  undecided: 'The evidence is inconclusive.',
}

/** The findings of the last days of the window, which the screen shows first. */
export function newestEvidenceQuery(organization: string, search: URLSearchParams) {
  const filters = readEvidenceFilters(search)
  return evidenceQuery(organization, { ...filters, ...sliceDays(filters)[0] })
}

type EvidenceFilters = ReturnType<typeof readEvidenceFilters>

/** All findings of some days, the newest first. */
function evidenceQuery(organization: string, filters: EvidenceFilters) {
  return allPagesQuery<Finding, Finding>(organization, PATH, { ...filters }, (findings) =>
    findings.toSorted(
      (a, b) =>
        b.counted_on.localeCompare(a.counted_on) || (b.posted_at ?? '').localeCompare(a.posted_at ?? ''),
    ),
  )
}

function readEvidenceFilters(search: URLSearchParams) {
  const [reviewer, outcome] = [search.get('reviewer'), search.get('outcome')]
  return {
    ...readFilters(search),
    ...(reviewer && { reviewer }),
    ...(outcome && outcome in outcomes && { outcome: outcome as Outcome }),
  }
}

interface EvidenceRowsProps {
  readonly reviewers: readonly ReviewerCounts[]
}

interface ReviewerCounts extends Readonly<Record<Outcome | 'findings', number>> {
  readonly reviewer: string | null
}

export function EvidenceRows({ reviewers }: EvidenceRowsProps) {
  const [search] = useSearchParams()
  const names = reviewers.flatMap(({ reviewer }) => reviewer ?? [])
  return (
    <Section
      title="The findings and their evidence"
      wide
      tools={<CopyCurl read={{ path: PATH, query: readEvidenceFilters(search) }} />}
      notes={
        <>
          <Note>
            <b>Open a finding</b> to see how its outcome was decided, and to overrule it. A person’s decision
            outranks the Git provider and detectors.
          </Note>
          <Note>
            <b>Comment text and code are never stored.</b> Read them where they were posted.
          </Note>
        </>
      }
    >
      <SearchChoices>
        <SearchChoice name="reviewer" label="Reviewer" options={names.map((one) => [one, one])} />
        <SearchChoice name="outcome" label="Outcome" options={Object.entries(outcomes)} />
      </SearchChoices>
      <FindingList key={search.toString()} reviewers={reviewers} />
    </Section>
  )
}

function FindingList({ reviewers }: EvidenceRowsProps) {
  const organization = useOrganization()
  const [search] = useSearchParams()
  const filters = readEvidenceFilters(search)
  const { query, shown, showMore } = useNewest({
    period: filters,
    sliceQuery: (slice) => evidenceQuery(organization, { ...filters, ...slice }),
  })
  const total = reviewers
    .filter(({ reviewer }) => filters.reviewer === undefined || filters.reviewer === reviewer)
    .reduce((sum, one) => sum + one[filters.outcome ?? 'findings'], 0)
  return (
    <Load query={query} what="findings">
      {() => (
        <>
          {shown.length === 0 && showMore === null ? (
            <p>No finding matches these filters.</p>
          ) : (
            <Table
              caption="Findings with evidence"
              items={shown}
              keyOf={({ id }) => id}
              details={(finding) => <Evidence finding={finding} />}
              columns={[
                { head: 'Pull request', cell: ({ pr_url }) => namePullRequest(pr_url) },
                { head: 'Counted on', cell: ({ counted_on }) => formatDate(counted_on) },
                { head: 'Reviewer', cell: ({ reviewer }) => reviewer ?? MISSING },
                { head: 'Severity', cell: ({ severity }) => severity ?? 'unknown' },
                { head: 'File', wide: true, cell: formatLocation },
                { head: 'Outcome', cell: (finding) => outcomes[toOutcome(finding)] },
                {
                  head: 'Git provider',
                  cell: ({ comment_url, pr_url }) => (
                    <ExternalLink href={comment_url}>
                      Comment<span className="visually-hidden">{` on ${namePullRequest(pr_url)}`}</span>
                    </ExternalLink>
                  ),
                },
              ]}
            />
          )}
          <div className={styles['foot']}>
            <p role="status">
              {formatCount(shown.length)} of {formatCounted(total, 'finding')} shown, newest first.
            </p>
            {showMore === null || shown.length === total ? null : (
              <Button onClick={showMore} busy={query.isFetching}>
                Show more
              </Button>
            )}
            <SaveCsv
              name="findings-with-evidence"
              rows={async () => toCsvRows(await queryClient.fetchQuery(evidenceQuery(organization, filters)))}
            />
          </div>
        </>
      )}
    </Load>
  )
}

function Evidence({ finding }: { readonly finding: Finding }) {
  const { rule, source, evidence, posted_at } = finding
  return (
    <div className={styles['evidence']}>
      <p>
        {rule === null ? 'The sender gave no rule.' : (rules[rule] ?? `Rule: ${rule}.`)}{' '}
        {source === null ? 'No outcome was reported.' : `Source: ${source}.`} Posted {formatTime(posted_at)}.
      </p>
      {evidence.length === 0 ? null : (
        <ul>
          {evidence.map(({ kind, at }) => (
            <li key={`${kind} ${at}`}>
              {kind.replaceAll('_', ' ')}
              {at === null ? '' : `, ${formatTime(at)}`}
            </li>
          ))}
        </ul>
      )}
      <Overrule finding={finding} />
    </div>
  )
}

function Overrule({ finding }: { readonly finding: Finding }) {
  const access = useAccess('PUT', '/v1/metrics/findings/{id}/outcome')
  const write = useWrite((accepted: boolean | null, headers) =>
    client.put('/v1/metrics/findings/{id}/outcome', {
      params: { id: finding.id },
      body: { accepted },
      headers,
    }),
  )
  const queries = useQueryClient()
  // The outcome is an event like that of a detector, so it is read back a little later.
  const decide = (accepted: boolean | null) =>
    write.mutate(accepted, {
      onSuccess: () => void setTimeout(() => void queries.invalidateQueries(), READ_BACK_MS),
    })
  const choice = (label: string, accepted: boolean | null) => (
    <Button access={access} busy={write.isPending} onClick={() => decide(accepted)}>
      {label}
    </Button>
  )
  return (
    <>
      <p className={styles['outcome']}>
        {choice('It was acted on', true)} {choice('It was not acted on', false)}{' '}
        {finding.source === 'person' ? choice('Withdraw the decision', null) : null}
      </p>
      {write.isSuccess ? (
        <p role="status">Your decision was recorded. The list and the figures will follow within seconds.</p>
      ) : null}
      {write.error === null ? null : (
        <Problem error={write.error} what="the outcome" onRetry={() => decide(write.variables)} />
      )}
    </>
  )
}

function formatLocation({ file, start_line, end_line }: Finding): string {
  if (file === null) return MISSING
  if (start_line === null) return file
  return end_line === null || end_line === start_line
    ? `${file}:${start_line}`
    : `${file}:${start_line}–${end_line}`
}

function toOutcome({ accepted }: Finding): Outcome {
  if (accepted === null) return 'unknown'
  return accepted ? 'accepted' : 'not_accepted'
}

function toCsvRows(findings: readonly Finding[]) {
  const head = [
    'id',
    'pr_url',
    'reviewer',
    'severity',
    'category',
    'file',
    'start_line',
    'accepted',
    'rule',
  ] as const
  return [head, ...findings.map((finding) => head.map((name) => finding[name] ?? null))]
}
