/** Finer subjects of authentication, authorization, secrets, privacy, containers, clouds, speed and memory. */
export const runSafety = `
session_fixation regenerate_session new_identifier sign privilege_change login planted cookie rotate attacker_sets session fixation regenerate identifier privilege attacker
session_lifetime idle_timeout absolute_expiry stay_logged weeks shared_computer library_terminal sliding remember walks_away session lifetime idle timeout absolute expiry stay computer library terminal walks away
token_storage localstorage httponly_cookie xss_steals browser_storage sessionstorage access_token script_reads memory refresh token storage httponly cookie xss steals browser access script
refresh token rotation reuse_detection family revoke stolen_refresh single_use long_lived silent_renew everywhere copied_token stays reuse detection stolen single long lived silent renew
jwt_algorithm alg_none confusion hs256 rs256 verify_signature decode unsigned accepted forged expected_algorithm jwks kid fake_token jwt algorithm alg none verify signature expected fake token
jwt_claims audience issuer exp_unchecked service token_accepted nbf clock_skew leeway wrong_environment jwt claims exp unchecked token accepted clock skew environment
jwt_payload sensitive_claims base64_readable role_stale permission_changed fat_token header large encrypted anybody_reads old_rights expires jwt payload sensitive claims base64 readable role stale permission fat token anybody rights
password_rules length complexity paste_allowed breach_list hibp passphrase forced_rotation truncated bytes special_character annoying password rules paste allowed breach forced rotation special character
password_rehash login_upgrade legacy_md5 cost_factor work_factor migrate_hash old_algorithm gradually peppered password rehash login upgrade legacy md5 cost factor work migrate hash algorithm
password reauth current_password confirm_identity sensitive_action step email_change hijacked_session takeover notify_old current confirm identity sensitive action email hijacked session notify
password reset flow token_hashed expires_hour single_use host_header poisoned_link invalidates_sessions old_link works mailbox link_used twice old_mail token hashed expires hour single host header poisoned link invalidates sessions mail
account_enumeration answer unknown_email timing_difference forgot_form registered reveals dummy_hash generic_message find customers account enumeration unknown email difference forgot form dummy hash generic
login_throttle account ip lockout_abuse progressive_delay guessing thousands_passwords stuffing denial login throttle lockout abuse progressive delay thousands passwords
mfa_enrollment recovery_codes bypass remember_device totp_replay sms_swap second factor skipped api_login lost_phone reset support mfa enrollment recovery remember device totp replay sms swap api login phone
oauth_state nonce csrf_login pkce authorization_code implicit_flow redirect_uri exact_match callback code_interception wildcard_redirect oauth csrf login authorization implicit flow redirect uri exact match interception wildcard
social login linking unverified_email account_merge provider_email takeover sub_claim identifier google_github address unverified email account merge provider sub claim google github
saml_assertion xml_signature wrapping replay audience_restriction idp_initiated signed_response library sso_enforced saml assertion xml signature audience restriction idp initiated signed response sso enforced
api design prefix hashed rest shown last_used scoped expiry revoke leaked_key identify customer_integration last integration
basic_auth credentials url password query history referer access_log curl_user header shared_account basic auth access curl account
service_service mtls workload_identity internal_trust network private_network unauthenticated_internal zero_trust spiffe inside service workload identity internal trust private unauthenticated zero
webauthn_passkey challenge origin_check resident phishing_resistant attestation counter user_verification fingerprint webauthn passkey origin phishing resistant verification
magic_link single_use prefetch_scanner mail_client opens expires device_bound consumed click_confirm magic link single prefetch scanner mail device bound click confirm
logout_complete server_invalidation back_button cached_page tabs devices token_lives valid logout complete server invalidation back button page token lives
cookie_scope domain_wide subdomain path host_prefix secure_flag samesite_lax samesite_none third_party sibling_site cookie scope domain wide host prefix secure flag samesite lax none third party sibling site
admin login separate vpn stronger_factor exposed_admin default_password initial_admin changeme seeded_user first_boot stronger factor exposed password initial seeded boot
test_backdoor bypass_auth skip_login debug_header hardcoded_user development reached_production magic_token backdoor bypass auth skip login debug header hardcoded reached production magic token
auth middleware route_registered forgotten_route public default_deny opt new_endpoint unprotected annotation_missing login reachable anybody route registered forgotten deny endpoint annotation
auth_library homemade_crypto login custom_token reinvent vetted_framework subtle_mistakes standard_protocol auth library homemade crypto custom token vetted framework subtle mistakes standard protocol
device session active_sessions unknown_device revoke login_alert new_location suspicious_signin email_notice active unknown login alert location suspicious signin email notice
deactivated_user fired_employee token_survives disabled_account revoked_access leaver left_company deactivated fired employee token survives disabled account revoked access left company
object level fetched_id owner_mismatch change_number url somebody invoice neighbour_data bola query_owner number_url fetched id owner mismatch neighbour
level permission hidden_column salary_visible response_filter role_dependent serializer partial_view read_attribute hidden column salary visible response filter role dependent partial view attribute
function_level admin_route hidden_button frontend ui_hides direct_call api_unprotected curl_works menu_invisible button_hidden hand level admin route hidden button ui direct api unprotected curl works menu invisible
deny_default fallthrough unknown_role allow_list missing_rule forgotten_case null_role grants policy_default deny unknown role allow rule forgotten null policy
role scattered admin string_compare central_policy permission_name policy_object casbin opa duplicated_rules compare central policy permission object rules
permission_role capability granular custom_roles hardcoded_role manager ifs edit permission role custom hardcoded
tenant_token client_supplied tenant_id body header_trusted switch_company change_parameter server_derives organization data tenant token supplied id header trusted switch company parameter server derives
level security policy_bypass superuser set_local current_setting pooled_connection leaks_previous force_rls owner_bypasses policy bypass local current setting pooled connection previous force rls owner
privilege_escalation self_promote role_field invite_admin grant higher_role assign edit_profile privilege escalation self promote role invite admin higher edit profile
confused_deputy behalf service account power acting_user propagate_identity background_job permission requester powerful confused deputy acting propagate identity background job
permission_cached revoked_later queued_job export_removal stale_grant long_session reauthorize permission revoked later queued job export removal stale grant long session
list_filtering search_leaks count_reveals autocomplete_shows total_includes forbidden_rows filter_query paging short_pages number_hits filtering search count reveals autocomplete shows total includes forbidden short hits
nested_resource parent_child mismatch comment project_path ids belongs url_hierarchy unchecked_parent belongs_elsewhere nested resource parent child project path url hierarchy unchecked elsewhere
bulk action item mixed_ownership ids_array batch_delete partially_forbidden mixed ownership ids array batch delete partially forbidden
download authorization direct_link guessable_url public_bucket attachment_shared signed_expiring static_folder anybody link_forwarded login direct link guessable url public bucket attachment signed expiring static folder forwarded
share_link unguessable revoke expiry public_view indexed google robots password_protected link public view password protected
approval four eyes requester_approves self_approval separation duties second_person payout limit_amount requester approves self second person amount
graphql_authorization resolver_level field_reachable path nested_access introspection node_id directive graphql authorization resolver level reachable nested access node id
websocket_authorization subscribe_channel handshake message room_name private_topic listens expired websocket authorization subscribe channel room private topic
impersonation_guard support_login visible_banner real_actor restricted_actions consent end_session impersonation guard support login visible banner real actor restricted actions end session
authorization_test forbidden_cases negative_tests tenant matrix_roles anonymous_request expect_403 admin_tested authorization forbidden negative matrix roles anonymous expect 403 admin
iam_wildcard resource_star action_star least_role assume_role trust_policy cross_account external_id passrole overprivileged iam wildcard resource star action least role assume trust policy cross account external id
database rights app_superuser ddl_rights read_user reporting_role grant_select drop_table separate_migrator app superuser ddl reporting role grant select drop table separate migrator
scope oauth consent minimal_scopes read_write asks incremental_consent integration_token minimal incremental integration token
access jit_elevation temporary_grant expires_automatically standing_admin quarterly_review forgotten_rights jit elevation temporary grant expires automatically standing admin quarterly review forgotten rights
secret_git history_rewrite rotate_delete pushed_key removed_commit gitleaks scanner pre_commit public_repository bots_found password_committed secret git history rewrite rotate delete pushed removed commit pre public repository bots found password
secret_frontend bundle_exposed public_prefix map_key client_side view_source mobile_binary decompiled proxy visitors_read key secret frontend bundle exposed public prefix map side view source mobile binary visitors
secret_image env_layer build_arg copy_dotenv docker_history buildkit_secret mount multi_stage registry_pull secret image env layer build arg dotenv docker history buildkit multi stage registry pull
secret rotation overlap valid dual_key grace_period zero_downtime new restart_needed signing_keys changing_key breaks dual grace period zero downtime restart signing
secret_ci masked_variable echo_output fork_build protected_branch oidc_federation long lived token pipeline_log printed secret ci masked variable echo output fork build protected branch oidc federation pipeline
secret_url query_token referrer browser_history proxy_log shared_link presigned header secret url token browser history proxy link
secret_ticket chat_pasted slack_password screenshot wiki_page onboarding_doc password_manager shared_vault sent mail secret ticket chat pasted slack password wiki page onboarding doc manager vault
secret_memory process_list command_argument ps_output environ_dump core_dump crash_report stdin_file zeroize heap secret memory process command argument ps output environ dump core report stdin
secret fallback dev_secret signing_default changeme everywhere fail_missing weak_key short_key jwt_secret dev signing weak short jwt
secret_environment shared_staging production_key laptop credential blast_radius developer_machine real secret environment staging production blast radius developer machine
kms_envelope data_key key_version wrapped_key hsm rotate_master ciphertext_prefix decrypt_permission kms envelope wrapped rotate master ciphertext prefix decrypt permission
encryption_nonce reused_iv random_nonce gcm counter static_iv ciphertext authenticated_encryption mac tampered cbc padding_oracle output encryption nonce reused iv random static authenticated padding oracle
hash versus encrypt reversible base64 encryption obfuscation encoded_password decodable sha256_password hmac_lookup blind_index readable encoded password sha256 hmac lookup blind index
terraform state secret plaintext_state output_sensitive password tfstate random_password backend_encrypted plaintext output sensitive random backend encrypted
kubernetes_secret base64 etcd_encryption sealed_secrets external_secrets env_versus volume rbac_read configmap_password kubernetes secret etcd encryption sealed external env versus rbac configmap password
secret access audit unusual_access lease_ttl dynamic_credentials vault_policy short_lived database_login unusual lease ttl dynamic credentials vault policy short lived database login
webhook secret rotation shared_secret endpoint verify_previous timestamp_tolerance replay_window verify previous timestamp tolerance replay window
leaked secret response revoke_first assess_use rotate_immediately incident delete assume_compromised revoke assess rotate immediately assume compromised
personal minimization collect needed optional_birthday form_asks unnecessary_phone gender purpose store_less optional birthday form asks unnecessary phone store less
personal url email path query_name referrer analytics_tool browser_history form analytics tool browser history
personal production_dump developers_see real_customers staging_mail sent faker masked anonymized_copy test_mails real_people production dump developers see real staging mail anonymized people
personal analytics third party script session_replay recorded_inputs mask_fields pixel ip_anonymize tracker consent session replay recorded inputs mask ip anonymize
erasure_everywhere backups caches search_index logs exports vendor_copies deleted_user found derived_data cascade_erase asked_delete erasure everywhere search index vendor deleted derived cascade erase asked
export machine_readable subject_access tables complete_copy download thirty_days identity_check machine readable subject access complete thirty days identity
pseudonymize_token reidentify hash_email salted join_key small_group anonymity zip_birthdate quasi_identifier aggregate pseudonymize token hash email join small group zip birthdate quasi identifier
retention_schedule automatic_deletion kept_forever ttl_column purge_job legal_hold inactive_accounts years_old documented_period data retention schedule automatic deletion forever ttl column purge job legal hold inactive accounts years documented period
purpose_limitation reuse_marketing different_purpose consent_record withdraw timestamp_version opt unsubscribed purpose limitation reuse marketing different consent record timestamp
sensitive_category health religion biometric explicit_consent extra_protection special_data inferred political sensitive category explicit consent extra protection special
location_tracking precise_coordinates coarse background_location history_kept geofence home_address derived location tracking precise coordinates background history home address
sub_processor vendor_agreement dpa transfer_country cloud new_tool sends register legal_review sub processor vendor agreement transfer country tool legal review
report scrub sentry_body send breadcrumbs_password form_values attachments_screenshot local_variables sentry body breadcrumbs password form attachments screenshot local variables
employee access curiosity_lookup support_views need_know reason_required access_logged celebrity_record curiosity lookup support views know reason celebrity record
clipboard_screenshot app_switcher sensitive_screen flag_secure autofill keyboard_cache password_visible preview clipboard screenshot app switcher sensitive screen flag secure keyboard password visible
email_recipients cc_visible bcc mass_mail wrong_recipient mail_merge addresses_exposed email recipients cc visible mass mail merge addresses exposed
children private profile_public search engine indexed visible privacy_setting opt_sharing default_closed profile public privacy setting opt closed
audit personal immutable_versus erasure pseudonymous_actor minimal_detail diff_contains old_value immutable versus pseudonymous actor minimal detail diff contains
cookie consent technical necessary blocked banner dark pattern reject_equal preferences_saved google_analytics reject equal preferences saved google analytics
container root runasnonroot numeric_uid permission_denied volume_owner drop_capabilities read_root privileged escape numeric uid permission denied volume owner drop capabilities
image size multi stage build_tools runtime distroless alpine_musl slow_pull gigabyte_image dockerignore node modules git_folder build tools alpine musl pull gigabyte git folder
image tag latest digest_pin immutable_tag different_node rollback_impossible base_update rebuild_regularly unpatched_base digest pin immutable different node rollback impossible base update rebuild regularly unpatched
docker cache package dependency_layer reinstalls source_change invalidates slow_build mount_cache dependency layer source build mount
pid signal_forwarding shell_form exec_form tini zombie_processes ctrl ten second stop npm_start entrypoint sigterm_ignored stop_takes ten_seconds killed signal forwarding shell form exec zombie processes npm start sigterm ignored takes
container_ephemeral local restart_wipes upload_disk persistent_volume emptydir writes_inside stateful vanished container ephemeral restart wipes upload disk persistent volume inside
healthcheck_dependency liveness_database restarts cascading probe_strict readiness_separate startup_probe slow_boot killed_starting database_slow healthcheck dependency liveness database probe strict readiness separate startup boot killed starting
memory runtime heap_percentage oomkilled exit_137 jvm_container max space gomemlimit killed log dies_suddenly heap percentage exit 137 jvm container dies suddenly
cpu throttling cfs_quota latency_spikes gomaxprocs thread_count cores_detected automaxprocs cfs quota latency spikes thread count cores detected
pod_shutdown prestop_sleep endpoint_removal receives traffic terminating 502 rollout graceful_period sigterm_immediately requests_fail deploy pod shutdown prestop sleep endpoint removal graceful period sigterm immediately
replica_single pod node_drain downtime_upgrade disruption budget anti_affinity topology_spread zone_outage maintenance_outage replica single node drain downtime upgrade anti affinity topology spread zone outage maintenance
configmap_reload subpath_mount pod_restarted checksum_annotation config running hash_suffix rollout_restart changed_setting effect configmap reload subpath mount pod restarted checksum annotation hash suffix rollout setting
namespace_quota limitrange noisy_team unlimited_pod evicted best_effort qos_class resource_request missing scheduler namespace quota noisy team unlimited pod best effort qos resource
network policy deny pods_talk lateral egress_open namespace_isolation service_mesh mtls_strict pods talk egress open namespace isolation service mesh mtls strict
kubectl_manual edit_live gitops_drift argocd apply_hand overwritten_next sync unmanaged cluster_change change_disappeared kubectl manual edit live gitops drift apply hand overwritten next cluster disappeared
helm template logic values_schema unreadable_templates defaults_safe nindent chart_version pinned_chart kustomize overlay copied_yaml schema unreadable safe chart pinned yaml
cronjob_concurrency forbid backofflimit activedeadline history_limit stuck_job piles_pods starting_deadline missed_schedule cronjob concurrency history stuck job piles pods starting deadline schedule
hpa_scaling min_replicas cpu_metric flapping stabilization custom_metric burst slow vpa_conflict hpa scaling min replicas cpu metric custom vpa conflict
service account token automount default_account cluster_admin rbac_pod api_access secrets_listing unneeded_token cluster admin rbac pod api access secrets unneeded
ingress_timeout body_size buffering websocket_upgrade annotation 413 seconds upload_fails long_request nginx_default ingress timeout body size websocket upgrade upload long nginx
init container sidecar_start job_ends sidecar_keeps istio proxy ready dependency native_sidecar sidecar start job ends native
image_scanning vulnerable_package trivy sbom signed_image admission provenance unknown_registry typosquat image scanning vulnerable package signed unknown registry
local_compose differs depends healthy volume_mount port_conflict override developer_setup works hot reload container local compose volume mount port conflict developer setup
statefulset_volume reclaim_policy deleted_claim resize_disk namespace_deleted database cluster operator statefulset volume reclaim policy deleted claim resize disk namespace
timezone locale container tzdata_missing utc_container cacerts_missing wrong_hour logs fonts_missing slim_lacks tzdata utc cacerts hour fonts slim lacks
terraform state shared remote_backend locking dynamodb people_apply corrupted_state local_tfstate committed_state workspace_separate colleagues remote backend people apply corrupted local tfstate committed workspace separate
terraform plan reviewed destroy_surprise replacement forces_new database_recreated prevent_destroy lifecycle saved_plan apply_blind deleted_database unexpectedly destroy surprise forces database recreated prevent saved apply blind deleted
terraform module pinned_source git_ref provider_lock upgrade_breaks paste inputs_documented generic thin_wrapper pinned source git ref provider lock upgrade inputs documented thin wrapper
terraform count index list_reorder recreates shifted_resources removed_middle moved_block state_mv renamed_resource rebuilt reorder shifted resources removed middle moved block mv renamed
terraform hardcoded ids account_number ami data_source variable region subnet_literal remote state output account source subnet literal
console_clicked unmanaged_resource import_block drift_detection manual_firewall undocumented_change lost_next hand nobody_knows console clicked unmanaged resource import block drift detection manual firewall undocumented next nobody knows
cloud_tagging owner cost center orphan_volume unknown_purpose pays automatic_tags default_tags mandatory cloud tagging orphan volume unknown purpose automatic
idle_resources nightly_shutdown dev environment weekend unattached_disk forgotten_instance old_snapshots unused_ip wasted_money bill_surprise nobody_uses paid idle resources nightly shutdown unattached disk forgotten instance snapshots unused ip wasted money bill surprise nobody
budget_alarm cost_anomaly spend_doubled nobody_noticed invoice forecast runaway_lambda recursive_trigger limit expensive_month budget alarm cost anomaly spend doubled nobody noticed runaway lambda recursive trigger expensive month
egress_cost cross_zone nat_gateway data_transfer vpc_endpoint chatty regions cdn_savings expensive_traffic egress cost cross zone nat gateway transfer vpc endpoint cdn savings expensive traffic
storage_lifecycle glacier infrequent_access expire_objects incomplete_multipart versioning_grows bucket transition storage lifecycle infrequent access expire objects incomplete multipart grows
reserved_spot savings_plan interruption_handling oversized_instance rightsizing graviton utilization_five percent reserved spot savings plan interruption handling oversized instance utilization five
public_exposure security_group open_port database_internet bucket_public block access ssh_world shodan public exposure security group open port database internet bucket ssh world
multi_account separate_production blast_radius landing_zone scp sandbox_project multi account separate production blast radius landing zone sandbox project
serverless_limits timeout payload_6mb concurrency_limit cold_start connection_lambda rds_proxy tmp_disk recursion serverless payload 6mb concurrency cold start connection lambda rds proxy tmp disk
lambda global state reused_container stale_variable init_outside handler leftover invocations warm connection_reuse reused container stale variable init outside connection
vendor_lockin managed_service abstraction exit_cost portable_core overengineered_multi cloud_neutral vendor lockin managed service exit cost portable core overengineered multi cloud neutral
region_failure multi_az single_zone replication_region dns_failover rto quorum east region failure multi az single zone replication dns failover
managed_upgrade deprecated_runtime end_support forced_upgrade maintenance_window minor_auto eol_database managed upgrade deprecated runtime end support forced maintenance window minor auto eol database
cdn origin protection bypass_waf direct_ip origin_header ddos rate_edge bypass waf direct ip header rate edge
s3_consistency list_prefix objects rename atomic copy_delete folder_illusion key_design hot_prefix s3 consistency prefix delete folder illusion design hot
infrastructure_test validate_policy tflint checkov policy_code ephemeral_environment pull preview plan ci infrastructure validate policy ephemeral environment
backup_account deletion_protection ransomware immutable_backup accidental_destroy cross_region restore_tested encrypted_copy backup account deletion protection immutable accidental destroy cross region restore encrypted
quota_limits service_quota soft_limit scaling_blocked request_increase ip_exhaustion subnet small elastic_ip quota service soft scaling blocked increase ip exhaustion elastic
measure_optimizing profiler guess_slow benchmark_proves micro_tuning readability_lost evidence flame assumption_wrong measure optimizing guess benchmark proves micro tuning readability assumption
quadratic_loop nested_find includes loop array_indexof map_id thousands_items freezes_browser set_lookup squared quadratic nested find array indexof map id thousands items freezes browser lookup
concat loop plus_equals builder join quadratic_copy large_report garbage plus equals quadratic large report
allocation hot path boxing temporary_objects gc_pressure pause escape_analysis object_pool frame reuse_buffer young_generation temporary objects gc pressure escape analysis pool reuse buffer young generation
memory leak static static_map registry listener removed closure_retains detached_dom heap_snapshot climbs restart_nightly grows_days map closure retains detached dom heap snapshot restart nightly grows days
stream_buffer load whole gigabyte_upload pipe line_wise chunk_processing constant_memory crash big_file dies stream buffer gigabyte upload line wise chunk processing constant memory big
cache unbounded map plain_object evicted weakmap lru_size memory_creeps dictionary_grows process_swollen plain object lru size memory creeps dictionary grows process swollen
sequential_awaits independent_calls parallelize page_slow waterfall promise gather total_latency waits sequential awaits independent page total latency
startup_time eager_init heavy_import reflection_scan classpath lazy_module slow_boot cli_feels sluggish cold_launch startup eager init heavy import reflection scan lazy module boot cli feels cold launch
repeated_work loop hoist_invariant regex_compiled parse date formatter created length_recomputed calculation repeated work hoist invariant regex compiled length recomputed
serialization_cost json stringify large deep_clone structured_clone repeated_parse binary_protocol cpu_json serialization cost deep clone structured repeated parse binary protocol cpu
lock contention profile threads_waiting low_cpu throughput_flat adding_cores faster amdahl synchronized_hotspot false_sharing cache_line threads waiting low cpu throughput flat cores synchronized hotspot false line
data_locality array_structs cache_miss pointer_chasing linked_list contiguous vector_faster branch_prediction locality array structs pointer chasing linked vector faster branch prediction
latency_budget page load goal regression_gate performance_test ci_threshold slower_release p95_goal lighthouse bundle_budget latency budget regression gate performance ci threshold slower release p95 bundle
pagination_memory findall_filter code load_filter database_filter ten_shown sorted_memory side pagination memory findall filter load database ten shown sorted
requests_list detail_call row_spinner batch_endpoint hundred_calls backend frontend include_parameter detail spinner batch endpoint hundred include parameter
image processing resize_inline cpu_handler thumbnail_job queue upload_hangs pdf_generation video resize inline cpu handler thumbnail job upload hangs pdf generation
finalizer_dispose native_resource gc_delay deterministic_close handle_leak idisposable autocloseable descriptor_limit emfile ulimit finalizer dispose native resource gc delay deterministic close handle descriptor
regex_slow backtracking_input catastrophic_pattern linear_engine re2 long hangs nested_quantifier email_check regex backtracking input catastrophic pattern linear engine nested quantifier email
sampling_production realistic_load warm_jit microbenchmark_lies jmh dead_elimination variance repeat_runs laptop_noise percentile_compare sampling production realistic load warm jit microbenchmark lies dead elimination repeat runs laptop noise percentile compare
chatty sync console_hot synchronous_write flush fsync disk_wait buffered_async console hot synchronous disk wait buffered async
thread context switch workers oversubscribed cores_times cpu bound versus io_bound pool_tuning cores io pool tuning
precompute_aggregate dashboard_slow summary_nightly materialized_counter live count million fly precompute aggregate dashboard summary nightly materialized counter
gram_search leading_wildcard client_autocomplete debounce index_engine slow_typing gram search leading wildcard autocomplete index engine
`
