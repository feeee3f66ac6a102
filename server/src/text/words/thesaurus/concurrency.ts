/** Work at the same time, waiting, failing, trying again, messages between parts. */
export const concurrency = `
concurrency concurrent parallel parallelism simultaneous simultaneously multithreaded multithreading at_once | thread race lock
race_condition data_race race toctou check_then | concurrency lock atomic thread simultaneous interleave
lock mutex semaphore synchronized critical_section locking lock_guard rwlock latch | concurrency thread wait exclusive acquire release
deadlock livelock lock_order starvation | lock wait cycle thread block
optimistic_lock optimistic_locking version_column compare_and_swap cas etag if_match lost_update | conflict update concurrent version overwrite
pessimistic_lock select_for_update for_update row_lock | lock row transaction
distributed_lock redlock advisory_lock lease leader_election | lock single instance worker
atomic atomically atomicint interlocked | race concurrency single step increment
thread goroutine coroutine fiber worker_thread os_thread | concurrency spawn parallel pool
thread_safe thread_safety threadsafe reentrant thread_local | shared mutable lock concurrency
shared_state mutable_state global_state shared_mutable | race mutation concurrency global
volatile memory_barrier memory_order happens_before | thread visibility
pool thread_pool executor worker_pool | worker limit thread reuse
async asynchronous asyncio nonblocking non_blocking event_loop reactive | await promise callback concurrent thread
await promise future then completable_future async_await task unawaited | asynchronous result pending rejection
unhandled_rejection floating_promise unawaited_promise fire_and missing_await | await promise catch error swallow
callback callback_hell continuation | function asynchronous handler
blocking synchronous block sync_call main_thread | wait thread slow event_loop freeze
cancel cancellation abort abortcontroller cancellation_token context_cancel interrupt | stop request timeout signal
timeout deadline time_limit hang stall | wait slow request network retry late
retry retries reattempt try_again attempt retryable | backoff failure transient again repeat idempotent
backoff exponential_backoff jitter exponential | retry delay wait storm
circuit_breaker bulkhead failover fallback degrade degradation graceful_degradation | failure dependency outage down retry
transient temporary intermittent flaky_network blip | failure retry network error
idempotent idempotency idempotency_key exactly_once replay_safe | retry duplicate twice again same_result repeat
rate_limit throttle throttling rate_limiting quota limiter 429 | limit request second burst abuse
debounce throttle_input | event delay input repeated keystroke
queue message_queue kafka rabbitmq sqs nats pubsub broker message_broker topic | message consumer producer event asynchronous job
consumer subscriber listener worker | message event queue handle
producer publisher emitter | message event send queue
event domain_event event_driven message notification | publish subscribe handler emit
dead_letter dlq poison_message | queue message failure retry
at_least once_delivery redelivery redeliver | message duplicate idempotent queue acknowledge
acknowledge ack nack acknowledgement | message queue confirm
outbox transactional_outbox dual_write | event transaction message publish commit
saga compensation compensate two_phase | transaction distributed undo
ordering out_of_order message_order | sequence event order
backpressure buffer_bloat flow_control unbounded_queue | queue overload limit slow consumer memory
unbounded limitless uncapped no_limit | limit cap maximum grow memory bound
job background_job cron scheduler scheduled_task sidekiq celery batch_job cronjob | schedule asynchronous worker periodic nightly
schedule timetable recurring periodic nightly daily | cron interval time job
poll polling busy_wait long_poll | interval loop wait repeat
websocket realtime real_time server_sent sse push socket_io | connection live event stream
webhook callback_url | event http receive signature post
worker daemon service_process | background job process
shutdown graceful_shutdown drain sigterm terminate | stop signal connection finish exit
startup boot bootstrap initialize start_up | begin config launch
signal sigterm sigkill sigint | process shutdown
process subprocess fork child_process | spawn execute program
leader primary master | replica election
cluster node fleet | server machine instance
distributed microservice distributed_system | network service remote consistency
clock_skew monotonic monotonic_clock wall_clock | time drift duration measure
snapshot checkpoint savepoint | state restore save
state_machine workflow transition fsm | state step status
`
