import type { ErrorCode } from '../../errors.ts'

/** Paragraphs with a title in front; the reference page makes a section of each. */
export const introduction = `**Keys.** Every request carries an API key in the header \
\`x-service-api-key\`. The kind of the key decides what it sees: an organization, user, legacy or agentic \
key its organization, a workspace token every organization of its workspace, an instance key the \
organizations of its self-hosted instance that it is authorized for.

**Requests.** Unknown query parameters and unknown body fields are refused; nothing is coerced or dropped \
silently. Lists are comma separated in one parameter. Dates are \`YYYY-MM-DD\`, and all days are UTC. \
Bodies are JSON of at most 4 MiB, plain or with content-encoding gzip.

**Errors.** Every refusal has a \`code\` that stays and a \`message\` for people. A defect on our side \
tells only its request id.

**Pages.** Pass \`next_cursor\` of a reply as \`cursor\` of the next request, with the same filters, until \
it is \`null\`. A cursor is opaque and never expires.

**Limits.** A limit holds for every sliding window, over all nodes of the service together; refused \
requests do not count. \`RateLimit-Policy\` and \`RateLimit\` tell where you stand. After a 429 or a 503, \
wait for as many seconds as \`Retry-After\` says.

**Repeated writes.** POST, PATCH and DELETE take an \`Idempotency-Key\`: for 24 hours the same request \
with the same key returns the first answer and changes nothing again.

**Events.** Reviewers and self-hosted deployments tell what happened at \`POST /ingest/v1/events\`, with an \
ingest credential instead of an API key. The shape of every event is at \`/events.schema.json\`.

**Agents.** Coding agents and reviewers speak the Model Context Protocol at \`/mcp\`, with the same keys in the same \
header. Its tools are endpoints under other names: \`search_learnings\` is \`POST /v1/review-context\`; \
\`explain_learning\` and \`propose_learning\` are offered there alone.

**Request ids.** Every reply carries \`x-request-id\`: yours, if you sent one of 1 to 128 letters, digits, \
dots, underscores and hyphens, else one of ours.`

export const errorDescriptions: Readonly<Record<ErrorCode, string>> = {
  INVALID_REQUEST: 'The path, the query, a header or the body does not have the documented shape.',
  INVALID_CURSOR: 'The cursor was altered, or belongs to another list, other filters or another page size.',
  ORG_ID_REQUIRED: 'A workspace token has to say which organization is meant: pass `org_id`.',
  ORG_ID_AMBIGUOUS: 'Two organizations have this `org_id` at different providers: pass `provider:id`.',
  BATCH_SIZE_EXCEEDED: 'The request has more entries than one request may carry.',
  UNAUTHORIZED: 'The key is missing, malformed, unknown, expired or revoked.',
  NO_ACTIVE_SUBSCRIPTION: 'The organization has no active subscription.',
  ENTERPRISE_REQUIRED: 'The organization is not on the Enterprise plan.',
  KEY_KIND_NOT_ALLOWED: 'Keys of this kind are not accepted here.',
  OWNER_NOT_ADMIN: 'The owner of the workspace token is no longer a workspace admin.',
  PERMISSION_DENIED: "The key, or its owner's role, lacks the permission.",
  NOT_ADMIN: "The key's owner does not have the Admin role.",
  SELF_HOSTED_ONLY: 'Only organizations of a self-hosted instance have this.',
  ORGANIZATION_OUT_OF_SCOPE: 'The key is not authorized for one of the named organizations.',
  METRICS_UNAVAILABLE: 'An organization in the requested scope has no metrics to offer.',
  REPOSITORY_ACCESS_REQUIRED: "The key's owner has no verified read access to the named repository.",
  NOT_FOUND: 'There is no such object that this key can see.',
  ORGANIZATION_NOT_FOUND: 'No active organization that this key can see matches.',
  METHOD_NOT_ALLOWED: 'The path does not take this method; the header `Allow` names those it takes.',
  ROLE_IN_USE: 'People still have this role.',
  ROLE_NAME_TAKEN: 'Another role of the organization has this name.',
  LEARNING_EXISTS: 'Another Learning of the repository has this text.',
  IDEMPOTENCY_KEY_REUSED: 'This `Idempotency-Key` was used for another request.',
  LEGACY_API_KEY: 'Legacy keys are no longer accepted here: regenerate the key.',
  RESPONSE_TOO_LARGE: 'The answer would be too large: reduce `limit`, narrow the window or add filters.',
  PAYLOAD_TOO_LARGE: 'The body is larger than 4 MiB after inflating: send it in parts.',
  UNSUPPORTED_MEDIA_TYPE: 'The body is of another media type, or is compressed otherwise than with gzip.',
  RATE_LIMIT_EXCEEDED: 'The window is full, or too many such requests run at once: wait for `Retry-After`.',
  INTERNAL_ERROR: 'A defect on our side: tell us the request id.',
  METRICS_PREPARING: 'The metrics are being moved to a store of their own: wait for `Retry-After`.',
  METRICS_TEMPORARILY_UNAVAILABLE: 'The metrics store cannot be reached: wait for `Retry-After`.',
  OVERLOADED: 'The service is busier than it can bear: wait for `Retry-After`.',
  INDEX_FAILED:
    'The Learning was updated, but its review index was not: repeat the same request after `Retry-After`.',
}
