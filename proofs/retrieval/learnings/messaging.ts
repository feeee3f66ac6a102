// One Learning a line: slug | text | the file it was written for, if any.

export const caching = `
cache-ttl-always | Every cache entry has an expiry, even those that are invalidated by events, because events get lost.
cache-stampede | When a hot entry expires, only one caller recomputes it; the others get the stale value. Use singleflight or a short lock.
cache-jitter | Add 10 % random spread to expiry times, so that entries filled by the same deployment do not vanish in the same second.
cache-negative | Also remember that something does not exist, for a short time; lookups of unknown slugs hit the database ten times more than real ones.
cache-invalidate-after-commit | Delete the entry after the transaction commits, not before. In between another reader fills it again with the old row.
cache-versioned-keys | Put a schema version in the key, such as user:v3:, when the cached shape changes. Do not flush Redis during a deployment.
cache-no-pii | Personal data is not put into the shared Redis without encryption; its backups are readable by the platform team.
cache-http-private | Responses that depend on the signed-in user carry Cache-Control: private, no-store. The CDN once served a profile page to strangers.
cache-vary | If a response depends on Accept-Language or an experiment, list it in Vary, otherwise the CDN mixes up the variants.
cache-immutable-assets | Files with a content hash in the name are sent with max-age=31536000, immutable; index.html with no-cache.
cache-bounded-memory | In-process caches have a maximum number of entries. A plain Map as a cache is a leak with a friendly name.
cache-measure-hit | Do not add a cache without a hit ratio metric and a number that shows that the source was too slow.
cache-not-source | The service must work, slowly, when Redis is empty or away. Nothing may live only in the cache.
cache-mutable-return | Return a copy or a frozen object from an in-memory cache; a caller that sorts the returned list changes it for everyone.
cache-key-builder | Build keys with cacheKey() and never by string concatenation, since user:1 plus 23 and user:12 plus 3 collided. | lib/cache/key.ts
cache-error-responses | Never store error answers with the normal lifetime. A 502 that was kept for an hour outlived the outage by 55 minutes.
cache-read-your-writes | After a save, the same user must see the new state: update the entry or bypass the cache on the next read.
cache-memoize-args | Memoizing on object arguments compares identity. Derive a string key or the function is computed each time and the store grows.
cache-redis-pipeline | Fetch many keys with MGET or a pipeline; a GET inside a loop costs a network round trip each.
cache-keys-command | KEYS and FLUSHALL are forbidden in production code. Iterate with SCAN, since KEYS blocks the single thread of Redis.
cache-warmup | Fill the price table before the pod reports ready. Cold starts at nine o'clock caused the Monday latency peaks.
cache-permission-short | Permission decisions are cached for 30 seconds at most, so that a revoked member loses access promptly.
cache-etag-304 | For large documents that rarely change, prefer ETag with 304 over a longer lifetime.
cache-pubsub-local | Local copies in each process are dropped through the invalidation channel; a write that forgets to publish leaves the other pods wrong until restart.
`

export const queues = `
queue-idempotent | Consumers see a message more than once. Record the message id in the same transaction as the effect and skip known ids.
queue-outbox | Do not publish to Kafka inside a database transaction. Write to the outbox table and let the relay publish it.
queue-dead-letter | A message that failed five times goes to the dead letter queue with its error, and an alert fires when that queue is not empty.
queue-poison | A message that cannot be parsed must not block the partition: park it and go on.
queue-small-payload | Messages hold ids and facts, at most 64 kB. Put big documents into the object store and send the reference.
queue-ordering-key | Choose the aggregate id as partition key. Events of one order must stay in order; a random key shuffles them.
queue-past-tense | Events are facts in the past tense (order_shipped), commands are imperatives. Do not publish an event that tells a consumer what to do.
queue-ack-after | Acknowledge only after the work is durable. Auto-ack lost 300 mails during a deployment.
queue-visibility-timeout | The SQS visibility timeout must be six times the longest handler duration, or the same job is run by two workers.
queue-graceful-stop | On SIGTERM a worker stops fetching, finishes what it holds within 25 seconds and only then exits.
queue-backpressure | Bound the number of messages in flight with prefetch; unlimited prefetch filled the memory of one pod while others idled.
queue-schema-registry | New event types are registered in schemas/events with an example before the first publish. The build fails otherwise. | schemas/events/
queue-no-pii-events | Events carry user ids, not names or addresses; they are kept for years in the log and cannot be erased one by one.
queue-lag-alert | Alert on the age of the oldest unprocessed message, not on queue length. A long queue that drains quickly is fine.
queue-replay-safe | A handler must be safe when we replay a whole week: no mails, no charges while the replay flag is set.
queue-no-db-poll | Do not poll a table each second for new work; use LISTEN/NOTIFY or the existing job runner.
queue-correlation | Copy correlation_id and causation_id from the incoming message to everything that you publish because of it.
queue-time-of-fact | Use occurred_at from the event for business rules, never the time of receipt; the backlog after an outage is hours old.
queue-fan-out-own | Each subscriber has its own subscription. Two services sharing one consumer group steal half of each other's messages.
queue-cron-lock | Scheduled jobs take the advisory lock, since three schedulers run and each would send the weekly report.
queue-job-args | Job arguments are plain JSON values: an id, not a serialized model. The object is stale when the job runs.
queue-sagas-compensate | Each step of a multi-service flow has a written compensation. Booking without a cancel step is not merged.
queue-priority-split | Urgent jobs such as password mails get their own queue; a priority flag in one queue starved them behind exports.
queue-consumer-timeout | A handler has a deadline below max.poll.interval.ms, or the group rebalances in a loop and nothing moves.
`

export const concurrency = `
conc-check-then-act | Checking a balance and then debiting it in two steps is a race. Do it in one conditional UPDATE and look at the number of rows changed.
conc-lock-order | Take several locks always in the same order, by ascending id. Transfers between two accounts deadlocked in both directions.
conc-no-io-in-lock | Do not wait for the network or disk while a mutex is held; copy what is needed, release, then do the slow part.
conc-shared-mutable | Share immutable snapshots between threads and swap the reference, rather than locking a map that everyone mutates.
conc-bounded-parallel | Promise.all over a list of unknown length opens as many connections as there are entries. Use mapWithLimit with a concurrency of 8. | lib/async/map-with-limit.ts
conc-thread-pool-size | Do not use the common pool for blocking calls. Give blocking work an executor with a bounded queue of its own.
conc-double-submit | Disable the button and make the server reject the second request as well; a double click created two orders.
conc-atomic-file | Write to a temporary file in the same directory, fsync and rename, so that a reader never sees half of it.
conc-distributed-lock-fence | A lock in Redis may expire while you still work. Pass a fencing token to the storage and reject older tokens.
conc-singleton-init | Lazy initialisation of a shared client needs a once primitive. Two first requests built two connection pools.
conc-volatile-flag | A stop flag that is read by another thread has to be atomic or volatile; the optimizer hoisted the read out of the loop.
conc-cancel-propagate | Pass the cancellation signal down to every awaited call; work for a client that has gone away must stop.
conc-fire-forget | No fire-and-forget promises or goroutines in request handlers. Either wait for them or hand the task to the job queue.
conc-event-loop | Do not run CPU-heavy loops, zip or bcrypt sync calls on the Node event loop; use a worker thread.
conc-async-foreach | forEach with an async callback does not wait. Use for…of with await, or Promise.all over map.
conc-state-after-await | State read before an await may be outdated after it. Read again or verify the version before writing.
conc-mutex-scope | Keep the guard's scope small and explicit with a block; a guard that lives until the end of the function serialized all requests.
conc-rwlock-upgrade | Never try to upgrade a read lock to a write lock; release, take the write lock, and check the condition again.
conc-thread-local-leak | Clear thread locals in finally; pool threads are reused and the next request inherits the user of the last one.
conc-test-with-race | Code with shared state comes with a test that runs it from many threads under the race detector or ThreadSanitizer.
conc-actor-mailbox | State of a game room is changed only by its actor. Do not reach into it from the HTTP handler, send a message.
conc-wait-loop | Wait on a condition variable in a while loop, not an if; wake-ups can be spurious and the condition may have been consumed.
conc-unique-ids | Do not use the current time in milliseconds as an identifier. Two events in the same millisecond overwrite one another.
conc-leader-only | Code that must run once in the cluster asks the leader election and checks again before each external effect.
`
