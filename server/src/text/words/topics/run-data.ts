/** Finer subjects of SQL, migrations, indexes, ORMs, transactions, caches, data pipelines and machine learning. */
export const runData = `
null_comparison three_valued subquery unknown empty_result equals_null coalesce distinct rows_disappear filter silently matches blank_value skipped null comparison three empty result equals disappear blank
exists anti_join left_join nullable subquery missing_rows order none negate absent find_unmatched blank_list anti join left find unmatched blank
implicit_cast column_type varchar compared_number index_ignored mismatch bigint quoted convert seq_scan suddenly_slow number_text string_id whole_table implicit cast column compared index ignored seq scan suddenly text id whole table
function_column lower date_trunc sargable wrapped expression_index index_unused clause range upper cast slow_lookup lowercase year index_skipped column date trunc expression index unused lookup skipped
timestamp end_day half_open inclusive last_second exclusive_upper range_query month report miss_rows counted_twice evening_orders last_day midnight missing_sales end day half open last second exclusive upper range counted twice evening sales
group aggregate distinct_patch join_multiplies duplicate_rows inflated_sum fan_join doubled total wrong_total high report numbers_big totals_doubled distinct patch join multiplies inflated sum fan big
select_distinct hides_duplicate bad_join band_aid condition repeated_rows cartesian cross_join explode select distinct hides bad join band aid repeated cross
left_join filter_clause turns_inner outer_join condition vanished rows_match right_table left join filter clause turns inner outer match right table
cte common table expression clause readable nested_subquery unreadable_query temp step named materialized optimization_fence monster nested subquery unreadable optimization fence
window_function row_number partition latest_group lateral self_join recent newest_entry rank running_total top latest_status window latest group self join newest entry running total status
correlated_subquery executes rewrite_join scalar select_list thousand_lookups slow_report correlated subquery rewrite join select thousand lookups report
union dedupe sort unnecessary combine columns merged_results queries concatenate stack slower merged results
order_missing unspecified_order rows_shuffle first_row random_row physical_order jumps_around nondeterministic different_time reload_changes unspecified shuffle random physical jumps around different reload
explain_analyze query_plan estimate buffers production_size laptop_fast tiny_dataset planner statistics vacuum_analyze measured nested_loop fast_locally slow_live millions explain analyze plan production size laptop fast tiny dataset vacuum nested locally live
exists count_star presence know zero empty merely least counts_million slow_check boolean answer count star million
thousands_ids unnest array temporary_table parameter_limit bind 65535 chunk huge thousands ids temporary table parameter
condition union_index columns bitmap index_used slow_search optional_filter catch_query union index search optional filter catch
dynamic_sort column_name whitelist identifier parameterize user_chosen table_name quote_identifier injection direction asc desc dynamic sort column chosen table quote
update delete wipes whole table accident safe_updates console select_first emptied mistake statement production_console oops forgot condition safe select production
returning_clause insert_select extra round trip generated_id last lastval read_back second_query clause insert select generated id back second
naming_table plural_singular snake_case reserved_word quoted_identifier user_order column_prefix convention schema_naming table plural singular snake reserved word quoted identifier column prefix schema
entity attribute eav table generic_attributes property_bag pivot nightmare flexible untyped rows_attribute extra_fields customizable painful_report types_lost generic property bag extra painful report
comma separated csv_column ids_string junction_table normal form split_string array_column find_set csv column ids junction table split array find
denormalize duplicate_column copied_name drift date_copy source_truth counter_cache summary_table total_mismatch disagree copied_value forgot_update old_name column date source truth counter summary table total mismatch forgot update
polymorphic_association type_id foreign_key imageable exclusive_arc nullable commentable target_table dangling polymorphic association id foreign exclusive arc target table
hierarchy_query recursive_cte adjacency_list closure_table ltree nested_set category_tree parent_id ancestors level_level hierarchy recursive cte adjacency closure table nested category tree parent id level
sql_dialect portable vendor_specific sqlite_postgres mysql_mode works_test fails_production standard limit_top backtick sql dialect vendor specific sqlite postgres mysql mode works production top
escape percent_underscore wildcard_input search_box ilike pattern_characters matches literal_percent percent underscore wildcard input search box pattern characters literal
insensitive email citext lower_unique collation duplicate_account capital_letter uppercase address registered_twice mail_address login_fails lower unique account capital letter registered twice mail login
big table partition month detach_partition archive_old retention delete_slow bloat vacuum hundreds_millions drop detach archive delete hundreds millions
lock_timeout ddl alter_table access_exclusive queue_behind site_freeze migration_waits blocked_reads hangs retry_ddl writes_wait outage nobody_save lock timeout alter table access exclusive queue behind site freeze migration waits blocked retry nobody save
valid validate_constraint foreign phases scan existing share_lock existing_violations big_table check_null constraint_added long_lock existing_data validate constraint lock violations big table null long
set_null existing_nulls backfill_first constraint trick full_scan fails_halfway null_rows nonnullable require_column empty_values old_rows null existing backfill full scan halfway column empty
column rewrite_table int_bigint shadow_column dual_write swap overflow_id running billion sequence_exhausted maximum_id integer_limit convert rewrite table int bigint shadow dual overflow id sequence exhausted maximum integer
rename_table rename_column old_pods selecting view_alias deploy_breaks column_exist undefined_column release field_renamed requests_fail rollout rename table column pods view alias deploy exist undefined
drop_column ignored_columns stop later_release cached_columns orm_selects removing_field deploys unknown_column deleted_field running_version crash drop column ignored later release orm selects removing unknown deleted running
data_migration separate_schema model import application frozen_snapshot backfill_script inline_sql future_breaks fill_values class_longer later_breaks migration separate schema frozen snapshot backfill script inline sql future fill longer later
migration_numbering conflict branches number merge_heads timestamp_prefix alembic flyway linear renumber colleagues migration merge heads timestamp prefix
migration_test production_copy realistic_volume rehearse staging_dump duration long estimate took_hours dry_run minutes_locally unknown_duration migration production realistic volume staging dump took hours dry run minutes locally unknown
migration_startup instance_runs init_container advisory race_boot separate_step pipeline_job replicas_migrate simultaneously servers migration startup instance runs init container race boot separate step pipeline job replicas migrate
migration_transactional ddl_transaction half_applied failed_middle concurrently_outside disable_ddl mysql implicit commit left_inconsistent stopped_middle stuck_state repair migration transactional ddl transaction half applied middle concurrently outside disable left inconsistent stopped stuck
seed_migration reference_data lookup_rows idempotent_seed insert_ignore environment_specific production country_list seed migration reference lookup idempotent insert ignore environment specific country
raw schema drift manual_hotfix console_alter production_differs dump_compare schema_file regenerated nobody_recorded hand manual hotfix console alter production differs dump compare nobody recorded
composite index leftmost_prefix column_order equality_first range_last selective sort_column wrong_order covering unused_second filter leftmost prefix column equality range last sort unused second
partial_index deleted_null small_subset active unique_active boolean_column low_cardinality soft flag partial index deleted null small subset unique boolean column low cardinality
covering_index include_column index_scan heap_fetch hot_query visibility_map wide covering index include column scan heap fetch hot visibility map
duplicate_index prefix_redundant covered extra cost bloat unique pg stat scanned columns identical wasted_disk slower_insert drop overlap index prefix redundant wasted disk slower insert
foreign index child table delete unindexed_reference cascade_scan parent_removal minutes referencing_column lock_children deleting_customer slow_delete unindexed reference cascade scan parent removal column lock
gin_index jsonb_path contains_operator trigram array_search tsvector write_heavy inverted gin index jsonb path contains operator array search heavy
invalid_index concurrently_failed leftover reindex duplicate_violation indisvalid retry_create half_built invalid index concurrently violation retry create half built
index random uuid uuid4_fragmentation insert_locality uuid7 page_split time_ordered cold_pages primary bloat uuid4 fragmentation insert locality page split cold
online schema gh_ost pt_osc mysql_instant copy_table replication_lag throttle alter_hours ghost gh ost pt osc mysql instant table replication lag alter hours
destructive_migration backup irreversible_drop point_return rename_keep grace_period snapshot truncate destructive migration irreversible drop point rename grace period
lazy loading serializer template triggers query hidden_select json_rendering attribute_access unexpected_query view_layer loop_selects full hundreds_queries list page_slow hidden select json rendering attribute access unexpected view layer hundreds page
lazy initialization exception session_closed detached_instance outside_session open view hibernate fetch_join dto accessed_later error session closed detached instance outside fetch join accessed later
entity api expose_model leak_columns serialize orm object response_dto password visible internal_fields infinite_recursion database_object sent_browser hidden_field expose model columns response dto internal infinite recursion database sent browser hidden
cascade_type orphan_removal unexpected_delete jpa hibernate children_vanish mapping side mappedby cascade orphan removal unexpected delete children vanish
equals_entity hashcode generated id membership save jpa_entity business_key transient lost_hashset equals entity jpa business hashset
save whole object overwrites_columns update_fields dirty_tracking partial_update stale_object last wins dynamicupdate clobber field_reset colleague_change lost overwrites columns update dirty tracking partial stale reset colleague
bulk update skips hooks queryset_update callbacks_run validations_bypassed updated_unchanged signals_sent delete mass_update timestamp audit queryset callbacks run validations bypassed unchanged signals sent mass
model_callback save hidden side effect sends email create hard_test surprise_trigger observer signal_handler mail tests_slow model callback hard surprise trigger signal handler
validation_model database_constraint uniqueness_validator race_insert raw import bypasses orm_level double_row rails validation model database constraint uniqueness validator race insert orm level double
find_create race integrity_error duplicate_simultaneous first_create rescue_unique upsert simultaneous_signup crash_duplicate look insert parallel find create integrity simultaneous rescue unique signup
eager_load join fetch bag cartesian_include select related depth memory_blowup multiple_bag pulled deep_include eager load cartesian include memory blowup multiple deep
count_loop len_queryset size_count loads_rows evaluate_twice exists_call .count queryset_cache array length fetch count len queryset size loads evaluate twice exists
default_scope hidden_filter unscoped global query forgotten surprising paranoid soft delete archived scope hidden filter
query builder mutable chained_clone shared_builder conditions_leak knex accumulates unexpected reused second_query filters_carried wrong_rows previous_conditions chained clone conditions second filters carried previous
orm escape hatch complex_report handwritten_sql unreadable_builder raw_clearer generated query ugly projection analytics complex report handwritten sql unreadable builder raw clearer
generated sql review log_queries query count assert num bullet silk debug_toolbar regression budget_queries debug toolbar budget
identity_map stale_session refresh expire long lived request_session scoped_session shared_threads identity map stale session scoped threads
auto sync schema synchronize_true ddl_auto hbm2ddl drops_columns prototype_setting db_push production_schema automatic destructive synchronize true ddl drops columns prototype setting db push production
batch_iteration find iterator yield objects memory_explodes server side cursor million_records load page wise export killed loop batch iteration memory explodes million records
enum_ordinal mapping_position reorder_breaks stored_integer string_value jpa_enumerated inserted_middle shifted_meaning enum ordinal mapping position reorder stored integer jpa enumerated inserted middle shifted meaning
relation loading strategy query_eager global_eager fetchtype_eager annotate_default joined lazy_default eager global fetchtype annotate lazy
nested_transaction savepoint inner_rollback requires_new propagation partial_rollback transaction_aborted current inner_failure outer_continues nested transaction inner rollback partial aborted failure outer continues
transaction swallowed catch inside continues_failure commits_half rollback unexpectedrollbackexception mark poisoned half_saved error_ignored continues failure commits half saved ignored
forgotten_commit autocommit missing_commit idle_transaction changes_disappear connection dirty rollback_return saved forgotten commit idle transaction disappear rollback
email inside transaction side effect commit rolled back sent commit_hook transactional_event commit_callback notification_nonexistent job enqueued early record_found confirmation_mail hook transactional event callback notification nonexistent record found confirmation mail
modify balance_update lost_update subtract_code column plus atomic statement stock_negative oversell buyers last_item read_value write_back simultaneous wrong_balance balance update subtract stock negative last item back
stock_reservation hold_inventory expire_cart oversold double_booking seat slot_twice exclusion_constraint overlapping_range calendar appointment sold_twice available stock reservation hold inventory expire cart double booking slot twice exclusion constraint overlapping range sold
transaction spans think form_open pessimistic across lock_overnight editing_screen colleague_blocked forgotten_lock form open lock overnight editing screen colleague blocked forgotten
skip_locked job_table worker_picks update_nowait queue_database workers_row claim dequeue postgres_queue task skip locked job table worker picks update nowait queue database postgres
serializable_retry serialize 40001 40p01 retry_loop whole_transaction restart closure_idempotent aborted_conflict fails_randomly load serializable retry whole transaction closure idempotent aborted conflict randomly
default_isolation read_committed assumption selects_differ snapshot report_inconsistent mid repeatable consistent_read isolation committed selects differ report inconsistent consistent
transaction_boundary service_layer repository_commit dao_commits unit_work use_case scattered_commit halfway_saved first_saved second_missing transaction boundary service layer repository commit dao unit work scattered halfway saved second
cross database transaction xa phase_commit shared_atomicity local plus remote second_fails reconcile system sync phase commit atomicity second
constraint_deferred circular_insert initially_deferred swap_positions unique_reorder commit temporarily_violates constraint deferred circular insert initially swap positions unique reorder temporarily violates
select update sorted_ids consistent_order transfer deadlock_detected victim opposite_direction block stuck sorted ids consistent deadlock detected opposite direction
audit_transaction history_row separately_written missing_history change_trace atomic_change lost_audit recorded audit transaction history separately trace atomic
transaction retry side effect repeated_closure counter incremented twice external purity replays_block repeated closure replays block
rollback transaction_test truncate leftovers cleaning_strategy nested commit escapes polluted_database transaction cleaning strategy polluted database
gapless_sequence invoice_number skipped_number sequence_gap rollback_consumes legal_numbering counter_row missing_invoice consecutive number_missing accountant holes gapless sequence invoice skipped gap rollback consumes legal counter
affected zero update count ignored_rowcount silently_updates stale_version conflict_409 assume_success reported_success ignored rowcount silently stale conflict 409 assume success reported
negative_cache found_cached hammer cache penetration nonexistent_lookup absent short ttl repeatedly_queried null_sentinel nonexistent_id repeated database negative found nonexistent lookup repeatedly null sentinel id
cache_aside update_order delete_set race stale fill back invalidate_commit old_price reappears aside update delete invalidate commit price
cached_error failure_stored page cached outage_sticks 500_cache cache_success remains_broken hours keeps_failing failure stored outage sticks 500 success remains
cache_serialization version_bump class_changed deserialize deploy old_shape prefix incompatible_entry rollback_reads crash_release old_entry serialization bump shape incompatible entry rollback release
local cache instance inconsistent_nodes process replicas_disagree refresh shows flip_flop caffeine lru broadcast_invalidation alternates servers reload inconsistent nodes replicas disagree flip flop broadcast invalidation
cache_storage redis_evicted lost_data primary_store survive_flush rebuildable volatile_data eviction_policy allkeys noeviction restart_lost sessions storage redis evicted primary store survive flush volatile eviction policy restart
cold_cache warmup restart flush database overload deploy prefill morning_spike timeouts empty_cache cold morning spike empty
hot_key single_shard skew celebrity redis_node replicate_key local_layer overloaded_key hot single shard redis node replicate local layer overloaded
redis command scan blocking_command keys_star flushall hgetall_large single_threaded production_stall pauses blocking star hgetall large single threaded production stall
cache hit rate metric ineffective low_ratio contains timestamp unique_key useless_cache measured miss low ratio unique useless
stale_revalidate background_refresh serve_old soft_ttl wait recompute swr grace async_reload stale revalidate background refresh serve soft ttl async reload
mutable cached object shared_reference caller modifies corrupts next reader defensive_copy frozen returns_instance changed_list everybody_sees reference defensive instance everybody sees
cache tag purge surrogate_key group_invalidation change_pages outdated product price dependent_entries edited_article overview shows surrogate group invalidation pages dependent entries edited article
cache_authorization permission cache sees_somebody role_key private shared person page login data shown authorization sees somebody role
static_fingerprint hashed_filename immutable_asset javascript deploy chunk_found hard_refresh ctrl_f5 browser index html cache see layout_broken static fingerprint hashed filename immutable asset chunk found hard refresh ctrl f5 layout
service worker cache outdated_app update_prompt skipwaiting stuck offline unregister old_version reload_twice outdated app update prompt reload twice
vary_header accept_encoding content_negotiation language cached cdn_mix cookie_vary mobile desktop vary header accept encoding content negotiation cdn mix cookie
memoized_method instance_leak lru cache self unbounded_memo argument_unhashable grows_forever process_lifetime maxsize memoized instance unbounded memo argument unhashable grows forever process lifetime
distributed lock redis setnx expire_token redlock fencing_token working release_somebody pause holders servers run expire token fencing release somebody
ttl_choice long_stale business_tolerance price_permission seconds_day documented_reason arbitrary_3600 random_expiry ttl choice long stale business tolerance price permission seconds day documented reason arbitrary 3600 random expiry
full_refresh incremental_load watermark updated_cursor reload nightly_copy hours_long late overlap_window night whole_table slow_import full refresh incremental load updated cursor nightly hours long overlap window whole table import
late_arriving event_time processing_time watermark order_events yesterday numbers window_closed streaming flink beam corrected late_data late arriving event processing window closed
rerun_overwrites partition_overwrite append_duplicates delete_insert merge rerun_doubles idempotent_load reprocessed_day double_counted second_run duplicated_rows totals rerun overwrites partition append delete insert doubles idempotent load reprocessed day counted second run
execution_date logical_date datetime_dag day backfill airflow template_ds rerun_past parameterized_run yesterday rerun_yesterday today_date wrong_partition execution date logical datetime dag template ds rerun past parameterized run today partition
task_granularity giant_task restart_beginning small_steps retry single operator intermediate_output failed_last task granularity giant restart beginning small steps intermediate output last
top level dag heavy_import parse_time scheduler_slow database airflow_variable heavy import parse scheduler airflow variable
data_contract producer column upstream_renamed downstream_breaks dashboard_empty schema_agreement warehouse notify_consumers team changed report_broke contract upstream renamed downstream dashboard empty schema agreement notify consumers report
count anomaly empty_source zero loaded freshness_check silent_success green_empty great_expectations dbt_test volume_drop nobody_noticed dashboard empty source freshness silent success green great expectations dbt volume drop nobody noticed
quarantine bad reject_table bad_record whole batch dead letter skip_report malformed_line fault_tolerant stops_import reject table record skip report malformed line fault tolerant stops import
dbt_model staging_layer ref_function hardcoded_table source_freshness mart select star warehouse jinja lineage dbt model staging layer ref hardcoded table source freshness
surrogate_key slowly_changing dimension scd_type history_valid fact_table star_schema overwritten_history old_address price_time surrogate slowly scd history valid fact table star schema overwritten address price
spark_skew shuffle join_broadcast partition_count small_files collect_driver executor_oom repartition coalesce straggler stuck last task spark skew join broadcast partition count small collect driver executor oom
small problem parquet compaction lake thousand_tiny listing_slow file_size partition_fine thousand tiny size partition fine
column inference infer_schema leading_zero zip number mixed_type explicit_dtype date_guess excel_mangled scientific_notation zeros_lost postal phone infer schema leading zero mixed explicit dtype date guess excel mangled scientific notation
csv streaming parser split_comma embedded_newline quoted_field hand rolled broken_columns shifted library split comma embedded newline quoted columns
zone pipeline utc_partition day_boundary local_midnight sales daily total mismatch report_offset evening_sale next_day utc partition day boundary local midnight report offset evening next
warehouse_cost full scan bigquery partition_filter clustered bytes_billed expensive_dashboard scanned_terabyte preview_limit warehouse cost partition filter bytes billed expensive dashboard terabyte preview
pipeline secret production masking_personal sandbox_dump anonymized_sample analysts see email masking personal sandbox dump anonymized sample
lineage_catalog number_comes owner_table metric_definition dashboards_differ conflicting_revenue semantic_layer single_definition lineage catalog comes owner table metric definition dashboards differ conflicting revenue semantic layer single
backfill_throttle replay_history overloads_source peak separate_queue priority starves_daily reprocess_year backfill throttle replay history overloads source separate queue starves daily reprocess year
cdc capture debezium replication_slot tombstone delete_missed polling wal_grows log_based hard deleted_records replication slot delete wal grows based records
exactly_sink checkpoint offset output kafka_connect transactional_sink duplicates_restart dedup_key exactly sink kafka connect transactional restart dedup
join dirty trim_whitespace case_mismatch unmatched dropped inner orphan_count reconcile_total trim whitespace mismatch orphan count reconcile total
pandas chained assignment settingwithcopy loc_assignment copy_slice value_changed inplace view assignment_effect warning loc slice effect
pandas_memory category_dtype chunksize usecols float64_wide csv whole polars laptop_dies arrow pandas memory category dtype float64 wide laptop dies
merge_validate explode count left indicator unexpectedly_rows duplicate join_key dataframe merge validate unexpectedly join
target_leakage future_information column known afterwards good_accuracy suspiciously_high feature_label time_leak perfect_score useless_live target leakage future information good accuracy suspiciously high feature label perfect score useless live
series split random shuffle future walk_forward temporal_validation predicts_past backtest chronological trained walk forward temporal validation predicts past
group_leak patient user_split across groupkfold near_duplicate memorized person train_test twins group split near train
class_imbalance accuracy_misleading rare_class precision_recall f1 roc_auc predict_majority fraud_percent stratify resample_split ninety_nine imbalance accuracy misleading rare precision recall roc auc predict majority fraud percent resample split ninety nine
baseline_model simple_first dummy_predictor compare_heuristic improvement_unproven linear_deep worth_complexity baseline model simple dummy predictor compare heuristic improvement unproven linear deep worth complexity
hyperparameter tuned_test validation_set separate_holdout overfit_evaluation repeatedly_evaluated optimistic tuned validation separate holdout overfit evaluation repeatedly evaluated
training serving skew preprocessing_duplicated different online pipeline_object transform live predictions worse notebook logic rewritten works_notebook bad_production preprocessing pipeline object works bad production
model_drift monitor_distribution input_shift performance_decays retrain_trigger alert_quality silently_worse psi months months_later unnoticed model drift monitor distribution input shift performance decays retrain trigger alert quality silently worse later
experiment_tracking mlflow wandb parameters_logged run_made commit unreproducible forgotten_settings repeat experiment tracking parameters run forgotten settings
data_version dvc snapshot_dataset immutable training changed_underneath results differ later dataset_hash snapshot dataset underneath hash
eval_mode model_eval dropout_inference batchnorm train_flag torch_grad predictions vary gradient_memory different_answer input eval mode model dropout inference train flag torch grad gradient memory different answer
gpu_transfer cpu item sync pinned_memory dataloader_workers gpu_idle input_bottleneck tensor loop utilization_low gpu transfer pinned memory dataloader workers idle input bottleneck utilization low
loss_nan exploding_gradient clip_gradient learning_rate log_zero numerical_stability logsumexp epsilon diverges mixed_precision loss nan exploding gradient clip learning rate zero numerical stability mixed precision
imputation fillna_mean fit_train null_meaning sentinel_minus imputer informative_missing fillna mean fit train null sentinel minus informative
hot unknown category handle_unknown unseen inference encoder_crash new_country high_cardinality target_encoding handle encoder country high cardinality target encoding
model_fallback prediction_unavailable timeout_default rule based backup shadow_mode canary_model rollback_model model fallback prediction unavailable timeout shadow mode canary rollback
model artifact pickle untrusted_checkpoint safetensors onnx library mismatch load_fails sklearn_version weights untrusted checkpoint load sklearn
fairness subgroup_metric bias protected attribute proxy_feature disparate unfair explainability rejected_applicant subgroup metric proxy feature rejected applicant
label_quality annotator_agreement noisy_labels guideline_annotation relabel sample_audit mislabeled label quality annotator agreement noisy guideline annotation sample audit
inference_batching latency_p99 cold model load load_startup request_load warmup quantize prediction inference batching latency p99 startup
llm prompt prompt_code template_file evaluation_set regression_prompt tweak_breaks golden_answers template evaluation regression tweak golden answers
llm cost token context_window truncation max_tokens cache_answer runaway_loop budget_request expensive_model chunking context window max answer runaway budget expensive model
rag_retrieval embedding model reindex_vectors chunk_overlap citation grounded mixed_embeddings wrong_passages hallucinated_source rag retrieval reindex vectors chunk overlap mixed passages hallucinated source
sensitive training personal_dataset memorize consent_training vendor_trains opt scrub_prompt personal dataset consent vendor scrub prompt
offline online metric ab_experiment business_metric peeking significance sample_size early_stop improved live ab experiment business sample size early stop
`
