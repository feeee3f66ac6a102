import type { Static } from 'typebox'
import type { SelectedScope } from '../../../access/scope.ts'
import { Refusal, refuse } from '../../../errors.ts'
import type { AppContext } from '../../../http/app-context.ts'
import type { RequestContext } from '../../../http/endpoint.ts'
import { errorReply, ok, type Reply } from '../../../http/reply.ts'
import { indexLearnings } from '../../../learning-index/index-learnings.ts'
import { findTextFlags } from '../../../text/flags.ts'
import { isTooLong, type RedactedLearning, readLearning } from '../../../text/identity.ts'
import { REDACTOR_VERSION } from '../../../text/redact.ts'
import { renderLearning } from '../read/render.ts'
import { readLearningRecords } from '../read/sql.ts'
import { type EmbeddedTexts, embedTexts } from './embed.ts'
import { describeBadText, hashContent, hashContentForVersions } from './item.ts'
import { recordLearningChanges } from './record-change.ts'
import type { LearningPath, PatchBody } from './schema.ts'
import {
  findLearnings,
  findTombstones,
  type LearningRow,
  reserveLearningPositions,
  updateLearnings,
  writeTombstone,
} from './sql.ts'
import { parseLearningId, refuseUnknownLearning, toWriteContext, type WriteContext } from './write-context.ts'

interface PatchInput {
  readonly params: Static<typeof LearningPath>
  readonly body: Static<typeof PatchBody>
}

interface PreparedPatch {
  readonly learning: RedactedLearning
  readonly embedded: EmbeddedTexts
}

export function refuseBadText({ body }: PatchInput): void {
  const text = body.learning.trim()
  if (text === '' || isTooLong(text)) refuseText(body)
}

export async function prepareText(
  app: AppContext,
  { body }: PatchInput,
  { scope }: SelectedScope,
): Promise<PreparedPatch> {
  const learning = readLearning(body.learning) ?? refuseText(body)
  return { learning, embedded: await embedTexts(scope, app, [learning.stored.text]) }
}

function refuseText({ learning }: PatchInput['body']): never {
  return refuse('INVALID_REQUEST', `The body is not valid: ${describeBadText(learning)}`)
}

export async function patchLearning(
  context: RequestContext<PreparedPatch>,
  { params, body }: PatchInput,
): Promise<Reply> {
  const { learning, embedded } = context.prepared
  const writeContext = toWriteContext(context)
  const was = await readLearningToPatch(writeContext, params.learning_id, {
    sent: body.learning,
    identity: learning.identity,
  })
  const is = await replaceText(writeContext, was, learning)
  const { scope, tx, at, organization } = writeContext
  const toIndex = is.state === 'shared' ? [{ learning: is, vectors: embedded.vectorsOf(is.text) }] : []
  const unindexed = await indexLearnings(scope, tx, embedded.models, toIndex, at, embedded.onIndexError)
  const [record] = await readLearningRecords(scope, tx, [{ organization_id: organization, id: is.id }])
  if (is !== was) await recordLearningChanges(writeContext, [{ what: 'updated', learning: is, was }])
  if (unindexed.size > 0) return replyIndexFailed()
  if (record === undefined) throw new Error('The updated Learning was not found.')
  return ok(renderLearning(record))
}

/** Locks the head. Refuses an unknown id, and a text that another Learning of the repository has or that is disapproved. */
async function readLearningToPatch(
  { scope, tx, organization }: WriteContext,
  given: string,
  text: { readonly sent: string; readonly identity: string },
): Promise<LearningRow> {
  const id = parseLearningId(given)
  if (id === null) return refuseUnknownLearning()
  const [head, [found]] = await Promise.all([
    reserveLearningPositions(scope, tx, 0, REDACTOR_VERSION),
    findLearnings(scope, tx, organization, { ids: [id] }),
  ])
  if (found === undefined) return refuseUnknownLearning()
  const hashes = hashContentForVersions(
    { ...text, repository_id: found.repository_id },
    head.redactor_version,
  )
  const [owners, tombstones] = await Promise.all([
    findLearnings(scope, tx, organization, { hashes }),
    findTombstones(scope, tx, organization, hashes),
  ])
  if (tombstones.length > 0) {
    return refuse(
      'LEARNING_EXISTS',
      'An Admin disapproved a Learning of the repository with this text. Send a different text.',
    )
  }
  if (owners.some((owner) => owner.id !== found.id)) {
    return refuse(
      'LEARNING_EXISTS',
      'Another Learning of the repository has this text. Delete one of them, or send a different text.',
    )
  }
  return found
}

/** An unchanged text is not written, but the caller still rebuilds its index. */
async function replaceText(
  { scope, tx, at }: WriteContext,
  was: LearningRow,
  { stored, identity }: RedactedLearning,
): Promise<LearningRow> {
  const content_hash = hashContent({ repository_id: was.repository_id, identity })
  if (was.text === stored.text && was.content_hash.equals(content_hash)) return was
  const is = {
    ...was,
    text: stored.text,
    content_hash,
    redactor_version: REDACTOR_VERSION,
    flags: findTextFlags(stored.text, was.file),
    updated_at: at,
  }
  // Otherwise a member could change the Learning, and then create the disapproved text again.
  if (was.state === 'disapproved' && !was.content_hash.equals(content_hash))
    await writeTombstone(scope, tx, was, at)
  await updateLearnings(scope, tx, [is])
  return is
}

/** Returned, not thrown: an exception would roll back the new text. */
function replyIndexFailed(): Reply {
  const message =
    'The text was replaced, but reviews do not find it yet: its index could not be written. ' +
    'Repeat the same request to rebuild it, or wait: the server retries automatically.'
  return errorReply('errors', new Refusal('INDEX_FAILED', message, { 'retry-after': '2' }))
}
