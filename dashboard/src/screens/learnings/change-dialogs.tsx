import { type FormEvent, useState } from 'react'
import { client } from '../../api/client.ts'
import { useWrite } from '../../api/write.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { formatCounted } from '../../ui/format.ts'
import { Failure } from '../../ui/problem.tsx'
import { Confirmation } from './confirmation.tsx'
import { LearningText } from './learning-text.tsx'
import styles from './learnings.module.css'
import { type Learning, MAX_TEXT } from './reads.ts'

interface ChangeProps {
  readonly learning: Learning
  readonly onClose: () => void
}

export function EditDialog({ learning, onClose }: ChangeProps) {
  const [text, setText] = useState(learning.learning)
  const write = useWrite(async (changed: string, headers) => {
    await client.patch('/v1/learnings/{learning_id}', {
      params: { learning_id: learning.id },
      body: { learning: changed, org_id: learning.organization_id },
      headers,
    })
    onClose()
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    write.mutate(text)
  }
  return (
    <Dialog title="Edit a Learning" open wide guarded onClose={onClose}>
      <form onSubmit={submit}>
        <Field
          label="Text"
          hint="Its ID, uses and author stay the same. Reviews use the new text immediately."
        >
          {(attributes) => (
            <textarea
              {...attributes}
              required
              rows={6}
              maxLength={MAX_TEXT}
              value={text}
              onChange={(event) => setText(event.target.value)}
            />
          )}
        </Field>
        {write.error === null ? null : <Failure error={write.error} title="The text was not changed." />}
        <DialogActions>
          <Button type="submit" kind="main" busy={write.isPending}>
            Save
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

export function DeleteDialog({ learning, onClose }: ChangeProps) {
  const write = useWrite(async (id: string, headers) => {
    await client.delete('/v1/learnings/{learning_id}', {
      params: { learning_id: id },
      query: { org_id: learning.organization_id },
      headers,
    })
    onClose()
  })
  return (
    <Confirmation
      open
      title="Delete this Learning?"
      confirm="Delete"
      danger
      busy={write.isPending}
      onClose={onClose}
      onConfirm={() => write.mutate(learning.id)}
    >
      <LearningText text={learning.learning} flags={learning.flags} />
      <p className={styles['paragraph']}>
        Reviews stop using it immediately.{' '}
        {learning.usage_count === 0
          ? 'No review has used it.'
          : `${formatCounted(learning.usage_count, 'review has', 'reviews have')} used it.`}{' '}
        You can write the same text again, but its use count starts at 0.
      </p>
      {write.error === null ? null : <Failure error={write.error} title="The Learning was not deleted." />}
    </Confirmation>
  )
}
