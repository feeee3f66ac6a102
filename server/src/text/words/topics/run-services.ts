/** Finer subjects of queues, events, locks, errors, retries, logs, metrics, incidents, networks and configuration. */
export const runServices = `
visibility_timeout longer processing redelivered twice sqs lease extend heartbeat worker slow message reappears second_consumer job_runs second_time working visibility timeout second consumer job runs
prefetch count unacked hoard worker idle_workers rabbitmq qos uneven fair dispatch greedy consumer basic_qos idle basic
offset commit auto_commit kafka crash lost_messages skip reprocess manual enable_auto poll consumer_group rebalance marked finished auto enable consumer group
rebalance consumer_group max_poll session_timeout kicked partition stuck lag_grows slow_handler kafka join leave consumer group max poll session timeout lag grows handler
partition_key ordering hot_partition round_robin user_id events arrive earlier later kafka key events_wrong partition hot round robin id
partition_count increase resize hash moves ordering_breaks kafka scale consumers idle parallelism planned partition count
poison_message malformed crash_loop requeue forever nack blocks_queue redelivery_count park inspect unparseable attempt dlq bad stops retried poison blocks queue redelivery count
dead letter monitor dlq alert nobody_looks piles redrive replay retention forgotten messages inspect owner drain failed_messages nobody looks
event_carried thin notify fetch_back stampede enrich snapshot payload size callback_api stale_read event_body event carried fetch back callback api stale body
event_envelope metadata event_id occurred correlation type version source cloudevents header standard fields uniform event envelope id
schema_registry compatibility backward forward producer_deploy first consumer_breaks avro protobuf topic evolution unknown_fields tolerant_reader schema registry producer deploy consumer unknown tolerant reader
event_command past_tense fact intention order_placed send_email coupling receiver name broadcast tells event command past tense placed send email
event_ordering late duplicate version_number sequence stale_event ignore_older overwrite newer updated created projection older_update event stale ignore older
inbox_table processed_ids dedupe unique_message consumer twice transaction idempotent exactly marker handled processed_twice remember_ids inbox table processed ids unique remember
dual_write save publish crash database_broker lost_event outbox relay polling_publisher inconsistent service heard sent system dual database broker event polling publisher
outbox_cleanup table_grows relay stuck published purge order polling lag batch listen_notify housekeeping outbox cleanup table grows listen notify
event_sourcing snapshot replay upcaster immutable_log append rebuild projection correct_event compensating aggregate stream event sourcing immutable correct
projection_rebuild read_model cqrs replay side_effects email disable eventual lag twice mails_resent customers_mailed old_events projection rebuild model side effects mails resent events
large_message claim_check payload_limit broker blob reference megabyte 256kb queue size_exceeded attachment object_key big rejected large claim payload size exceeded object
queue_priority starvation bulk interactive separate_queues password_mail stuck_behind newsletter slow_lane long_jobs waits_hours urgent waits_behind queue priority separate password mail stuck behind lane long jobs waits hours
delayed_message schedule later timer sleep worker setTimeout restart_loses reminder persistent visibility_delay remind tomorrow restart_forgets delayed restart visibility forgets
fan aggregate join_events wait arrived barrier timeout partial completion counter parts merge_results join events merge results
request_reply queue rpc synchronous correlation_id reply_queue timeout blocking broker chat wait_answer http reply correlation id wait answer
consumer_scaling autoscale lag keda backlog depth metric cpu_misleading throughput instances catch consumer scaling cpu misleading
unbounded_queue memory linkedblockingqueue grows outofmemory reject producer_blocks capacity bounded drop policy unbounded queue producer blocks
job_arguments serialize whole_object stale id sidekiq celery pickled model enqueue outdated_copy huge_argument old_data runs job arguments whole object outdated huge
job_deploy renamed_class old_jobs enqueued uninitialized unknown_task compatible queue argument_added signature_change rolling waiting_jobs job deploy renamed unknown task argument signature waiting
job_uniqueness enqueue_twice dedupe debounce pile click_repeated unique_key queued singleton task job uniqueness enqueue twice click repeated unique
cron_missed downtime catch skipped_run misfire dst_hour alert heartbeat monitor deadman silently_stopped last_success nobody_noticed backup cron skipped run dst hour silently stopped last success nobody noticed
message_ttl expired stale_job irrelevant late_notification hours_old discard age check_timestamp outdated_push ttl stale job late notification hours timestamp outdated push
websocket_fanout nodes pubsub sticky presence broadcast instance_memory redis_adapter half receives websocket fanout instance memory redis adapter
check_act exists create toctou file mkdir insert processes atomic_operation putifabsent compute simultaneously pass duplicate act atomic operation
double_submit button_pressed second_click simultaneous request flight duplicate_row spinner impatient disable server_side twice payment_twice ordered_twice nervous_user double submit button pressed second click server side payment nervous
lost_wakeup condition_variable spurious wait loop notify predicate hangs sleeping thread wakes signal wakeup condition variable
lock_granularity coarse global_lock contention striped waits serialize throughput big synchronized_method lock granularity global synchronized
lock_leak early_return exception unlock finally defer scoped_guard statement forgotten_release hangs_forever raii stuck error restart_helps lock early scoped guard forgotten release hangs forever restart helps
reentrant_lock callback calls_back alien_method listener self_deadlock thread nested invoke_outside reentrant lock back alien self deadlock invoke outside
lock rwmutex starvation upgrade reader writer mostly_read write snapshot_swap contention waits mostly snapshot swap
blocking async event loop sync_call time_sleep requests thread_pool run executor whole_server stalls wait sync sleep thread pool whole server
async_lock asyncio_lock threading_lock await holding coroutine shared suspended interleave single_threaded race value_changed async lock asyncio threading single
thread request unbounded_threads memory stack thousands virtual_threads pool exhaust spawn thread_created connection memory_runs unbounded virtual created runs
pool_deadlock nested_submit waits thread_starvation future inside_task workers blocked common_pool forkjoin busy waiting_forever pool deadlock nested submit thread starvation inside task common forever
connection pool deadlock second_connection inside_transaction pool_size waits exhausted hang load second inside transaction size
parallel_limit semaphore promise thousand simultaneous overwhelms remote gather bounded_concurrency burst 429 sockets overload parallel bounded concurrency
fire_forget background_task shutdown garbage_collected reference exception_vanishes create_task tracked finished lost_work know fire forget background task garbage collected exception vanishes create work
task_group structured_concurrency cancel_siblings errgroup supervisor child_outlives orphan join first_error leaves_running task group structured concurrency cancel siblings child outlives leaves running
cancel_propagation cancellederror swallowed cooperative interrupt interruptedexception restore_flag catch ignores stop_button cancel propagation restore flag stop button
timer_cleanup setinterval clear overlapping previous running slow_tick pile self_scheduling interval_drift top timer cleanup tick self scheduling interval drift
lazy_singleton double_init initialized_twice sync lazy_holder first_access threads race startup lazy singleton double init initialized twice holder access
immutable_share message_passing actor channel lock copy ownership thread_confined shared pass_messages nobody_modifies safe immutable passing thread confined nobody modifies
atomic_compound separate_atomics check_increment compare_exchange concurrenthashmap size_check steps atomic compound separate increment compare exchange size
volatile_flag stop_flag visibility memory_order relaxed sees loop ends reorder optimizer cached_register acquire release volatile flag stop memory register
thread safe collection simpledateformat hashmap concurrent_modification safe_class shared_formatter corrupted garbled shared_instance parallel wrong_dates random_errors concurrent modification formatter instance dates random
leader_election split_brain lease fencing single_runner standby failover think duplicate_scheduler runs_twice servers leader election split brain single runner scheduler runs twice
file_lock pid_file stale_lock crashed_process leftover flock running restart_refuses manual_delete lock pid stale process restart refuses manual delete
reentrancy_guard user_reloads tab simultaneous_edit localstorage concurrent_browser overwrite reentrancy guard reloads simultaneous edit concurrent browser
test_concurrency stress race_detector tsan latch deterministic interleaving sleep_based heisenbug flaky load concurrency race detector sleep based
request_coalescing singleflight identical_requests flight dedupe share_result moment hundred_callers fetch coalescing identical result hundred callers
order_response stale_response race_fetch latest_wins abort_previous typing_fast older_answer overwrites_newer search_results flicker old_results typed_letters response stale race fetch latest wins abort previous fast older answer overwrites newer search results letters
exception_translate lower_layer sqlexception leak_abstraction domain_error repository vendor_error wrap boundary third_party exception translate lower layer abstraction domain vendor third party
exception_hierarchy base_error library_callers catch module distinguishable subclass taxonomy catch_library exception hierarchy base library callers
error_code stable machine_code client_branches message_text parse_message translated wording_change brittle_match string_compare machine branches text parse wording brittle match compare
expected_failure result_type validation_outcome return_value throw exceptional exception declined insufficient expected failure result validation outcome
partial_failure batch succeed report stop first collected_errors summary failed_items continue rest_lost partial failure collected items rest
error_context id input filename missing_detail useless_message unhelpful include_value tell record context detail useless include
return_code ignored unchecked_result status_dropped boolean_false nobody_checks nodiscard write_failed silently failure_unnoticed unchecked result status dropped boolean false nobody failure unnoticed
catch rethrow new_exception cause_dropped raise inner_exception original_trace initcause wrapped stack exception cause dropped inner original trace
finally_return masks_exception overrides swallowed close_throws suppressed cleanup_failure secondary finally masks exception close throws cleanup failure
error_default returns_zero returns_empty null error hides_outage looks none_found wrong_balance zero_shown fake_success looks_empty actually_failed misleading zero empty hides outage none found balance shown fake success actually
log_continue broken_state corrupt afterwards stop fatal invariant_violated abort_early proceed_anyway continue invariant violated abort early proceed anyway
crash unrecoverable supervisor restart_clean panic_policy unknown_state exit_nonzero restart clean panic policy unknown exit nonzero
versus bug 4xx_5xx bad_input 500 invalid_request client_fault alert_noise internal_server mapped wrong_input alarms 4xx 5xx bad input invalid fault alert noise internal server
retryable_flag transient_permanent distinguish classify_error temporary retry_pointless validation_failure worth backoff retryable flag transient permanent classify retry pointless validation failure
page leak stack_trace version framework debug_page sql_shown production_debug whitelabel werkzeug internal_path visitor_sees technical attacker stack trace debug sql shown production internal path visitor sees
boundary granularity widget_crash whole_page white_screen blank_app react_crash isolate fallback_ui component widget whole page white screen blank app react fallback ui
async handler express_async next_err unhandled request_hangs answers wrapper rejected_handler forgotten_catch ends browser_waits express next err hangs rejected forgotten catch browser waits
event emitter listener error_event stream_error uncaught_crash pipeline emits crashes_process handler stream uncaught process
error_aggregation multi_error validation user_fixes resubmit collect problems list_together form_repeat aggregation multi fixes together form repeat
assertion_message invariant unreachable impossible_state happen default_branch throw illegalstate explain assertion impossible branch
panic_boundary recover middleware goroutine_panic kills_process catch_unwind ffi handler_crash panic boundary goroutine kills process catch unwind handler
error_reporting sentry duplicate_issue fingerprint grouping noise breadcrumbs release_tag unactionable captured_twice ignored_errors reporting issue release tag captured twice ignored
null_object absent_value throw return_none find_versus naming_convention lookup_missing optional null object absent none find versus convention lookup
rollback_error compensate undo_partial half_created orphan_user leftover_resource cleanup failed_signup steps half_finished remains rollback undo partial half created orphan leftover resource signup finished
checked_exception throws_clause wrap_runtime sneaky lambda signature_pollution declares java catch_exception exception throws clause wrap runtime signature pollution catch
error_equality instanceof_across realms bundle_duplicate error_name prototype custom_error cause_option code_property equality instanceof across bundle custom cause option property
exit_code script_failure nonzero cron_thinks success pipeline_green ignored_failure sys_exit returncode check_true job_failed reported exit script failure cron thinks pipeline green ignored sys true job
connect_timeout read_timeout separate total_deadline default_infinite hangs socket httpclient stuck_thread waits_forever hung_thread partner connect timeout total deadline infinite stuck thread waits forever hung
timeout_budget deadline_propagation downstream_longer upstream_gave remaining_time nested_calls work_wasted grpc_deadline shrinking server_continues timeout budget deadline propagation downstream longer upstream gave remaining nested work wasted grpc server continues
timeout_order proxy_gateway load balancer idle app_longer 504 502 client_shorter keepalive_mismatch connection_reset random_failures proxy_gives timeout proxy gateway app longer shorter keepalive mismatch connection reset random failures gives
retry_amplification layers_multiply nested_retries three_times storm retry_budget outermost overload_worse makes_worse retry amplification layers multiply nested three budget overload worse
retry_jitter synchronized_clients thundering second waves full_jitter exponential_backoff random_delay recover retry jitter synchronized full exponential backoff random delay
retry_header 429 respect server_says wait_seconds rate_limited ignore_header banned polite_client throttled retry header server says wait seconds rate ignore polite
retry non idempotent post_repeated charged timeout_unknown outcome ambiguous succeed query_status reconcile post repeated timeout unknown status
retry_forever max_attempts give endless_loop permanent_failure infinite stuck_job cap alert final stops retry forever max attempts endless permanent failure stuck job
retry_errors 400 503 connect_refused allowlist validation_error useless_attempts bad_request repeated pointless retry connect refused validation useless attempts bad
hedged_request tail_latency p95 speculative slow_replica second_copy cancel_loser hedged tail latency replica second cancel loser
circuit breaker tuning threshold half_open window shared_breaker host flapping fallback_path monitored half open fallback path
fallback_tested dependency_outage exercised stale_data degraded_mode chaos broken_fallback worse game_day fallback dependency outage stale degraded mode game day
optional_dependency recommendation checkout_fails noncritical blocks_page critical_path side_widget break_main unimportant_service takes optional dependency checkout blocks page critical path side widget main unimportant service
startup_retry database ready crash boot wait compose connection_refused backoff start startup retry connection refused
lock wait timeout acquire_timeout trylock forever_waiting pool_acquire bounded_wait give_error quickly queue_wait acquire forever pool bounded give queue
wait feedback long_operation spinner_forever cancel_button working progress timeout_message impatient_reload long operation spinner forever cancel button timeout impatient reload
timeout_units milliseconds_seconds confusion 30000 duration_type suffix_ms thousand_times wrong_unit constant timeout units milliseconds seconds duration suffix ms thousand
timeout_hardcoded configurable environment magic tune deploy measured_percentile guess justified number_code adjust timeout hardcoded measured percentile
cancel_disconnect client_left abandoned_query keeps_running closed_browser statement_cancel wasted expensive_report cancel disconnect left abandoned running closed browser statement expensive report
sleep retry loop thread_sleep blocking_worker reschedule delayed_queue occupying_slot waits_minutes polling_loop thread blocking worker delayed queue occupying slot waits minutes polling
grace_deadline shutdown_timeout force_kill sigkill thirty_seconds drain_longer requests_cut 502 deploy prestop grace deadline shutdown timeout force kill thirty seconds drain longer cut
upload_timeout large_body slow_network mobile_connection resumable_upload chunked_upload starts ninety_percent tus multipart upload timeout large body network mobile connection resumable chunked ninety percent
message constant interpolated grouping search structured_fields template unique_strings aggregate key_value placeholder lazy_format search_logs structured unique lazy format
level expected warn_noise pages_people info debug customer_typo cried_wolf warn noise pages people typo cried wolf
log_loop flood million_lines disk_cost summary item sampled rate bill gigabytes invoice million lines disk cost
secret header authorization_header cookie_dumped full_request axios_error config_printed token log bearer_visible password_readable authorization cookie dumped full axios config printed bearer visible password readable
personal email log hashed_identifier user_id payload_dump retention_log gdpr_log phone_number hashed identifier id payload dump retention gdpr phone
log_injection newline_forged crlf user_controlled escape_control fake_entry terminal_escape jndi lookup log4shell injection newline forged controlled escape fake entry terminal
log_correlation request_id traceid mdc contextvar async_lost thread_switch follow propagate_header user_complaint correlation id async thread switch propagate header complaint
log_multiline stack_split json_line event container_stdout fragmented parser_broken single_line multiline stack split json line container stdout parser single
start end silent_job trace happened duration_logged outcome item_count nightly_unknown breadcrumbs decision_logged run long silent job duration item count nightly unknown decision
exception object message exc_info stacktrace_missing str logger_exception getmessage pass_error line_number failed unknown exc info stacktrace logger pass line
expensive argument debug_disabled string_built isenabled lazy_evaluation tojson_big cpu_wasted lambda_supplier debug disabled built lazy evaluation tojson big cpu wasted lambda supplier
log_rotation disk_full logrotate file_grows var_log container_log max_size production space server_stopped rotation disk full grows var container max size server stopped
log_timestamp utc_iso milliseconds local_time order_mixed timezone_missing clock_skew compare_servers timestamp utc iso local mixed timezone clock skew compare servers
log_retention long_kept legal_period delete_old index_tier cost audit_separate needed_months retention long legal period delete index tier audit separate months
access_log query_string token_url health noise sampled path_template user_agent access token url path template agent
audit versus diagnostic separate_stream tamper guaranteed database_trail security_event separate stream database trail security event
library global_config basicconfig root_logger library_prints handler_added application_decides global config root logger prints handler application decides
log_sampling keep_errors tail_sample high_volume drop_success representative percentage sampling tail high volume drop success
log_language plain_words actionable next understandable cryptic_log emoji exclamation understand night sentence language plain words cryptic
dynamic level restart temporarily_verbose debug user runtime_toggle trouble production turn details temporarily verbose runtime toggle
print_debugging console_log leftover system println committed stdout_noise var_dump remove print debugging console stdout noise var dump
metric_cardinality url_raw path_id user_label explosion prometheus_memory series bounded_values template_route bill_exploded monitoring_slow expensive metric cardinality url raw path id label prometheus memory bounded template route bill exploded monitoring
histogram_average percentile p99 mean_hides tail_latency bucket_choice summary_aggregate users_complain average_fine users_wait average_good histogram average mean hides tail latency bucket choice summary aggregate complain fine wait good
counter_gauge rate_function resets restart_zero monotonic wrong_type decreases total_suffix counter gauge rate restart zero total suffix
red_method rate duration use_method saturation golden_signals basic_metrics endpoint_missing dashboards red golden signals basic metrics endpoint
metric_business orders_minute signup_drop technical_green revenue_stops silent_breakage funnel_alert nobody_noticed nobody_buys alarms_silent metric business minute signup drop technical green revenue stops silent breakage funnel alert nobody noticed buys alarms
metric_units seconds_base bytes_suffix naming_prometheus mixed_ms dashboard_confusing metric units seconds base bytes suffix prometheus mixed ms dashboard confusing
metric zero absent_series data_alert initialize_zero disappears alert_fires labels_precreated absent series alert initialize fires labels precreated
trace context async_boundary queue_header traceparent broken_trace orphan_span message_propagation new_root gaps follow across_services async boundary queue header orphan span propagation root across services
span_naming low_cardinality sql_name attribute route_template operation trace_list unreadable span low cardinality sql route template trace
span_end forgotten_span record_exception status_error finally_end unfinished closed span end forgotten record exception status finally
trace_sampling head_tail keep_slow errors_lost consistent_decision cost_tracing percent trace sampling head tail consistent decision cost
synthetic_probe external_check login_flow outside uptime certificate_dns customer_view heartbeat_url internal_green synthetic probe external login flow certificate dns view heartbeat url internal green
alert_threshold flapping duration noisy_alert muted ignored_pages burn_rate multi_window night_wake false_alarm alert threshold noisy ignored pages burn rate multi window night wake false alarm
dashboard_ownership stale_panel unreadable_fifty graphs first_look overview link_alert dashboard ownership stale panel unreadable fifty look link alert
profiling_continuous flame_graph production_profile cpu_hotspot pprof async_profiler sampled profiling continuous flame graph production cpu hotspot async profiler
instrumentation_business clutter decorator middleware_metric mixed_logic aspect wrapper observe instrumentation business middleware metric mixed logic
deploy_marker annotation version_label release correlate_change started regression_graph graph_jump deploy marker label correlate regression graph jump
queue_metrics age_oldest depth lag_seconds consumer_stuck backlog_alert waiting queue metrics age oldest lag seconds consumer stuck backlog alert
side frontend_monitoring source_map minified_trace real_users javascript_exception web_vitals beacon frontend monitoring source map minified trace real javascript exception web vitals
runbook_missing woken 3am steps_link unfamiliar_engineer paste commands tested_runbook stale_instructions new_colleague night runbook steps link unfamiliar engineer stale instructions colleague
alert_routing wrong_team owner_label escalation nobody_acknowledges pager_schedule business_hours ticket alert routing team owner label nobody acknowledges pager schedule business hours
blameless_review root_cause contributing human_error five action_item owner_due follow repeated_outage blameless review root cause human action item owner due repeated outage
incident_commander roles communication_channel status_page customers_informed leads chaos_chat update_interval scribe incident commander communication channel status page informed chaos chat update interval
rollback_first mitigate diagnose fix_forward debugging_live restore_service revert_quickly customers_waiting previous_version rollback fix forward debugging live restore service revert quickly waiting previous
manual production hotfix_console hand undocumented drift person recorded_command ad_hoc sql_prod nobody_remembers undone hotfix console recorded command ad hoc sql prod nobody remembers
break_glass emergency_access temporary_admin audited expires approval_bypass reviewed_afterwards glass emergency access temporary admin approval bypass reviewed afterwards
deploy_friday freeze_window holiday late_release staffed watch_deploy leave_immediately deploy friday freeze window late release watch leave immediately
severity_levels classification sev1 customer_impact response_time urgent definition bad called severity levels impact response
disaster_exercise restore_rehearsal game_day rto_rpo assumed_backup tried region_loss failover_drill disaster exercise restore rehearsal game day rto rpo assumed backup region loss failover drill
bus_factor person knows vacation handover shadow_rotation shared_knowledge undocumented_system bus factor shadow rotation knowledge undocumented system
toil_automation repeated_manual weekly_restart script ticket cron_cleanup human_click operational_load toil automation repeated manual weekly restart cron cleanup human click operational load
capacity_headroom traffic_peak black_friday forecast limit_reached scale_ahead disk_trend exhausted capacity headroom traffic peak black friday reached scale ahead disk trend
maintenance_notice planned_downtime announce read_mode banner customers_surprised window customers_know beforehand closed maintenance notice planned downtime mode surprised know
support_tooling admin_tool safe_repair script_reviewed fix repeated_sql self_service support tooling admin safe repair script reviewed repeated sql self service
timeline_evidence preserve_logs snapshot restart_loses heap_dump collect_first forensic timeline evidence preserve restart heap dump collect
third party outage vendor_status contact_support degrade_plan fault dependency_list sla vendor status contact support degrade plan dependency
small reversible big_bang release_train blast_radius progressive isolate_cause big bang release train blast radius isolate cause
connection_request new_client socket_exhaustion time_wait httpclient_disposed port_exhausted shared_session keepalive handshake new_connection connection socket exhaustion wait httpclient disposed port exhausted session
response body close leak_connection unread_body drain resp_body defer_close pool_starves sockets_pile open connections_run connection unread resp defer pool starves sockets pile run
http status unchecked fetch raise status_500 parsed success html unexpected_token ensure_success error_body error_treated 500 unexpected token body treated
redirect_follow authorization_forwarded cross_host leak_header post_becomes max_redirects loop strip credentials_sent elsewhere redirect follow authorization forwarded cross host header post becomes max credentials sent
base url join trailing_slash double_slash urljoin relative_path concatenated_url encode_component query_encode space_name ampersand wrong_address special_characters trailing slash double relative path concatenated encode component space address special characters
content header missing_json charset 415 form_encoded accept_header guessed_type wrong_parser json form encoded accept guessed parser
dns_caching stale_address jvm_ttl failover_ignored old_ip keepalive_forever resolve moved_host dns stale address jvm ttl failover ignored ip keepalive forever moved host
proxy_headers forwarded client_ip spoofed trusted_proxy rate address load_balancer scheme_https everybody proxy headers ip trusted load balancer scheme https
idle connection reset stale_keepalive econnreset quiet evict_idle firewall_drops tcp_keepalive heartbeat first_call pause fails stale keepalive evict firewall drops tcp
http2_multiplex grpc load balancing backend long_lived single_pod overloaded headless side uneven server_busy idle http2 multiplex long lived single pod server busy
pagination_client fetch_pages first_page missing_items next_link loop_guard hundred_results truncated_list rest_missing pagination fetch pages items next link guard hundred results truncated rest
api wrapper scattered_fetch place typed_client base_options duplicated_headers adapter vendor_sdk isolate scattered fetch base options headers vendor sdk
response_validation trust_partner missing_field undefined_later schema_parse external_shape changed_silently boundary_check zod crashes_far response validation trust partner undefined later schema parse external shape silently boundary far
agent identify contact partner_blocks default_agent bot_looking descriptive version_header partner blocks bot looking header
size response_unbounded huge_download memory_stream max_content malicious_server content_length chunked response unbounded huge download memory stream max content malicious server length
ipv6_literal localhost_resolve bind_address 127 listen container_unreachable dual_stack ipv6 literal localhost resolve bind address container unreachable dual stack
tcp_framing partial_read recv_less short_write message_boundary length_prefix buffer_loop glued_packets tcp framing partial recv less short boundary length prefix buffer glued packets
network_assumption reliable_latency zero_cost chatty local remote_call loop fallacy distributed network assumption reliable latency zero cost remote
webhook_receiver answer_fast process_later queue_first timeout_sender retries_duplicate 200_quickly slow_handler sender_repeats slow_answer webhook receiver answer fast process later queue timeout sender retries 200 quickly handler repeats
webhook_sender retry_schedule sign_payload disable failures endpoint_dead customer_url ssrf timeout_short delivery_log webhook sender retry schedule sign payload endpoint dead url timeout short delivery
bandwidth_compression brotli large_json mobile_data fields_selected binary_format uncompressed slow_phone bandwidth compression large json mobile selected binary format phone
cert validation disabled insecure_skip rejectunauthorized self_signed ca_bundle curl man middle temporary_hack expired insecure skip self signed ca bundle temporary hack
graceful_websocket reconnect_backoff missed_messages resume_token duplicate_subscription ping_pong half_open laptop_sleep wakes graceful websocket reconnect backoff resume token subscription ping pong half open laptop sleep
env validation startup missing_variable undefined_string crash_late schema_config list_missing first_use typo_name fails_boot forgotten_setting fails_later variable undefined late schema config typo boot forgotten setting later
boolean_env string_false truthy parsed_wrong zero_string strict_parse flag switched boolean env false parsed zero strict
default_dangerous production_default debug_true localhost_fallback silently_test insecure_default forgot_set wrong_database silently_uses test_server dangerous production debug true localhost fallback silently insecure forgot database server
config_reload hot_change restart_needed atomic_swap watch_file half_old validated sighup config reload hot restart atomic swap watch half
config environment production branches_env behave_differently capability_flag staging_untested node_env branches env behave differently capability flag staging untested node
secrets separate config public_settings mixed_file config_map vault_reference example_file dotenv_committed sample public settings mixed map vault reference example dotenv committed
env_example documented_variables new_developer missing_docs keep_sync purpose_default readme_table env example documented variables developer docs sync purpose readme table
config object stringly env_everywhere injected parsed scattered_getenv single_module test_override env everywhere scattered getenv single module override
config_duplicated places drift frontend_backend constant shared_source step forgot config frontend backend source
config unused option removed_feature dead_setting nobody_dares confusing_knob removed feature dead setting nobody dares confusing knob
config unknown typo_ignored strict_keys misspelled silently_default warning_unknown yaml_indent misspelt effect typo ignored strict silently warning yaml indent
config units timeout_ms size_mb ambiguous_number duration_string parse_10s timeout ms size mb ambiguous duration parse 10s
config reviewed git manual_console gradual_rollout validated global_outage care deploy manual console gradual rollout global outage
build config baked bundle runtime_config rebuild environment next_public vite_env image promote wrong_server runtime next public vite env server
feature flag service_unreachable evaluated consistent_user stale_flag nested_flags cleanup_ticket service unreachable consistent stale nested cleanup ticket
config_precedence command_line env file surprising_override documented_order wins print_effective config precedence command line surprising override documented print effective
tenant_setting hardcoded_customer special_case settings_table name_equals entitlement exception tenant setting hardcoded special table equals
config import_time module_level override_late frozen lazily environment loaded early import module level override late
url_code hardcoded_host staging_link production service_discovery port_number localhost_committed url hardcoded host staging link service discovery port localhost committed
config numeric bounds negative_pool zero_workers validate_range absurd_value percent sanity negative pool zero workers validate range absurd
`
