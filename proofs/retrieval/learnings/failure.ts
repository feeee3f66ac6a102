// One Learning a line: slug | text | the file it was written for, if any.

export const errorHandling = `
err-no-swallow | An empty catch block is refused. Handle it, add context and rethrow, or write a comment that says why ignoring is right.
err-wrap-cause | When rethrowing, keep the original as the cause. A new error with only a message throws away the stack that we need.
err-catch-narrow | Catch the exception type you can deal with. catch (Exception e) around a whole method also hides programming errors.
err-user-message | What the user sees says what happened and what to do next, without stack traces, table names or internal codes.
err-result-expected | Expected outcomes such as not found or insufficient funds are return values; exceptions are for what should not happen.
err-central-mapping | Exceptions become HTTP statuses in one place, the error middleware. Handlers do not build 500 bodies. | server/http/error-middleware.ts
err-once-logged | Log an error once, where it is handled. Logging and rethrowing on each level gave five entries for one failure.
err-finally-cleanup | Release files, locks and connections in finally, defer, using or with. A return in the middle must not leak them.
err-cleanup-masks | An exception thrown during cleanup must not replace the first one; suppress it or attach it.
err-fail-fast-config | Missing or malformed configuration stops the process at start with the name of the variable, instead of failing at the first request.
err-no-null-return | Do not return null, -1 or an empty string to signal failure. The caller forgets to check.
err-error-codes-stable | Give each error that a program may react to a stable code. Clients must not match on the text of the message.
err-assert-invariants | Assert what must hold, with a message. Carrying on with an impossible state corrupted balances for a week.
err-unhandled-rejection | Install no global unhandledRejection handler that just logs. Let the process crash and be restarted, the state is unknown.
err-partial-success | If three of five items were processed, say which ones; one overall failure makes people submit all five again.
err-no-exceptions-flow | Do not use exceptions to leave nested loops or to return a value; extract a function.
err-boundaries-react | Wrap each route in an ErrorBoundary with a retry button, so that a broken widget does not blank the whole page.
err-http-client-status | fetch does not reject on 4xx or 5xx. Check response.ok before reading the body, through requestJson.
err-sentinel-compare | Compare wrapped errors with errors.Is or instanceof up the chain, never by the message or by ==.
err-enrich-context | Add the ids involved (order, tenant) as fields of the error when wrapping; 'invalid state' alone tells nobody anything.
err-third-party-translate | Translate exceptions of a vendor SDK at its adapter. StripeError must not be known by the checkout code. | payments/adapters/
err-degrade | If recommendations fail, the product page still renders without them. Optional parts have a fallback and a metric.
err-cancel-not-error | A cancelled request is not an error: do not alert and do not report AbortError or context.Canceled.
err-default-branch | A switch over a closed set has no silent default. Unknown values must throw or fail to compile.
`

export const retries = `
retry-only-idempotent | Only repeat operations that are safe to perform twice. A POST without an idempotency key must not be retried by the client wrapper.
retry-backoff-jitter | Wait exponentially longer between attempts and add random jitter; fixed pauses made all pods hit the service at the same moment.
retry-budget | Cap retries by a budget of 10 % of traffic. Three layers with three attempts each multiplied the load by 27 during an outage.
retry-one-layer | Retry in exactly one layer. If the SDK repeats already, turn that off or do not wrap it again.
retry-4xx-never | Never repeat on 400, 401, 403, 404 or 422; the answer will be the same. 429 and 503 are repeated after the time they state.
retry-after-honour | Read Retry-After, both forms, seconds and date, and wait at least that long, with a ceiling of five minutes.
timeout-every-call | Every outbound call has a timeout. The default of requests and of the Java HTTP client is to wait for ever.
timeout-budget-pass | Pass the remaining time of the request downstream as a deadline; an inner call must not have a longer limit than the outer one.
timeout-connect-read | Set connect and read limits apart: one second to connect, the read limit from the p99 of the callee.
timeout-lb-align | The application's keep-alive has to be longer than the idle timeout of the load balancer, or it answers 502 at random.
timeout-db-statement | Set statement_timeout for web roles to 5 s. Reports use the reporting role with its own limit.
retry-circuit-breaker | Calls to the tax provider go through the circuit breaker. Open means fail at once with the cached rate, not wait.
retry-max-elapsed | Limit the total elapsed time and not only the number of attempts, since the user left after ten seconds anyway.
retry-log-final | Log intermediate attempts at debug and only the last failure as error; otherwise a healthy recovery looks like an incident.
retry-fresh-token | On 401 from an upstream refresh the access token once and repeat once. A loop locked out our account.
retry-body-stream | A request whose body is a stream cannot be replayed. Buffer it or send from the start of the file again.
retry-hedge-reads | Hedged requests are for reads only, sent after the p95 has passed, and the loser is cancelled.
retry-tx-whole | When a transaction is retried, run the closure again from its first read. Side effects outside of the database do not belong inside it.
timeout-cleanup-timer | Clear the timer when the race is won. Forgotten setTimeout handles kept the test process alive and leaked closures.
timeout-user-visible | After four seconds show that it takes longer than usual and offer to cancel; do not leave a spinner for a minute.
retry-webhook-delivery | Outgoing webhooks are tried for 24 hours with growing pauses, then the subscription is disabled and the owner gets a mail.
retry-dns-cache | The JVM caches DNS for ever by default. Set networkaddress.cache.ttl=30 or a failover of the database is never noticed.
retry-connection-reset | A connection reset on a pooled idle connection deserves one immediate new attempt; it says nothing about the health of the server.
retry-test-clock | Test backoff with a fake clock. Tests that really sleep through the pauses took four minutes.
`

export const rateLimits = `
limit-429-headers | Refused calls answer 429 with Retry-After and RateLimit headers; a bare 503 makes clients hammer us.
limit-per-identity | Count by API key or account, and by address only for anonymous calls. A whole office sits behind one address.
limit-shared-store | The counters live in Redis, because eight pods with local counters allow eight times the limit.
limit-token-bucket | Use the token bucket from lib/limits. A fixed window lets twice the allowance through at the turn of the minute. | lib/limits/token-bucket.ts
limit-login-separate | Password, code and reset endpoints have a strict limit of their own per account and per address, apart from the general API limit.
limit-fail-open | When the counter store is away, let traffic through and raise an alert. For login attempts do the opposite and refuse.
limit-before-work | Check the limit before parsing the body or touching the database; a refusal has to be cheap.
limit-cost-weighted | Expensive endpoints such as export count for more than one unit. A flat count per call let one script saturate the replicas.
limit-documented | Each new limit is written in docs/limits.md with number, window and scope, otherwise support cannot explain it. | docs/limits.md
limit-outbound | We are clients too: calls to the CRM pass through the outbound limiter of 5 per second, or they block our key for a day.
limit-proxy-address | Take the client address from the last trusted hop only. X-Forwarded-For is written by anyone.
limit-websocket-messages | Limit messages per open socket as well as connections. One client flooded a room over a single connection.
limit-quota-vs-rate | A monthly quota is billing and must be exact and durable; a rate limit is protection and may be approximate. Do not build one from the other.
limit-burst-import | The importer has its own lane with a lower priority, so that its bursts do not use up the interactive allowance.
limit-response-code-body | The body of a refusal names which limit was hit and when it resets.
limit-no-sleep | Do not delay a caller on the server by sleeping to slow them down; it holds a connection and a worker. Refuse instead.
limit-graphql-points | For GraphQL the limit is in cost points, not in requests, since one document can ask for everything.
limit-test-boundary | Test the request just at the limit, the one after it and the first after the reset, with a controlled clock.
limit-internal-exempt | Internal services are not exempt. They get a higher class, because a looping cron job was our worst client.
limit-concurrent-exports | Cap concurrent exports per account at two and answer 409 for the third, independent of the rate.
limit-sms-cost | Sending SMS is limited per number, per country and per day; premium-number fraud cost us four thousand euros.
limit-config-dynamic | Limits come from the dynamic configuration so that on-call can tighten one without a release.
limit-key-hash | Store the hash of the API key as counter key, never the key itself.
limit-shed-priority | Under overload drop health-irrelevant background calls first, and checkout last; each route declares its criticality.
`
