// One situation a line: the Learnings it needs | what somebody would type into a search box.

export const identifierQueries = `
sql-index-concurrently | CREATE INDEX CONCURRENTLY
sql-isolation-retry | SQLSTATE 40001 could not serialize access
sql-for-update-skip | select for update skip locked job table
rest-problem-json | application/problem+json
rest-idempotency-key | Idempotency-Key header
rest-etag-updates | If-Match 412
rest-openapi-first | openapi.yaml out of date
gql-schema-check | rover subgraph check
gql-no-introspection | introspection query disabled in production
compat-sunset-header | Sunset header
compat-error-codes | E1007
orm-open-in-view-off | spring.jpa.open-in-view
orm-tx-callback | prisma $transaction tx client
orm-migration-models | apps.get_model data migration
tenant-rls | BYPASSRLS row level security
tenant-offboarding | ops/offboarding/registry.ts
cache-keys-command | redis KEYS pattern FLUSHALL
cache-immutable-assets | max-age=31536000 immutable
queue-visibility-timeout | SQS visibility timeout
queue-consumer-timeout | max.poll.interval.ms rebalance
queue-outbox | kafka outbox table
conc-bounded-parallel | mapWithLimit
conc-async-foreach | forEach async callback await
err-central-mapping | server/http/error-middleware.ts
err-cancel-not-error | context.Canceled AbortError alert
timeout-db-statement | statement_timeout web role
retry-after-honour | parse Retry-After date or seconds
limit-proxy-address | X-Forwarded-For client ip
limit-token-bucket | token bucket instead of fixed window
log-third-party-noise | urllib3 log level
trace-propagate, trace-db-comments | traceparent
trace-db-comments | sqlcommenter
metric-naming | http_request_duration_seconds naming
oncall-disk-full | predict_linear disk
oncall-owner-file | service.yaml owner
flag-typed-access | flags.gen.ts
flag-local-override | FLAG_OVERRIDES .env.local
ci-shell-strict | set -euo pipefail
ci-frozen-lockfile | npm ci vs npm install
ci-timeout-minutes | timeout-minutes
dep-install-scripts | ignore-scripts=true
dep-renovate-groups | renovate.json major updates
auth-argon2 | argon2id bcrypt
auth-cookie-flags | __Host- cookie prefix SameSite=Lax
auth-saml-signature | SAML assertion signature XPath
authz-opa-bundle | opa test rego
secret-scan-hook | gitleaks false positive
secret-frontend-none | NEXT_PUBLIC_ variable
priv-retention-job | retention.yaml
valid-deserialise | yaml.load pickle
valid-html-sanitise | dangerouslySetInnerHTML
upload-filename-header | filename* RFC 5987
react-query-keys | queryKeys factory invalidate
css-z-index-scale | z-index 99999
a11y-autocomplete | autocomplete one-time-code
k8s-jvm-heap | -XX:MaxRAMPercentage
k8s-cronjob-policy | concurrencyPolicy: Forbid
tf-moved-blocks | terraform state mv
ios-keychain | kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
android-lifecycle-collect | repeatOnLifecycle launchWhenStarted
go-http-default-client | http.DefaultClient
rust-select-cancel | tokio::select! cancel safety
py-uv-lock | uv add
jvm-gradle-catalog | libs.versions.toml
ts-satisfies | satisfies operator constant table
cpp-fixed-point | Q15 float firmware/control
pipe-partition-filter | require_partition_filter
search-typo-length | fuzziness AUTO
money-proration | proration.ts
time-skew-tolerance | nbf exp clock skew
mail-dkim-spf | DKIM DMARC new domain
flaky-virtual-clock-async | advanceTimersByTimeAsync
doc-adr | docs/adr
name-formatter-wins | .git-blame-ignore-revs
perf-bundle-budget | size-limit bundle too large
`
