import type { Static } from 'typebox'
import { Refusal, refuse } from '../../../errors.ts'
import type { AppContext } from '../../../http/app-context.ts'
import type { RequestContext } from '../../../http/endpoint.ts'
import { errorReply, ok, type Reply } from '../../../http/reply.ts'
import { indexLearnings } from '../../../learning-index/index-learnings.ts'
import { isTooLong, type Learning, readLearning } from '../../../text/identity.ts'
import { REDACTOR_VERSION } from '../../../text/redact.ts'
import { renderRecord } from '../read/record.ts'
import { readRecords } from '../read/sql.ts'
import { findLearnings, type LearningRow, reserveLearningPositions, updateLearnings } from '../write-sql.ts'
import { type Embedded, embedTexts } from './embed.ts'
import { hashContent, hashContentForVersions } from './hashes.ts'
import { describeBadText } from './item.ts'
import { recordLearningChanges } from './record-change.ts'
import { readId, refuseUnknown, type Writing, writingOf } from './request.ts'
import type { LearningPath, PatchBody } from './schema.ts'

interface Input {
  readonly params: Static<typeof LearningPath>
  readonly body: Static<typeof PatchBody>
}

interface Prepared {
  readonly learning: Learning
  readonly embedded: Embedded
}

export function refuseBadText({ body }: Input): void {
  const text = body.learning.trim()
  if (text === '' || isTooLong(text)) refuseText(body)
}

export async function prepareText(app: AppContext, { body }: Input): Promise<Prepared> {
  const learning = readLearning(body.learning) ?? refuseText(body)
  return { learning, embedded: await embedTexts(app, [learning.stored.text]) }
}

function refuseText({ learning }: Input['body']): never {
  return refuse('INVALID_REQUEST', `The body is not valid: ${describeBadText(learning)}`)
}

export async function patchLearning(
  context: RequestContext<Prepared>,
  { params, body }: Input,
): Promise<Reply> {
  const { learning, embedded } = context.prepared
  const writing = writingOf(context)
  const was = await readLearningToPatch(writing, params.learning_id, {
    sent: body.learning,
    identity: learning.identity,
  })
  const is = await replaceText(writing, was, learning)
  const { scope, tx, at, organization } = writing
  const toIndex = is.state === 'shared' ? [{ learning: is, vectors: embedded.vectorsOf(is.text) }] : []
  const unindexed = await indexLearnings(scope, tx, embedded.models, toIndex, at, embedded.trouble)
  const [record] = await readRecords(scope, tx, [{ organization_id: organization, id: is.id }])
  if (is !== was) await recordLearningChanges(writing, [{ what: 'updated', learning: is }])
  if (unindexed.size > 0) return notIndexed()
  if (record === undefined) throw new Error('A Learning that was just written is there.')
  return ok(renderRecord(record))
}

/** Takes the head; refuses an unknown id, and a text that another Learning of the repository has. */
async function readLearningToPatch(
  { scope, tx, organization }: Writing,
  given: string,
  text: { readonly sent: string; readonly identity: string },
): Promise<LearningRow> {
  const id = readId(given)
  if (id === null) return refuseUnknown()
  const [head, [found]] = await Promise.all([
    reserveLearningPositions(scope, tx, 0, REDACTOR_VERSION),
    findLearnings(scope, tx, organization, { ids: [id] }),
  ])
  if (found === undefined) return refuseUnknown()
  const hashes = hashContentForVersions(
    { ...text, repository_id: found.repository_id },
    head.redactor_version,
  )
  const owners = await findLearnings(scope, tx, organization, { hashes })
  if (owners.some((owner) => owner.id !== found.id)) {
    return refuse(
      'LEARNING_EXISTS',
      'Another Learning of the repository has this text. Delete one of the two, or send another text.',
    )
  }
  return found
}

/** The same text again changes nothing, and only has its index rebuilt. */
async function replaceText(
  { scope, tx, at }: Writing,
  was: LearningRow,
  { stored, identity }: Learning,
): Promise<LearningRow> {
  const content_hash = hashContent({ repository_id: was.repository_id, identity })
  if (was.text === stored.text && was.content_hash.equals(content_hash)) return was
  const is = {
    ...was,
    text: stored.text,
    content_hash,
    redactor_version: REDACTOR_VERSION,
    updated_at: at,
  }
  await updateLearnings(scope, tx, [is])
  return is
}

/** Answered, not thrown: what is thrown undoes the change, and the text was replaced. */
function notIndexed(): Reply {
  const message =
    'The text was replaced, but reviews do not find it yet: its index could not be written. ' +
    'Repeat the same request to rebuild it, or wait: the service tries again on its own.'
  return errorReply('errors', new Refusal('INDEX_FAILED', message, { 'retry-after': '2' }))
}
