import { Type } from 'typebox'
import { closed } from '../../../shape.ts'

const MAX_ITEMS = 100
const MAX_FILE_LENGTH = 1024
const MAX_URL_LENGTH = 2048

/** The id of anything that the provider has given an id. */
const MAX_PROVIDER_ID_LENGTH = 200

const orgId = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 400,
    description:
      'Required for workspace tokens: the Git provider’s id of the organization. Ignored for other keys.',
  }),
)

const text = Type.String({
  description:
    'Guidance for reviews, 1 to 10,000 code points after trimming. Recognized credentials are replaced by ' +
    '`[REDACTED:…]` before it is stored, indexed or sent anywhere.',
  examples: ['Amounts of money are integers of the smallest unit, never floating point.'],
})

export const LearningItem = Type.Object(
  {
    repository_id: Type.String({
      minLength: 1,
      maxLength: MAX_PROVIDER_ID_LENGTH,
      description: 'The Git provider’s id of an active repository of the organization.',
    }),
    learning: text,
    file: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: MAX_FILE_LENGTH,
        description: 'Path of the file that it is about.',
      }),
    ),
    source_url: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: MAX_URL_LENGTH,
        description: 'Where it comes from: an http or https URL without user info.',
      }),
    ),
  },
  closed,
)

export const CreateBody = Type.Object(
  {
    data: Type.Array(LearningItem, {
      minItems: 1,
      maxItems: MAX_ITEMS,
      description: 'Taken in order. What is wrong with an item fails that item alone.',
    }),
    org_id: orgId,
  },
  closed,
)

export const itemCodes = [
  'INVALID_ITEM',
  'REPOSITORY_NOT_FOUND',
  'DISAPPROVED',
  'INDEX_FAILED',
  'INTERNAL_ERROR',
] as const

const ItemResult = Type.Object(
  {
    index: Type.Integer({ minimum: 0, description: 'Its place in the request.' }),
    status: Type.Unsafe<string>({
      type: 'string',
      enum: ['created', 'duplicate', 'failed'],
      description:
        '`duplicate` also tells of a private or pending Learning with the same text, which is shared from now on.',
    }),
    id: Type.Optional(
      Type.String({ format: 'uuid', description: 'Of the stored Learning; absent where nothing is stored.' }),
    ),
    error: Type.Optional(
      Type.Object(
        {
          code: Type.Unsafe<string>({
            type: 'string',
            enum: [...itemCodes],
            description:
              '`INDEX_FAILED`: it is stored, but reviews do not find it yet; the same item again repairs that.',
          }),
          message: Type.String({ description: 'For people: may be reworded.' }),
        },
        closed,
      ),
    ),
  },
  closed,
)

const count = (description: string) => Type.Integer({ minimum: 0, description })

export const BatchResult = Type.Object(
  {
    status: Type.Unsafe<string>({
      type: 'string',
      enum: ['success', 'partial_success', 'failure'],
      description: 'Whether no item, some or all of them failed.',
    }),
    created_count: count('Items that were created.'),
    duplicate_count: count('Items that were there already.'),
    failed_count: count('Items that failed.'),
    results: Type.Array(ItemResult, { description: 'One for each item, in the order of the request.' }),
  },
  closed,
)

export const LearningPath = Type.Object(
  { learning_id: Type.String({ description: 'As it was returned by create or export.' }) },
  closed,
)

export const PatchBody = Type.Object({ learning: text, org_id: orgId }, closed)

export const ApprovalBody = Type.Object(
  {
    decision: Type.Unsafe<'approve' | 'disapprove'>({ type: 'string', enum: ['approve', 'disapprove'] }),
    org_id: orgId,
  },
  closed,
)

export const Approval = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    state: Type.Unsafe<string>({ type: 'string', enum: ['shared', 'disapproved'] }),
  },
  closed,
)

export const OrganizationQuery = Type.Object({ org_id: orgId }, closed)
