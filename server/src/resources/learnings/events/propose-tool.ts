import { type Static, Type } from 'typebox'
import type { SelectedScope } from '../../../access/scope.ts'
import { refuse } from '../../../errors.ts'
import type { AppContext } from '../../../http/app-context.ts'
import type { RequestContext, RequestInput } from '../../../http/endpoint.ts'
import type { Reply } from '../../../http/reply.ts'
import { choice, closedObject, NoPath, NoQuery } from '../../../shape.ts'
import { embedTexts } from '../write/embed.ts'
import { type ParsedItem, validateItem } from '../write/item.ts'
import { UNKNOWN_REPOSITORY_MESSAGE } from '../write/plan.ts'
import { CreateBody, LearningItem } from '../write/schema.ts'
import { findActiveRepositoryIds, readAuthor } from '../write/sql.ts'
import { toWriteContext } from '../write/write-context.ts'
import { type ProposalResources, proposeAsAgent } from './propose.ts'

export const ProposeBody = closedObject({ ...LearningItem.properties, org_id: CreateBody.properties.org_id })

export const ProposeResult = closedObject({
  id: Type.String({ format: 'uuid' }),
  state: choice<string>(['private', 'pending', 'shared', 'disapproved'], {
    description:
      '`pending`: an Admin must approve the Learning. Any other state: a Learning with this text already existed.',
  }),
  matched: Type.Optional(
    choice(['id'], {
      description:
        'Only if the Learning was created with this text and somebody has changed its text since. It is not changed back.',
    }),
  ),
})

type ProposeInput = RequestInput<typeof NoPath, typeof NoQuery, typeof ProposeBody>

export function refuseInvalidProposal({ body }: ProposeInput): void {
  parseItem(body)
}

/** A pending Learning is not embedded, but writing it needs the list of models. */
export async function prepareProposal(
  app: AppContext,
  _input: ProposeInput,
  { scope }: SelectedScope,
): Promise<ProposalResources> {
  return { embedded: await embedTexts(scope, app, []), maxPending: app.config.maxPendingLearnings }
}

/** Every proposal through the tool needs approval, whatever the kind of key. */
export async function handleProposeLearning(
  context: RequestContext<ProposalResources>,
  { body }: ProposeInput,
): Promise<Reply> {
  const { sent, text, identity, repository_id, file, source_url, flags } = parseItem(body)
  const writeContext = toWriteContext(context)
  const { scope, tx, organization, owner } = writeContext
  const [repositories, author] = await Promise.all([
    findActiveRepositoryIds(scope, tx, organization, [repository_id]),
    readAuthor(scope, tx, organization, owner),
  ])
  if (!repositories.has(repository_id)) {
    refuse('NOT_FOUND', UNKNOWN_REPOSITORY_MESSAGE)
  }
  const content = {
    organization,
    repository_id,
    sent,
    text,
    identity,
    file,
    source_url,
    flags,
    ...author,
    pull_request: null,
    person_id: owner,
  }
  const { id, state, matched } = await proposeAsAgent(writeContext, content, context.prepared)
  return { status: 200, body: { json: { id, state, ...(matched && { matched }) } } }
}

function parseItem(body: Static<typeof ProposeBody>): ParsedItem {
  const item = Object.entries(body).filter(([name]) => name !== 'org_id')
  const validated = validateItem(Object.fromEntries(item))
  return 'item' in validated ? validated.item : refuse('INVALID_REQUEST', validated.problem)
}
