import { Type } from 'typebox'
import { MAX_SIMILAR } from '../../../learning-index/similar.ts'
import { choice, closedObject, ITEMS_VALIDATED_BY_HANDLER, optionalOrgId } from '../../../shape.ts'
import { SimilarLearning, textFlag } from '../read/schema.ts'

const MAX_ITEMS = 100
const MAX_FILE_LENGTH = 1024
const MAX_URL_LENGTH = 2048

const MAX_PROVIDER_ID_LENGTH = 200

const orgId = optionalOrgId(
  'Organization ID assigned by the Git provider. Required for workspace tokens; ignored for other keys.',
)

const text = Type.String({
  description:
    'Guidance for reviews, 1 to 10,000 code points after trimming. Recognized credentials are replaced by ' +
    '`[REDACTED:…]` before the text is stored, indexed or sent to an embedding model.',
  examples: ['Amounts of money are integers of the smallest unit, never floating point.'],
})

export const LearningItem = closedObject({
  repository_id: Type.String({
    minLength: 1,
    maxLength: MAX_PROVIDER_ID_LENGTH,
    description: 'ID, assigned by the Git provider, of an active repository of the organization.',
  }),
  learning: text,
  file: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: MAX_FILE_LENGTH,
      description: 'Path of the file that the Learning is about.',
    }),
  ),
  source_url: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: MAX_URL_LENGTH,
      description: 'Origin of the Learning: an http or https URL without user info.',
    }),
  ),
})

export const ImportableItem = closedObject({
  ...LearningItem.properties,
  import: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        'true: the text comes from a rules file or another source that the sender did not write. If it has a flag, the ' +
        'Learning is pending until an Admin decides, and an equal pending or private Learning is not changed.',
    }),
  ),
  share_flagged: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        'true: share the text of an import although it has a flag. Only if the owner of the key is an Admin; otherwise, ' +
        'and without `import`, it has no effect.',
    }),
  ),
})

export const CreateBody = closedObject({
  data: Type.Array(ImportableItem, {
    minItems: 1,
    maxItems: MAX_ITEMS,
    [ITEMS_VALIDATED_BY_HANDLER]: true,
    description: 'Processed in order. An invalid item fails alone; the other items are processed.',
  }),
  dry_run: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        'true: the response has the results that the same request would have now, with the same ids, and nothing is ' +
        'written or indexed.',
    }),
  ),
  org_id: orgId,
})

/** Fields of an item that a duplicate may ignore. */
const ignoredFields = ['learning', 'file', 'source_url'] as const
export type IgnoredField = (typeof ignoredFields)[number]

export const itemCodes = [
  'INVALID_ITEM',
  'REPOSITORY_NOT_FOUND',
  'DISAPPROVED',
  'INDEX_FAILED',
  'RATE_LIMIT_EXCEEDED',
  'INTERNAL_ERROR',
] as const

const Similar = Type.Optional(
  Type.Array(SimilarLearning, {
    maxItems: MAX_SIMILAR,
    description:
      'The shared Learnings that say nearly the same, or the opposite, closest first: to merge them, or to delete one. ' +
      'Absent if the request made no text shared, or if the server has no calibrated embedding model to compare with.',
  }),
)

const batchStatus = choice(['success', 'partial_success', 'failure'], {
  description: '`success`: no item failed; `partial_success`: some failed; `failure`: all failed.',
})

const ItemResult = closedObject({
  index: Type.Integer({ minimum: 0, description: 'Index of the item in the request.' }),
  status: choice<string>(['created', 'duplicate', 'failed'], {
    description:
      '`duplicate`: a Learning with the same text exists. If it was private or pending, it is shared now, unless ' +
      '`state` says otherwise. With `matched`, the text was changed since, and nothing happened.',
  }),
  id: Type.Optional(
    Type.String({
      format: 'uuid',
      description:
        'ID of the stored Learning, or of the disapproved one; absent if there is none. An Admin can approve the latter.',
    }),
  ),
  matched: Type.Optional(
    choice(['id'], {
      description:
        'Only on a duplicate without an equal text: the Learning `id` was created with this text, and somebody has ' +
        'changed it since. It is not changed back.',
    }),
  ),
  ignored: Type.Optional(
    Type.Array(choice(ignoredFields), {
      minItems: 1,
      uniqueItems: true,
      description:
        'Only on a duplicate: the fields of the item that differ from the stored Learning, which keeps its own.',
      examples: [['file', 'source_url']],
    }),
  ),
  state: Type.Optional(
    choice(['pending', 'private'], {
      description:
        'Only if the Learning has this text and is not shared. `pending`: an Admin must decide on it; list such Learnings with ' +
        'GET /v1/learnings/pending. `private`: only its pull request uses it.',
    }),
  ),
  flags: Type.Optional(
    Type.Array(textFlag, {
      minItems: 1,
      description:
        'Only if the text has one. `addresses_agent`: it speaks to an agent or a tool. `hidden_characters`: it contains ' +
        'characters that no reader sees. Both are found by heuristics.',
    }),
  ),
  flag_excerpts: Type.Optional(
    Type.Array(Type.String(), {
      minItems: 1,
      description:
        'With `flags`, and in the same order: what in the text raises the flag. A phrase, or the code points of hidden ' +
        'characters.',
      examples: [['Ignore all previous instructions', 'U+200B, U+202E']],
    }),
  ),
  similar: Similar,
  error: Type.Optional(
    closedObject({
      code: choice<string>(itemCodes, {
        description:
          '`INDEX_FAILED`: the Learning is stored, but reviews do not find it yet; send the same item again to repair the ' +
          'index. `RATE_LIMIT_EXCEEDED`: the item would be pending, and the tenant has the maximum of pending Learnings.',
      }),
      message: Type.String({ description: 'For people; the wording may change.' }),
    }),
  ),
})

const count = (description: string) => Type.Integer({ minimum: 0, description })

export const BatchResult = closedObject({
  status: batchStatus,
  created_count: count('Number of created Learnings, also of those that are pending.'),
  duplicate_count: count('Number of items whose text already existed.'),
  failed_count: count('Number of failed items.'),
  results: Type.Array(ItemResult, {
    minItems: 1,
    maxItems: MAX_ITEMS,
    description: 'One result per item, in the order of the request.',
  }),
})

export const LearningPath = closedObject({
  learning_id: Type.String({ description: 'ID of the Learning, as returned by create or export.' }),
})

export const PatchBody = closedObject({ learning: text, org_id: orgId })

const decision = choice(['approve', 'disapprove'])

export const ApprovalBody = closedObject({ decision, org_id: orgId })

export const ApprovalsBody = closedObject({
  decisions: Type.Array(
    closedObject({
      learning_id: Type.String({
        maxLength: 200,
        description: 'ID of a pending or disapproved Learning.',
      }),
      decision,
    }),
    { minItems: 1, maxItems: MAX_ITEMS, description: 'Applied in this order.' },
  ),
  org_id: orgId,
})

export const ApprovalsResult = closedObject({
  status: batchStatus,
  results: Type.Array(
    closedObject({
      learning_id: Type.String({ description: 'As sent.' }),
      status: choice(['decided', 'failed']),
      state: Type.Unsafe<'shared' | 'disapproved' | 'deleted' | null>({
        type: ['string', 'null'],
        enum: ['shared', 'disapproved', 'deleted', null],
        description:
          '`deleted`: the disapproved Learning was deleted before, so that only its text is permitted again. null if it failed.',
      }),
      code: Type.Unsafe<'NOT_FOUND' | null>({
        type: ['string', 'null'],
        enum: ['NOT_FOUND', null],
        description:
          '`NOT_FOUND`: the organization has no pending or disapproved Learning with this id. null if it was decided.',
      }),
    }),
    {
      minItems: 1,
      maxItems: MAX_ITEMS,
      description: 'One result per decision, in the order of the request.',
    },
  ),
})

export const Approval = closedObject({
  id: Type.String({ format: 'uuid' }),
  state: choice<string>(['shared', 'disapproved', 'deleted'], {
    description:
      '`deleted`: the disapproved Learning was deleted before, so that only its text is permitted again: create it.',
  }),
  similar: Similar,
})

export const OrganizationQuery = closedObject({ org_id: orgId })
