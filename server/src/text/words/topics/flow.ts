/** Concurrency, waiting, failing, retrying, messages, jobs, processes. */
export const flow = `
race_condition check_then act concurrent simultaneous two_requests interleave atomic lock between shared lost increment
shared_state mutable global thread protect mutex lock counter synchronize data_race goroutine several_threads increment unsafe concurrent_map
deadlock lock order acquire two_threads hold wait each_other nested cycle
lock_scope hold lock network io slow short critical_section contention remote_call while_holding mutex
atomic_counter increment atomic compare_and_swap lost counter
thread_pool executor size unbounded create_thread reuse queue
thread_local context leak pool
volatile visibility double_checked lazy_init singleton
event_loop block synchronous node cpu heavy readfilesync large_file json_parse freeze server single_thread worker
await promise floating unawaited rejection unhandled async forget fire_and_forget missing_await lose_error catch result
promise_all sequential parallel await loop independent slow allsettled
async_void exception task fire forget csharp configureawait
callback error_first nested hell promise convert
cancellation abort signal context client_disconnect gone hang_up stop work abortcontroller token propagate honor request_ended closed_tab
timeout deadline hang forever external http call wait network partner remote unresponsive slow seconds client default_timeout requests fetch socket third_party
retry backoff exponential jitter again immediate tight_loop hammer transient failure attempt remote_down network storm limit max
retry_safe idempotent post duplicate retry only_safe
circuit_breaker dependency down fail_fast fallback open half_open cascade outage degrade
fallback degrade default unavailable partial graceful dependency optional_service
bulkhead pool isolate noisy tenant resource separate
idempotency_key request repeat post duplicate client retry same_result twice network
idempotent_consumer message twice duplicate delivered event redelivery at_least charge processed again handle dedupe replay
dead_letter poison message queue fail endless block retry park unprocessable stuck
message_order partition key sequence out_of_order event
outbox event publish transaction commit email rollback dual_write lost message broker after_commit send mail
saga compensate distributed transaction step undo microservice
acknowledge ack after_processing commit_offset lose message crash consumer
backpressure bounded queue buffer grow memory producer faster slow_consumer limit capacity unbounded channel reader overload
queue_size monitor lag depth alert backlog
event_name past_tense domain event naming command
event_payload id full thin event consumer fetch
pubsub topic subscription fan_out broadcast
cron overlap twice schedule lock nightly two_instances scheduler concurrent_run job tolerate
background_job async worker slow request long_running enqueue 202 accepted client_wait minute poll status
job_progress resume checkpoint restart crash long import scratch continue
job_timeout stuck heartbeat lease worker die reclaim
scheduled_time jitter midnight spike same_time
graceful_shutdown sigterm drain in_flight finish request deploy connection cut kill stop terminate pod middle
startup_order dependency wait ready database container
readiness probe traffic ready connect dependency pod before warm
liveness probe restart kill health database_down cascade
health_endpoint check cheap database status monitor
signal_handler process child zombie reap exit
process_exit cleanup flush exit_code abort
memory_leak listener cleanup reference grow cache closure retain release unbounded heap subscription
retain_cycle weak delegate closure self swift deallocated view_controller unowned strong
smart_pointer unique_ptr new delete raii double_free raw_pointer owner leak freed_twice dangling use_after cpp memory
buffer_overflow bound memcpy strcpy size length unsafe c
array_bound index out_of_range check length user_supplied position number negative
null_return empty_collection null list nil check iterate caller none return optional
null_check optional undefined crash nullable guard missing nullpointer deref safe_navigation
optional_field optional return_type parameter maybe field
unwrap panic rust expect result missing_value crash binary question_mark
error_swallow empty_catch silent ignore exception except pass hide failure log rethrow nothing_happens
broad_catch exception throwable base_class except specific catch_all keyboard_interrupt bare
error_wrap context cause original stack rethrow message chain preserve lose
error_is errors_is sentinel wrapped compare unwrap golang type errnorows as
error_once log_and throw duplicate log same_failure several_times handle boundary repeated
error_type custom exception distinguish string_match code class
exception_flow control expected throw ordinary result either normal business_failure happens
error_user message friendly explain what_to_do cryptic technical stack_trace show code next_step helpful
error_response problem_details json code api body consistent string format status machine_readable
global_handler unhandled exception central middleware boundary error_boundary
assert production validation runtime invariant
fail_fast config startup missing environment variable boot unset option first_request late_discover
defensive precondition guard argument invalid early validate
finally cleanup resource release exception
defer loop resource close go
transaction_retry serialization deadlock again
clock inject now time test freeze deterministic datetime current_time time_dependent
monotonic duration elapsed wall_clock ntp jump measure performance_now stopwatch
time_zone utc store local convert display customer region timestamp offset
dst daylight_saving 24_hours next_day tomorrow summer_time hour calendar add_day clock_change
date_only birthday zone shift midnight day_off one_day calendar_date
month_end leap_year add_month february calendar
locale_date format parse ambiguous month_first
debounce input keystroke search type request each throttle delay autocomplete every_letter
throttle scroll resize handler event frequent passive
polling websocket interval push replace sse
websocket reconnect heartbeat close backoff connection lost
connection_reuse keep_alive client per_request create http pool instantiate
dns_cache ttl resolve connection
load_shedding overload reject queue 503 priority
lazy_load defer initial on_demand startup
streaming_response chunk large memory
batch_request combine many_calls round_trip chatty
fan_out limit concurrency semaphore parallel too_many pool
distributed_clock skew order timestamp lamport
leader_election lease single fencing
eventual_consistency read_after write stale ui
state_machine transition invalid status enum explicit allowed
workflow step orchestrate durable
interrupt_handler short isr embedded firmware volatile flag
real_time deadline allocation loop audio
fixed_timestep game loop delta frame physics
undo history command revert user
offline sync conflict queue mobile network local
optimistic_update rollback ui server_reject like revert visible save_failed refuse undo
`
