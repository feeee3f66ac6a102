// One situation a line: the Learnings it needs | what somebody said about it, in words of their own.

export const serverParaphrases = `
rest-put-vs-patch | The update operation leaves everything the client did not mention untouched, although the method we declared promises a complete overwrite.
rest-no-bare-array | The reply is simply a list of users; next quarter we want to include a total, and there is no place to put it.
rest-404-not-403 | An outsider can walk through contract numbers and learn from the forbidden reply which ones are real.
rest-unknown-params | Somebody typed ?stauts=open in the address and got the complete set back with no complaint.
rest-get-safe | Simply looking at a ticket flips it to seen, and a search engine's bot has cleared the unread list of half the staff.
rest-202-jobs | Generating the annual archive holds the browser's request for nearly ten minutes until the proxy gives up.
rest-null-vs-absent | There is no way for the app to empty the phone number: leaving it out and wiping it look identical to our parser.
gql-nonnull-care | The avatar lookup failed for one person and suddenly the entire profile came back as nothing, since the schema has an exclamation mark there.
gql-dataloader, orm-n-plus-one | Asking the graph endpoint for fifty posts with their authors triggers fifty separate lookups of people.
gql-alias-batching | An attacker put the sign-in call five hundred times into a single request under different labels and walked past our attempt counter.
gql-deprecate-field | Nobody on our side selects legacyScore any more, so I took it out of the graph type right away.
compat-proto-numbers | After taking out nickname I gave its tag 4 to the new region entry, so that the message stays compact.
compat-local-storage | Visitors who return after half a year crash at start, because what was saved on their machine back then no longer matches what the code expects.
compat-default-change | Exports used to be CSV unless told otherwise; I switched that to JSON, and no function had to be altered.
compat-sort-order | We now return projects by most recent activity first; a partner complains that their sync picks up the wrong top entry.
compat-rollback | If tonight's deployment has to be taken back, will yesterday's binary choke on what the fresh one stored meanwhile?
compat-two-phase-column | This script turns users.name into users.full_name in a single step, while instances of the former version are still serving.
sql-lock-timeout | A harmless looking schema change stood in line behind a long report, and within seconds the whole site hung.
sql-not-in-null | The search for customers without orders suddenly gives an empty list although there are hundreds; one element of the inner list has no value.
sql-or-null-join | I wanted all customers with their open tickets, if any, but those without tickets vanish as soon as I add status = 'open' at the end.
sql-txn-short | Between begin and commit we ask the shipping company for a price, and rows stay locked while they are slow to respond.
sql-count-star | To display how many notifications there are in the little red circle, we tally all seventy million entries on each visit.
sql-fk-index | Removing a single customer takes twenty seconds, since the engine walks through every order to see whether one points to it.
sql-on-conflict, conc-check-then-act | First we look whether the address is already stored and otherwise we add it; under load both workers find nothing and one of them blows up.
sql-not-null-steps | I want the phone field of our hundred-million-row people relation to be mandatory, without blocking everyone for minutes.
orm-f-expression | Two likes at the same moment only raise the number by one: we fetch it, add in memory and store it.
orm-on-commit-jobs | The background task sometimes complains that the customer does not exist, although it was triggered right after saving her.
orm-enum-string | Somebody added PAUSED between ACTIVE and CLOSED, and old subscriptions in the table now mean something else.
orm-save-update-fields | A slow Django task loaded the profile, later wrote everything back, and the address the person had entered meanwhile was gone.
orm-soft-delete-unique | A former member whose profile we archived wants to register afresh and is told that her login is already taken.
tenant-noisy-neighbour | While one big client loads its history, all the small firms wait half an hour for a simple thumbnail.
tenant-no-name-checks | if (account.slug === 'globex') skips the approval, because sales promised it to them last week.
tenant-subdomain-cookies | Signing in at acme.app.example makes the browser send the login to rival.app.example as well.
tenant-pool-budget | Every company gets its own set of database handles at startup; with the hundredth company Postgres refuses further ones.
tenant-cache-key | Two companies both own a page called overview, and one of them was shown the figures of the other from Redis.
cache-stampede | At noon the popular front page item runs out, and four hundred requests all compute it afresh together.
cache-invalidate-after-commit | We clear the entry and then save; a visitor who comes at that moment brings the outdated version back for an hour.
cache-negative | Bots ask for thousands of made-up product names, and each of those requests goes straight through to Postgres.
cache-error-responses | The gateway recovered at once, but visitors kept getting the failure page from the edge for the rest of the morning.
cache-permission-short, authz-cache-user-change | We dismissed an employee and she could still open files until the evening, since her rights had been remembered.
cache-mutable-return | One screen reverses the array it got from the memoized lookup, and afterwards all other screens show it backwards.
queue-idempotent | The same notification was processed twice after a broker restart, and the customer received two parcels.
queue-ack-after | We confirm receipt first and then do the job; when the pod is killed in between, the task is simply gone.
queue-ordering-key | Cancelled arrived before created for the same purchase, because the two were spread over lanes by chance.
queue-time-of-fact | After the downtime all purchases from the morning were given the afternoon price, as we look at the wall clock while processing.
queue-fan-out-own | Since the fraud team began to listen to the same feed, only every second purchase reaches the warehouse.
queue-poison | One garbled message makes the consumer crash, restart and crash at the same place; everything behind it waits.
queue-cron-lock, conc-leader-only | Every Monday customers get several copies of the summary, since we went from one instance to more.
conc-lock-order | Alice pays Bob while Bob pays Alice: both hold one row and wait for the other until the database kills one of them.
conc-thread-local-leak | Sometimes an audit entry carries the name of the person whose call was handled before on that worker.
conc-bounded-parallel | For an import of nine thousand contacts we fire all lookups simultaneously, and the process runs out of sockets.
conc-distributed-lock-fence | A long garbage collection made the worker outlive its lease, and it then overwrote what its successor had written.
conc-atomic-file | Another process occasionally loads a truncated settings.json because we were in the middle of saving.
err-fail-fast-config | Nobody noticed for two days that the mail host was blank in the new environment, until a customer asked for a reset.
err-degrade | The whole article view was down, just because the box with what others also bought could not be loaded.
err-wrap-cause | In the report I only see 'could not save profile'; where it came from has been lost on the way up.
err-once-logged | A single broken query shows up in the collector from repository, use case, controller and middleware.
err-http-client-status | The page showed undefined as name: the backend had said 500, but the promise was fulfilled nonetheless.
err-partial-success, rest-batch-partial | The import just says that it did not work; people run it again and then half of their contacts exist doubly.
retry-budget, retry-one-layer | The library tries thrice, our gateway thrice and the job thrice; when the supplier stumbled we flooded it.
retry-backoff-jitter | After the identity server came back, all four hundred instances knocked again in precisely the same second and brought it down anew.
timeout-every-call | A thread dump shows that all workers have been sitting in a socket read to the weather supplier since yesterday.
timeout-lb-align | Now and then users get a bad gateway with no trace of it in our own records; it happens when a connection has been silent for a minute.
retry-dns-cache | The standby took over, but the Java processes went on talking to the dead primary's address until somebody restarted them.
retry-only-idempotent | Our HTTP helper sends everything again on a broken connection, and now and then someone ends up with two reservations.
limit-shared-store | We allow a hundred a minute, but in reality a caller can make eight hundred, depending on where the balancer sends him.
limit-per-identity | A school complains that after thirty pupils have opened the site, the rest of the class is refused.
limit-no-sleep | To tame the scraper, the handler pauses for eight seconds before it replies.
log-stable-message, log-structured | I would like to see how often this happens, but every entry has the customer's number in the middle of its sentence.
log-loop | Importing the catalogue puts two hundred thousand entries into the collector, one a product.
log-no-bodies | For debugging I dump everything that the partner posts to us into the journal.
log-injection | By putting a newline into the nickname, somebody made it look as though an administrator had signed in.
metric-cardinality | The monitoring server ran out of memory, since each visited path including the order number is now its own time series.
metric-histogram, perf-p99-goal | The chart says 80 ms on the whole, but some people wait six seconds; the mean does not tell.
metric-business | All panels were fine for three hours in which not a single purchase went through.
health-liveness-simple | When Postgres was unreachable for a moment, Kubernetes killed each of our instances simultaneously.
metric-batch-jobs | The nightly clean-up had not run for nine days and nobody was told, since there was nothing that could go wrong.
oncall-silence-expiry | Somebody muted the storage warning during the move in spring; nobody ever turned it back on.
oncall-rollback-first | The error rate jumped after the two o'clock deployment, and three people are looking for the reason in the code while customers wait.
oncall-page-actionable | I was woken at three for something that could have waited until Tuesday and for which there was nothing to do.
`
