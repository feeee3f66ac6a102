import { type Static, Type } from 'typebox'
import { choice, closedObject, nullable, optionalOrgId, rankedBy } from '../../shape.ts'
import { textFlags } from '../../text/flags.ts'

const nullableText = (description: string) => nullable(Type.String(), { description })
const time = { format: 'date-time' }

const orgId = optionalOrgId(
  'Organization ID assigned by the Git provider. Required for workspace tokens; ignored for other keys.',
)

export const ContextBody = closedObject(
  {
    repository_id: Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'ID, assigned by the Git provider, of the repository under review.',
      examples: ['702417'],
    }),
    org_id: orgId,
    text: Type.Optional(
      Type.String({
        maxLength: 20_000,
        description: 'Description of the change, in your own words. Never logged.',
        examples: ['Adds a retry around the payment call'],
      }),
    ),
    diff: Type.Optional(
      Type.String({
        maxLength: 1_048_576,
        description: 'A unified diff. For a long diff, only some lines of each file are used. Never logged.',
        examples: ['@@ -1 +1,2 @@\n const amount = cents\n+await retry(() => pay(amount))'],
      }),
    ),
    files: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 1024 }), {
        maxItems: 300,
        description: 'Paths of the files that are changed or read.',
        examples: [['src/payments/charge.ts']],
      }),
    ),
    k: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 50,
        default: 10,
        description: 'Maximum number of Learnings to return. Fewer are returned, or none, if fewer match.',
      }),
    ),
    record_use: Type.Optional(
      Type.Boolean({
        default: true,
        description:
          'Whether the returned Learnings with a strong match count as used. Set it to false if you only browse.',
      }),
    ),
    pull_request: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'Number of the open pull request under review. Includes its private Learnings.',
      }),
    ),
  },
  { examples: [{ repository_id: '702417', text: 'Adds a retry around the payment call' }] },
)
export type ContextBody = Static<typeof ContextBody>

const Flags = Type.Optional(
  Type.Array(choice(textFlags), {
    description:
      'Only if there is one. `addresses_agent`: the text speaks to an agent or a tool. `hidden_characters`: it contains ' +
      'characters that no reader sees. Both are found by heuristics.',
    examples: [['addresses_agent']],
  }),
)

const FoundLearning = closedObject({
  id: Type.String({ format: 'uuid' }),
  learning: Type.String({
    examples: ['Calls to the payment provider are never retried without an idempotency key.'],
  }),
  file: nullableText('Path of the file that the Learning is about; null if none.'),
  score: Type.Number({
    minimum: 0,
    maximum: 1,
    description: 'How well the Learning matches. Learnings below the calibrated floor are not returned.',
  }),
  match: choice(['strong', 'weak'], {
    description:
      'strong: the Learning probably applies, and counts as used. weak: it may apply; read it before you rely on it.',
  }),
  reason: Type.String({
    description: 'Why the Learning matches, in one sentence.',
    examples: ['Mentions `retry` and `payment`; written for src/billing.'],
  }),
  author_username: nullableText('User name of the author when the Learning was created; null if unknown.'),
  source: choice(['api', 'chat', 'review', 'agent', 'connector'], { description: 'How it was created.' }),
  created_at: Type.String({ ...time, description: 'When the Learning was created.' }),
  contradicts: Type.Array(Type.String({ format: 'uuid' }), {
    description:
      'IDs of other Learnings of this response that speak against this one. Of two such Learnings, the one that was ' +
      'approved later comes first. Found by heuristics: a team may have contradictions that are not recognized.',
  }),
  flags: Flags,
})
export type FoundLearning = Static<typeof FoundLearning>

export const ContextReply = closedObject({
  learnings: Type.Array(FoundLearning, { description: 'Best match first.' }),
  ranked_by: rankedBy,
})
export type ContextReply = Static<typeof ContextReply>

export const ExplainBody = closedObject({
  learning_id: Type.String({
    format: 'uuid',
    description: 'ID of a Learning, as returned by a search.',
  }),
  org_id: orgId,
})

export const Explanation = closedObject({
  id: Type.String({ format: 'uuid' }),
  state: choice(['shared', 'pending', 'disapproved'], {
    description: 'Reviews use only shared Learnings. For the other states, all other fields are null.',
  }),
  learning: nullableText('The text.'),
  file: nullableText('Path of the file that the Learning is about; null if none.'),
  repository_id: nullableText('Repository ID assigned by the Git provider.'),
  repository_name: nullableText('Current name of the repository.'),
  author_username: nullableText('User name of the author when the Learning was created.'),
  source: nullableText('How it was created: api, chat, review or agent.'),
  source_url: nullableText('Origin of the Learning; null if none.'),
  created_at: nullable(Type.String(time)),
  usage_count: nullable(Type.Integer({ minimum: 0 }), {
    description: 'Number of reviews that used the Learning.',
  }),
  last_used_at: nullable(Type.String(time)),
  flags: Flags,
})
export type Explanation = Static<typeof Explanation>
