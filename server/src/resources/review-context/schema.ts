import { type Static, Type } from 'typebox'
import { closed } from '../../shape.ts'

const nullable = (description: string) => Type.Union([Type.String(), Type.Null()], { description })
const time = { format: 'date-time' }

const orgId = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 400,
    description: 'Workspace tokens must say which organization is meant: its id at the Git provider.',
  }),
)

export const ContextBody = Type.Object(
  {
    repository_id: Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'The repository under review, by its id at the Git provider.',
      examples: ['702417'],
    }),
    org_id: orgId,
    text: Type.Optional(
      Type.String({
        maxLength: 20_000,
        description: 'What it is about, in your own words. Never logged.',
        examples: ['Adds a retry around the payment call'],
      }),
    ),
    diff: Type.Optional(
      Type.String({
        maxLength: 1_048_576,
        description: 'A unified diff. Of a long one some lines of each file count. Never logged.',
        examples: ['@@ -1 +1,2 @@\n const amount = cents\n+await retry(() => pay(amount))'],
      }),
    ),
    files: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 1024 }), {
        maxItems: 300,
        description: 'Paths that are changed or looked at.',
        examples: [['src/payments/charge.ts']],
      }),
    ),
    k: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 50, default: 10, description: 'How many at most.' }),
    ),
    record_use: Type.Optional(
      Type.Boolean({
        default: true,
        description: 'Whether those that are returned count as used. Say false when you only look around.',
      }),
    ),
    pull_request: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'The number of the open pull request under review: its private Learnings count too.',
      }),
    ),
  },
  { ...closed, examples: [{ repository_id: '702417', text: 'Adds a retry around the payment call' }] },
)
export type ContextBody = Static<typeof ContextBody>

const FoundLearning = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    learning: Type.String({
      examples: ['Calls to the payment provider are never retried without an idempotency key.'],
    }),
    file: nullable('The file it is about, if it was given one.'),
    score: Type.Number({
      minimum: 0,
      maximum: 1,
      description: 'How well it fits; comparable in one reply only.',
    }),
    reason: Type.String({ description: 'Why it was found.' }),
  },
  closed,
)
export type FoundLearning = Static<typeof FoundLearning>

export const ContextReply = Type.Object(
  { learnings: Type.Array(FoundLearning, { description: 'The best first.' }) },
  closed,
)

export const ExplainBody = Type.Object(
  {
    learning_id: Type.String({
      format: 'uuid',
      description: 'The id of a Learning, as a search returned it.',
    }),
    org_id: orgId,
  },
  closed,
)

export const Explanation = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    state: Type.Unsafe<'shared' | 'pending' | 'disapproved'>({
      type: 'string',
      enum: ['shared', 'pending', 'disapproved'],
      description: 'Only a shared one guides reviews; of the others nothing else is told.',
    }),
    learning: nullable('The text.'),
    file: nullable('The file it is about, if it was given one.'),
    repository_id: nullable('The repository it belongs to, by its id at the Git provider.'),
    repository_name: nullable('As of now.'),
    author_username: nullable('Who wrote it, as of the writing.'),
    source: nullable('Where it comes from: api, chat, review or agent.'),
    source_url: nullable('Where it was said, if that was given.'),
    created_at: Type.Union([Type.String(time), Type.Null()]),
    usage_count: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
      description: 'In how many reviews it was used.',
    }),
    last_used_at: Type.Union([Type.String(time), Type.Null()]),
  },
  closed,
)
export type Explanation = Static<typeof Explanation>

export const NoParams = Type.Object({}, closed)
