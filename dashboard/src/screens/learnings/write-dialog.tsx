import type { Result } from '@scholiast/sdk'
import { useQuery } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { client } from '../../api/client.ts'
import { repositoriesQuery } from '../../api/repositories.ts'
import { useWrite } from '../../api/write.ts'
import { useOrganization } from '../../frame/use-organization.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Load } from '../../ui/load.tsx'
import { Failure } from '../../ui/problem.tsx'
import { MAX_TEXT } from './reads.ts'
import { RepositoryOptions } from './repository-options.tsx'
import { Similar } from './similar.tsx'

type WriteResult = Result<'post', '/v1/learnings'>['results'][number]

interface Draft {
  readonly repository_id: string
  readonly learning: string
  readonly file?: string
  readonly source_url?: string
}

interface Written {
  readonly draft: Draft
  /** The result is that of a dry run: nothing was written. */
  readonly isPreview: boolean
  readonly result: WriteResult
}

/** The service is asked first what would happen. Only a text that is close to another one needs a second click. */
async function write({ draft, force }: { draft: Draft; force: boolean }, headers: Record<string, string>) {
  const send = async (dry_run: boolean): Promise<Written> => {
    const { results } = await client.post('/v1/learnings', { body: { dry_run, data: [draft] }, headers })
    const [result] = results
    if (result === undefined) throw new Error('The response has no result.')
    return { draft, isPreview: dry_run, result }
  }
  if (force) return send(false)
  const preview = await send(true)
  const needsLook = preview.result.status !== 'created' || (preview.result.similar ?? []).length > 0
  return needsLook ? preview : send(false)
}

export function WriteDialog({ onClose }: { readonly onClose: () => void }) {
  const organization = useOrganization()
  const repositories = useQuery(repositoriesQuery(organization))
  const { mutate, data, error, isPending, reset } = useWrite(write)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    mutate({ draft: readDraft(new FormData(event.currentTarget)), force: false })
  }
  const isWritten = data !== undefined && !data.isPreview && data.result.status !== 'failed'
  if (isWritten)
    return (
      <Dialog title="The Learning is shared" open onClose={onClose}>
        <p>Reviews use it from now on.</p>
        <DialogActions>
          <Button kind="main" onClick={onClose}>
            Done
          </Button>
        </DialogActions>
      </Dialog>
    )
  return (
    <Dialog title="Write a Learning" open wide guarded onClose={onClose}>
      <Load query={repositories} what="repositories">
        {(all) => (
          <form onSubmit={submit} onChange={reset}>
            <Field label="Repository">
              {(attributes) => (
                <select {...attributes} name="repository_id" required defaultValue="">
                  <RepositoryOptions repositories={all} />
                </select>
              )}
            </Field>
            <Field label="Text" hint="One statement, with a short reason. It is shared immediately.">
              {(attributes) => (
                <textarea {...attributes} name="learning" required rows={4} maxLength={MAX_TEXT} />
              )}
            </Field>
            <Field
              label="File or folder (optional)"
              hint="If it applies only there, for example src/billing/"
            >
              {(attributes) => <input {...attributes} name="file" maxLength={1024} />}
            </Field>
            <Field label="Source (optional)" hint="Where it comes from, for example a pull request.">
              {(attributes) => <input {...attributes} name="source_url" type="url" maxLength={2048} />}
            </Field>
            {error === null ? null : <Failure error={error} title="The Learning was not written." />}
            {data === undefined ? null : <Outcome {...data} />}
            <DialogActions>
              <Button type="submit" kind="main" busy={isPending}>
                {isPending ? 'Comparing…' : 'Write'}
              </Button>
              {data?.isPreview === true && data.result.status === 'created' ? (
                <Button busy={isPending} onClick={() => mutate({ draft: data.draft, force: true })}>
                  Write it anyway
                </Button>
              ) : null}
              <Button onClick={onClose}>Cancel</Button>
            </DialogActions>
          </form>
        )}
      </Load>
    </Dialog>
  )
}

function readDraft(data: FormData): Draft {
  const read = (name: string) => {
    const value = data.get(name)
    return typeof value === 'string' ? value.trim() : ''
  }
  const [file, source_url] = [read('file'), read('source_url')]
  return {
    repository_id: read('repository_id'),
    learning: read('learning'),
    ...(file !== '' && { file }),
    ...(source_url !== '' && { source_url }),
  }
}

function Outcome({ draft, isPreview, result }: Written) {
  const { status, similar = [], error, matched } = result
  return (
    <div role="status">
      {status === 'duplicate' ? (
        <p>
          {matched === 'id'
            ? 'Nothing was written: this text was shared before, and somebody has changed it since.'
            : 'Nothing was written: the repository already has a Learning with this text.'}
        </p>
      ) : null}
      {error === undefined ? null : (
        <p>
          {isPreview ? 'Nothing was written: ' : ''}
          {error.message} <code>{error.code}</code>
        </p>
      )}
      {status === 'created' && similar.length > 0 ? (
        <>
          <p>Nothing was written yet. These say nearly the same thing, or the opposite. Do you need both?</p>
          <Similar text={draft.learning} similar={similar} />
        </>
      ) : null}
    </div>
  )
}
