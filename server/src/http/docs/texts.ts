import type { ErrorCode } from '../../errors.ts'

/** Each paragraph begins with its title; the reference page renders one section per paragraph. */
export const introduction = `**Keys.** Send an API key in the header \`x-service-api-key\` with every request. \
The kind of the key decides what it can read: an organization, user, legacy or agentic key reads its \
organization; a workspace token reads every organization of its workspace; an instance key reads the \
organizations of its self-hosted instance that it is authorized for.

**Sessions.** A browser of a person who signed in at \`/auth/sign-in\` sends a session cookie instead of a key. The header \
\`x-scholiast-organization\` names the organization, and the request is what a user key of the person for that organization \
would send; workspace admins may name \`all\`, which acts as a workspace token. Reads count against a limit of the person, \
120 requests per 60 seconds. Requests that change something must come from a page of the service. A request with both a \
key and a session is 400.

**Requests.** Unknown query parameters and unknown body fields are rejected; no value is coerced or dropped \
silently. Events are different: their unknown fields are ignored, and the response warns about those that look like a \
misspelled field. Lists are comma-separated in one parameter, without spaces around a value. Dates are \`YYYY-MM-DD\` of the \
years 0001 to 9999, and all days are UTC. An \`org_id\` that the key ignores is not looked at. Bodies are JSON of at \
most 4 MiB, uncompressed or with content-encoding gzip; DELETE takes none. HEAD is answered and counted like GET.

**Compression.** JSON, CSV and NDJSON responses of at least 256 bytes are sent with gzip if \`accept-encoding\` allows it, \
except errors and responses that show a secret. Size limits count the bytes before compression.

**Errors.** An error response has one of two bodies. Most endpoints return \
\`{"error": {"code": "…", "message": "…"}}\`. The endpoints under \`/v1/learnings\` return a list: \
\`{"errors": [{"code": "…", "message": "…"}]}\`. The reference shows the body of each endpoint. The field \`code\` is \
stable: use it in programs. The field \`message\` is for people and can change. Errors that concern no endpoint, such \
as an unknown path, use the first body. \`/mcp\` returns JSON-RPC errors with the code in \`error.data.code\`. An \
internal error reveals only its request id.

**Pages.** Pass the \`next_cursor\` of a response as the \`cursor\` of the next request, with the same filters, \
until it is \`null\`. A cursor is opaque and never expires.

**Rate limits.** Rate limits use a sliding window shared by all API nodes. Rejected requests do not count \
against it. The headers \`RateLimit-Policy\` and \`RateLimit\` show the limit and what remains of it. After a 429 or \
a 503, wait for the number of seconds in \`Retry-After\`.

**Idempotent requests.** POST, PATCH and DELETE accept an \`Idempotency-Key\`. For 24 hours, the same request with \
the same key returns the first response and changes nothing again. Keys belong to the selected or bound organization; \
a request to several organizations has keys of the tenant root.

**Events.** Reviewers and self-hosted deployments send events to \`POST /ingest/v1/events\`, with an ingest \
credential instead of an API key; each of the two is 401 where the other is needed. The schema of every event is at \`/events.schema.json\`.

**Agents.** Coding agents and reviewers use the Model Context Protocol at \`/mcp\`, with the same keys in the same \
header. The tool \`search_learnings\` is the endpoint \`POST /v1/review-context\`; \`explain_learning\` and \
\`propose_learning\` exist only as tools.

**Examples.** The examples show the tenant Meridian Freight of the demo (\`npm run dev\`) and a user key of its \
organization Meridian Platform. IDs that the server makes, cursors and dates differ in your responses.

**Request ids.** Every response carries the header \`x-request-id\`. It repeats the id of the request if that has 1 to \
128 letters, digits, dots, underscores and hyphens; otherwise the server creates one.`

export const errorDescriptions: Readonly<Record<ErrorCode, string>> = {
  INVALID_REQUEST: 'The path, the query, a header or the body does not match its schema.',
  INVALID_CURSOR:
    'The cursor was modified, or it belongs to another endpoint, organization, filter or page size. The message says which.',
  ORG_ID_REQUIRED:
    'A workspace token must select an organization: pass `org_id`. A session must name one in `x-scholiast-organization`.',
  ORG_ID_AMBIGUOUS: 'Two organizations have this `org_id` at different providers: pass `provider:id`.',
  BATCH_SIZE_EXCEEDED: 'The request has more entries than allowed: send them in several requests.',
  UNAUTHORIZED:
    'The key is missing, malformed, unknown, expired or revoked, or it is an ingest credential, which only sends events.',
  NO_ACTIVE_SUBSCRIPTION: 'The Enterprise subscription of the organization is not active.',
  ENTERPRISE_REQUIRED: 'The organization has no active Enterprise subscription.',
  KEY_KIND_NOT_ALLOWED: 'The endpoint does not accept keys of this kind.',
  OWNER_NOT_ADMIN: 'The owner of the workspace token is no longer a workspace admin.',
  PERMISSION_DENIED: "The key or its owner's role lacks the required permission.",
  NOT_ADMIN: "The key's owner does not have the Admin role.",
  SELF_HOSTED_ONLY: 'The endpoint is available only to organizations of a self-hosted instance.',
  ORGANIZATION_OUT_OF_SCOPE: 'The key is not authorized for one of the selected organizations.',
  METRICS_UNAVAILABLE: 'Metrics are disabled for an organization in the requested scope.',
  REPOSITORY_ACCESS_REQUIRED: "The key's owner has no verified read access to the repository.",
  REAUTHENTICATION_REQUIRED: 'The request needs a sign-in of the last 10 minutes: sign in again and retry.',
  CROSS_SITE_REQUEST:
    'A request that changes something in a session was not started by a page of this service.',
  NOT_FOUND: 'The object does not exist, or the key cannot read it.',
  ORGANIZATION_NOT_FOUND: 'No active organization that the key can read matches.',
  METHOD_NOT_ALLOWED: 'The path does not support this method; the header `Allow` lists the supported ones.',
  ROLE_IN_USE: 'The role is still assigned to people.',
  ROLE_NAME_TAKEN: 'Another role of the organization has this name.',
  LEARNING_EXISTS: 'Another Learning of the repository has this text.',
  PROTECTED_ROLE: 'The person is a billing admin: give that role to somebody else first.',
  LAST_ADMIN: 'The person is the last admin: make somebody else an admin first.',
  KEY_IN_USE: 'A key of the person was used lately: confirm it in `confirm_keys`.',
  CONNECTOR_EXISTS: 'The organization has a connector for this account of the Git provider.',
  IDEMPOTENCY_KEY_REUSED: 'The `Idempotency-Key` was used for another request: use a new one.',
  LEGACY_API_KEY: 'The endpoint no longer accepts legacy keys: regenerate the key.',
  RESPONSE_TOO_LARGE:
    'The response would be too large: reduce `limit`, narrow the time window or add filters.',
  PAYLOAD_TOO_LARGE: 'The body is larger than 4 MiB after decompression: send fewer entries in each request.',
  UNSUPPORTED_MEDIA_TYPE:
    'The content type of the body is not supported, or it is compressed with something other than gzip.',
  RATE_LIMIT_EXCEEDED:
    'The rate limit is reached, or too many of these requests run concurrently: wait for `Retry-After`.',
  INTERNAL_ERROR: 'An internal error: report the request id.',
  METRICS_PREPARING: 'The metrics are being moved to another store: wait for `Retry-After`.',
  METRICS_TEMPORARILY_UNAVAILABLE: 'The metrics store is unavailable: wait for `Retry-After`.',
  OVERLOADED: 'The server is overloaded or a component it needs is unavailable: wait for `Retry-After`.',
  INDEX_FAILED:
    'The Learning was updated, but its search index was not: repeat the same request after `Retry-After`.',
}
