// One Learning a line: slug | text | the file it was written for, if any.

export const restApi = `
rest-plural-nouns | Paths name collections in the plural and never carry a verb: /invoices/{id}, not /getInvoice or /invoice/create.
rest-put-vs-patch | PUT replaces the whole resource and PATCH merges. If fields missing from the body keep their old value, the handler must be registered as PATCH.
rest-201-location | A successful creation answers 201 with a Location header pointing to the new resource, not 200 with an empty object.
rest-cursor-paging | Lists are paged with an opaque cursor. Offset paging skips or repeats rows as soon as somebody inserts during the walk.
rest-page-cap | Every list endpoint enforces a maximum page size on the server, whatever limit the caller asks for. Ours is 200. | api/src/http/pagination.ts
rest-problem-json | Errors are returned as application/problem+json with type, title, status and detail. Do not invent a new envelope for one endpoint.
rest-404-not-403 | If the caller may not know that a resource exists, answer 404 instead of 403, so identifiers cannot be probed.
rest-get-safe | GET and HEAD handlers must not write anything, not even a last-viewed stamp that changes what other callers see. Crawlers and prefetchers will call them.
rest-idempotency-key | POST endpoints that move money or send messages accept an Idempotency-Key header and return the stored first answer when the key comes again.
rest-etag-updates | Updates of documents that several people edit need If-Match with the ETag; answer 412 when it is stale rather than overwriting silently.
rest-string-ids | Identifiers are strings in JSON, even when they are numeric in the database, because JavaScript clients lose precision beyond 2^53.
rest-snake-case | JSON field names are snake_case in the public API. The camelCase names of internal objects must not leak through the serializer.
rest-no-bare-array | Never return a bare array at the top level of a response; wrap it in an object so that we can add fields later.
rest-filter-names | Query filters carry the exact name of the field that they filter; created_after and created_before are the only suffix forms we allow.
rest-unknown-params | Unknown query parameters are rejected with 400. Ignoring a misspelt filter returns everything and looks like success.
rest-202-jobs | Work that takes longer than two seconds answers 202 with a link to a job resource; do not keep the connection open for minutes.
rest-batch-partial | Batch endpoints report an outcome for each item in request order; one bad item must not fail its siblings.
rest-delete-twice | Deleting something that is already gone answers 204 again, so that a client can repeat the call after a lost response.
rest-openapi-first | Change openapi.yaml in the same pull request as the handler. The contract test compares both and clients are generated from the file. | openapi.yaml
rest-enum-open | Document response enums as open: clients must tolerate values that they do not know, so never promise that the list is complete.
rest-nested-depth | Nest paths at most one level deep. /orgs/{id}/members is fine; anything below that becomes a top-level collection with a filter.
rest-null-vs-absent | In PATCH bodies null clears a field and absence leaves it alone. The decoder has to keep these two apart, so do not use plain pointers without a set flag.
rest-415-406 | Reject bodies with a content type we do not read with 415, before parsing, instead of guessing JSON.
rest-sparse-expand | Related objects are only embedded when the caller asks with expand=; embedding by default made the order list forty times larger than needed.
`

export const graphql = `
gql-dataloader | Every resolver that fetches by parent id goes through a DataLoader created per request; a query inside a child resolver runs once for each parent. | graphql/src/loaders.ts
gql-depth-limit | Keep the query depth limit at 10 and the cost limit on. A recursive friends-of-friends query took the gateway down in March.
gql-nonnull-care | Mark an output field non-null only when we can always supply it; one null there wipes out the whole parent object in the response.
gql-input-per-mutation | Each mutation takes a single input object of its own and returns a payload type of its own, even if it has just one field today.
gql-user-errors | Expected failures of a mutation go into a userErrors list in the payload. The top-level errors array is for bugs and outages only.
gql-connections | Lists that can grow use the connection shape with edges, node and pageInfo. A plain list type is acceptable for fewer than fifty fixed entries.
gql-deprecate-field | Remove a field in three steps: @deprecated with a reason, wait until the usage report shows zero for 30 days, then delete.
gql-persisted | The web and mobile clients only send persisted operations. Do not add code that posts free-form query text from production builds.
gql-no-introspection | Introspection and the playground stay off outside of development; partners get the printed schema file.
gql-auth-in-domain | Permission checks belong in the domain functions that resolvers call, not in the resolvers, because the same data is reachable over many edges.
gql-fragments-colocate | A component declares the fields it needs as a fragment beside it; screens compose fragments and never add fields on behalf of a child.
gql-custom-scalars | Use the DateTime, Money and EmailAddress scalars. A String that carries a date is refused in schema review.
gql-global-id | Node ids are opaque global ids. Clients must not parse them, and the server must not accept raw database keys.
gql-mutation-return | A mutation returns the changed objects with their ids, so the client cache updates itself without a refetch.
gql-naming-verbs | Mutations are verb first in camelCase, for instance archiveProject. Do not group them in namespaces like project { archive }.
gql-enum-unknown | Generated Swift and Kotlin clients need an UNKNOWN case for every enum, otherwise a new value breaks old apps while parsing.
gql-subscriptions-filter | Subscriptions filter on the server by topic and viewer. Broadcasting every event and filtering in the client leaks other people's activity.
gql-federation-key | An entity shared between subgraphs declares @key on an id only, and the owning subgraph alone resolves its name and status.
gql-schema-check | Run npx rover subgraph check before merging; the composition error shows up only in the gateway otherwise, after deployment.
gql-operation-name | Anonymous operations are rejected, since traces and slow query reports are grouped by operation name.
gql-no-json-scalar | Do not use the JSON scalar to dodge modelling. Consumers lose types and we can never tell which keys are still in use.
gql-alias-batching | Limit the number of aliases of one field to 15: the login mutation was brute-forced with hundreds of aliases in one document.
gql-cache-policy | With Apollo, choose the fetchPolicy explicitly; network-only on a list inside a tab view reloads with every tab change.
gql-interface-vs-union | Prefer an interface when variants share fields that clients display together; unions are for search results where nothing is in common.
`

export const compatibility = `
compat-additive-only | Within one API version only additive changes are allowed. Renaming a response field is a removal plus an addition and needs a new version.
compat-two-phase-column | Rename a database column in two releases: add and write both, then switch the reads and drop. Old pods run beside new ones for ten minutes.
compat-new-required | A newly required request field breaks every existing caller. Introduce it as optional with a default and make it required in the next major.
compat-proto-numbers | Never reuse or renumber a protobuf field; mark deleted ones as reserved with number and name.
compat-proto-optional | Removing required or changing int32 to string in a .proto file is a wire break. Add a field with the new type and deprecate the old one.
compat-sunset-header | Deprecated endpoints send Deprecation and Sunset headers at least six months ahead, and the changelog links the replacement.
compat-tolerant-reader | Our own consumers ignore fields they do not know. A strict decoder that fails on extra keys has stopped deployments twice.
compat-contract-tests | Changes in a shared client library must pass the contract tests of the three oldest supported server releases.
compat-cookie-format | When the session cookie layout changes, the new code must still read the former layout until all sessions have expired, which is 14 days.
compat-local-storage | Data that we persisted in a browser's localStorage has a version number and an upgrade function. Old tabs come back after months.
compat-cli-flags | Command line flags are an interface: keep the old spelling as a hidden alias for two minor releases and print a warning to stderr.
compat-exit-codes | Scripts depend on the exit codes of the CLI, 0, 1 for findings, 2 for misuse. Do not fold a new situation into an existing code.
compat-default-change | Changing a default value is a breaking change even though no signature changes; it needs a release note and a way to keep the previous behaviour.
compat-semver-public | Whatever is exported from packages/sdk/src/public.ts follows semver. Changing a parameter there requires a major bump. | packages/sdk/src/public.ts
compat-event-version | Event payloads carry a version. Publish the old and the new version side by side until no subscriber reads the old one.
compat-config-keys | Renamed configuration keys are read under both names for one release, with a log line when the old one is used.
compat-header-case | Clients match header names without regard to case, but some partners compare values byte for byte; do not reformat existing header values.
compat-sort-order | The order of a list response is part of the contract once customers see it, even if never documented. Add an explicit sort parameter instead of altering the default.
compat-error-codes | Error codes are forever. You may add a new one, never change the meaning of E1007 or answer another one for the same cause.
compat-webhook-shape | Webhook bodies are pinned to the API version that the subscriber chose when registering. Render them through that version's serializer.
compat-soft-launch-removal | Before removing an endpoint, make it fail for short announced windows (brownouts) so that forgotten callers surface before the last day.
compat-enum-db | Adding a value to a stored enum is safe only after every running reader knows it. Deploy readers first, writers a release later.
compat-mobile-min | The oldest supported app version is in mobile-support.json; a server change has to work for it, because users do not update on our schedule. | config/mobile-support.json
compat-rollback | A release must be able to roll back by one version after it has written data. Say in the description how the previous build copes with the new rows.
`
