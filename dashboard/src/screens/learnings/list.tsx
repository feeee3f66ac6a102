import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { useAccess } from '../../api/access.ts'
import { ALL } from '../../frame/organization-switch.tsx'
import { useOrganization } from '../../frame/use-organization.ts'
import { Button } from '../../ui/button.tsx'
import { ExternalLink } from '../../ui/external-link.tsx'
import { useSearchUpdate } from '../../ui/filters.tsx'
import { formatCount, formatCounted, formatDate } from '../../ui/format.ts'
import { Load } from '../../ui/load.tsx'
import { Note, Section } from '../../ui/page.tsx'
import { SearchText } from '../../ui/search-text.tsx'
import { DownloadCsv } from '../../ui/share.tsx'
import { Table } from '../../ui/table.tsx'
import { DeleteDialog, EditDialog } from './change-dialogs.tsx'
import { LearningText } from './learning-text.tsx'
import styles from './learnings.module.css'
import { type Learning, listQuery, readUsage, toListFilters, type Usage, usages } from './reads.ts'
import { SettingsNote } from './settings-note.tsx'

const STEP = 50

export function LearningList() {
  const organization = useOrganization()
  const [search] = useSearchParams()
  const [shown, setShown] = useState(STEP)
  const query = useQuery(listQuery(organization, search))
  return (
    <Section
      title={search.has('search') ? 'Shared Learnings, best match first' : 'Shared Learnings, newest first'}
      wide
      tools={<DownloadCsv read={{ path: '/v1/learnings', query: toListFilters(search) }} name="learnings" />}
      notes={<ListNotes usage={readUsage(search)} isSearch={search.has('search')} />}
    >
      <ListFilters />
      <Load query={query} what="Learnings">
        {({ data, next_cursor, ranked_by }) => (
          <>
            {ranked_by === 'words' ? <RankedByWords /> : null}
            {data.length === 0 ? (
              <p className={styles['none']}>No Learning matches these filters.</p>
            ) : (
              <LearningTable learnings={data.slice(0, shown)} />
            )}
            <p className={styles['more']} role="status">
              {formatCount(Math.min(shown, data.length))} of {formatCounted(data.length, 'Learning')} shown
              {next_cursor === null
                ? '.'
                : '. The service has more, which were shared later: filter by repository, or use the CSV file.'}
            </p>
            {shown < data.length ? <Button onClick={() => setShown(shown + STEP)}>Show more</Button> : null}
          </>
        )}
      </Load>
    </Section>
  )
}

function RankedByWords() {
  return (
    <Note>
      This search compared <b>words only</b>: the embedding model was not available. Learnings that say the
      same thing in other words are missing. Search again later.
    </Note>
  )
}

function ListNotes({ usage, isSearch }: { readonly usage: Usage; readonly isSearch: boolean }) {
  return (
    <>
      {usage === 'never_used' ? (
        <Note>
          <b>Never used?</b> If it is not new, it may be too specific, badly worded, or about code that no
          longer exists. Correct it or delete it.
        </Note>
      ) : null}
      {isSearch ? (
        <Note>
          A search goes by <b>meaning</b> and shows at most 200 Learnings, best match first.
        </Note>
      ) : null}
      <Note>
        <b>Uses</b> are reviews that had the Learning in their context. They do not say whether it changed
        what the reviewer wrote.
      </Note>
      <SettingsNote />
    </>
  )
}

function ListFilters() {
  const [search] = useSearchParams()
  const update = useSearchUpdate()
  return (
    <div className={styles['filters']}>
      <SearchText label="Search by meaning" maxLength={1000} placeholder="how do we store prices" />
      <label>
        Use{' '}
        <select
          value={readUsage(search)}
          onChange={(event) => update({ usage: event.target.value === 'total' ? null : event.target.value })}
        >
          {Object.entries(usages).map(([usage, name]) => (
            <option key={usage} value={usage}>
              {name}
            </option>
          ))}
        </select>
      </label>
    </div>
  )
}

function LearningTable({ learnings }: { readonly learnings: readonly Learning[] }) {
  const [edited, setEdited] = useState<Learning | null>(null)
  const [deleted, setDeleted] = useState<Learning | null>(null)
  const editAccess = useAccess('PATCH', '/v1/learnings/{learning_id}')
  const deleteAccess = useAccess('DELETE', '/v1/learnings/{learning_id}')
  return (
    <>
      <Table
        caption="Shared Learnings"
        items={learnings}
        keyOf={({ id }) => id}
        columns={[
          {
            head: 'Learning',
            wide: true,
            cell: (learning) => (
              <>
                <LearningText text={learning.learning} flags={learning.flags} />
                <Meta learning={learning} />
              </>
            ),
          },
          { head: 'Uses', number: true, cell: ({ usage_count }) => formatCount(usage_count) },
          {
            head: 'Last used',
            number: true,
            cell: ({ last_used_at }) => (last_used_at === null ? 'never' : formatDate(last_used_at)),
          },
          {
            head: 'Change',
            actions: true,
            cell: (learning) => (
              <span className={styles['changes']}>
                <Button
                  kind="link"
                  access={editAccess}
                  label={`Edit: ${shorten(learning.learning)}`}
                  onClick={() => setEdited(learning)}
                >
                  Edit
                </Button>
                <Button
                  kind="link"
                  access={deleteAccess}
                  label={`Delete: ${shorten(learning.learning)}`}
                  onClick={() => setDeleted(learning)}
                >
                  Delete
                </Button>
              </span>
            ),
          },
        ]}
      />
      {edited === null ? null : <EditDialog learning={edited} onClose={() => setEdited(null)} />}
      {deleted === null ? null : <DeleteDialog learning={deleted} onClose={() => setDeleted(null)} />}
    </>
  )
}

function shorten(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}

function Meta({ learning }: { readonly learning: Learning }) {
  const organization = useOrganization()
  const { repository_name, repository_id, organization_name, file, author_username, source_url } = learning
  return (
    <p className={styles['meta']}>
      {organization === ALL ? `${organization_name} / ` : ''}
      {repository_name ?? repository_id}
      {file === null ? null : (
        <>
          {' · '}
          <code>{file}</code>
        </>
      )}
      {author_username === null ? ' · author unknown' : ` · by ${author_username}`}
      {` · ${formatDate(learning.created_at)}`}
      {source_url === null ? null : (
        <>
          {' · '}
          <ExternalLink href={source_url}>source</ExternalLink>
        </>
      )}
      {learning.score === undefined ? '' : ` · match ${learning.score.toFixed(2)}`}
    </p>
  )
}
