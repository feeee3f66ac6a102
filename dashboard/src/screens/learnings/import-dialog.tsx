import { useQuery } from '@tanstack/react-query'
import { type ChangeEvent, type FormEvent, useState } from 'react'
import { repositoriesQuery } from '../../api/repositories.ts'
import { useWrite } from '../../api/write.ts'
import { useOrganization } from '../../frame/use-organization.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { formatCounted, formatShare } from '../../ui/format.ts'
import { Command, Load } from '../../ui/load.tsx'
import { Failure } from '../../ui/problem.tsx'
import { Table } from '../../ui/table.tsx'
import { importCommand } from './import-command.ts'
import {
  ExportedFileError,
  isProposed,
  type Plan,
  type PlanEntry,
  readStatements,
  sendStatements,
  toCreate,
} from './import-plan.ts'
import { LearningText } from './learning-text.tsx'
import { RepositoryOptions } from './repository-options.tsx'

/** A rules file becomes a plan of the service; nothing is written before somebody has seen it. */
export function ImportDialog({ onClose }: { readonly onClose: () => void }) {
  const organization = useOrganization()
  const repositories = useQuery(repositoriesQuery(organization))
  const [file, setFile] = useState({ name: 'AGENTS.md', content: '' })
  const [repositoryId, setRepositoryId] = useState('')
  const [unreadable, setUnreadable] = useState<Error | null>(null)
  const { mutate, data: plan, error, isPending, reset } = useWrite(sendStatements)
  const change = (next: Partial<typeof file>) => {
    reset()
    setUnreadable(null)
    setFile({ ...file, ...next })
  }
  const open = async (event: ChangeEvent<HTMLInputElement>) => {
    const [chosen] = event.target.files ?? []
    if (chosen !== undefined) change({ name: chosen.name, content: await chosen.text() })
  }
  const preview = (event: FormEvent) => {
    event.preventDefault()
    try {
      mutate({ repositoryId, statements: readStatements(file.name, file.content), isPreview: true })
    } catch (failure) {
      setUnreadable(failure instanceof Error ? failure : new Error(String(failure)))
    }
  }
  const creates = plan?.isPreview === true ? toCreate(plan) : []
  return (
    <Dialog title="Import a rules file" open wide guarded onClose={onClose}>
      <Load query={repositories} what="repositories">
        {(all) => (
          <form onSubmit={preview}>
            <Field label="Repository">
              {(attributes) => (
                <select
                  {...attributes}
                  required
                  value={repositoryId}
                  onChange={(event) => {
                    reset()
                    setRepositoryId(event.target.value)
                  }}
                >
                  <RepositoryOptions repositories={all} />
                </select>
              )}
            </Field>
            <Field label="Open a file" hint="AGENTS.md, CLAUDE.md, Cursor or Copilot rules, or CSV">
              {(attributes) => <input {...attributes} type="file" onChange={(event) => void open(event)} />}
            </Field>
            <Field label="File name" hint="It determines the format.">
              {(attributes) => (
                <input
                  {...attributes}
                  required
                  value={file.name}
                  onChange={(event) => change({ name: event.target.value })}
                />
              )}
            </Field>
            <Field label="Text" hint="Each list item or paragraph becomes one Learning.">
              {(attributes) => (
                <textarea
                  {...attributes}
                  required
                  rows={7}
                  value={file.content}
                  onChange={(event) => change({ content: event.target.value })}
                />
              )}
            </Field>
            {unreadable === null ? null : <Unreadable error={unreadable} />}
            {error === null ? null : <Failure error={error} title="The plan could not be made." />}
            {plan === undefined ? null : <PlanTable plan={plan} />}
            <DialogActions>
              <Button type="submit" kind={creates.length === 0 ? 'main' : 'plain'} busy={isPending}>
                {isPending ? 'Comparing…' : 'Show the plan'}
              </Button>
              {creates.length === 0 ? null : (
                <Button
                  kind="main"
                  busy={isPending}
                  onClick={() => mutate({ repositoryId, statements: creates, isPreview: false })}
                >
                  {`Create ${formatCounted(creates.length, 'Learning')}`}
                </Button>
              )}
              <Button onClick={onClose}>Close</Button>
            </DialogActions>
          </form>
        )}
      </Load>
    </Dialog>
  )
}

function Unreadable({ error }: { readonly error: Error }) {
  return (
    <div role="alert">
      <p>{error.message}</p>
      {error instanceof ExportedFileError ? <Command>{importCommand()}</Command> : null}
    </div>
  )
}

function PlanTable({ plan }: { readonly plan: Plan }) {
  const { isPreview, entries, error } = plan
  const created = toCreate(plan).length
  const proposed = entries.filter(isProposed).length
  return (
    <>
      <p role="status">
        {isPreview
          ? `Nothing was written yet. ${formatCounted(created, 'new Learning')} of ${formatCounted(entries.length, 'statement')}.`
          : `${formatCounted(created, 'Learning was', 'Learnings were')} created.`}
        {proposed === 0
          ? null
          : ` ${formatCounted(proposed, 'text has', 'texts have')} a flag: reviews do not get ${proposed === 1 ? 'it' : 'them'} until an admin decides, under “Waiting for a decision”.`}
      </p>
      {error === null ? null : (
        <Failure error={error} title="The statements after these were not sent. Show the plan again." />
      )}
      {entries.length === 0 ? null : (
        <Table
          caption={isPreview ? 'Plan of the import' : 'What was imported'}
          items={entries}
          keyOf={({ statement }) => `${statement.line} ${statement.text}`}
          columns={[
            { head: 'Plan', cell: (entry) => describePlan(entry, isPreview) },
            { head: 'Line', number: true, cell: ({ statement }) => statement.line },
            {
              head: 'Learning',
              wide: true,
              cell: (entry) => (
                <>
                  <LearningText text={entry.statement.text} flags={entry.result.flags} />
                  <Remarks {...entry} />
                </>
              ),
            },
          ]}
        />
      )}
    </>
  )
}

function describePlan(entry: PlanEntry, isPreview: boolean): string {
  const { result } = entry
  if (isProposed(entry)) return isPreview ? 'propose' : 'proposed'
  if (result.status === 'created') return isPreview ? 'create' : 'created'
  if (result.status === 'failed') return 'rejected'
  if (result.matched === 'id') return 'changed since'
  return result.state === 'pending' ? 'already waiting' : 'exists'
}

function Remarks({ statement, result }: PlanEntry) {
  const [closest] = result.similar ?? []
  return (
    <>
      {statement.file === null ? null : <code>{statement.file}</code>}
      {result.error === undefined ? null : <p>{`${result.error.message} (${result.error.code})`}</p>}
      {closest === undefined ? null : (
        <p>
          {formatShare(closest.similarity)} like <code>{closest.id}</code>: do you need both?
        </p>
      )}
    </>
  )
}
