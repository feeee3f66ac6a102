/** Interfaces: HTTP and other APIs, web pages, mobile, accessibility, languages, infrastructure, operations. */
export const product = `
api_breaking rename field remove response client break deprecate period version compatible json_key integration contract changed
api_version path header v1 v2 breaking contract existing client
rest_naming plural noun collection url resource path verb
http_method patch put partial update post get safe attribute replace
get_side_effect get change state crawler prefetch delete_link
status_code 200 201 204 400 404 409 422 correct error_inside ok
validation_error field 422 message input which detail form
input_validation schema body request validate boundary zod joi controller reject unknown type
unknown_field additional_properties strict reject ignore mass_assignment
mass_assignment bind model field role admin attribute whitelist overwrite
response_shape consistent envelope wrapper null omit
null_field optional schema explicit missing absent
enum_growth unknown_value client tolerate new
filter_sort parameter document allowlist column
bulk_endpoint batch per_item result partial failure each
long_operation 202 job background status poll client_wait export finish minute
compression gzip response large
openapi document schema endpoint example generate contract
graphql_loader resolver n_plus batch dataloader nested field
graphql_depth complexity limit nested query malicious cost
graphql_error partial nullable field
grpc deadline status code
sdk client generate type api
header_custom x_prefix internal
request_id correlation trace log header entries same_call propagate follow
structured_log json field message template string interpolation key_value parse
log_level debug info warn error severity noise production
log_volume loop noisy sampling cost
log_context who what id useful
metric_label cardinality user_id series explode prometheus tag unbounded time_series
metric_name unit suffix convention
alert runbook pager on_call actionable noise link person duty what_to_do
alert_symptom cause threshold slo
tracing span propagate context opentelemetry sample
dashboard code observability panel
postmortem incident blameless action
slo error_budget release freeze
react_effect cleanup subscription listener unmount leak interval remove mount return component registers
effect_dependency array stale closure exhaustive missing hook
effect_fetch loader query data race
hook_rule conditional call top_level
react_key index list stable reorder id state rows mix
rerender memo usecallback inline object prop performance each_render recompute expensive selector
derived_state compute prop duplicate sync
prop_drilling context pass level
global_store server_state query_cache redux fetched duplicate copy
component_size split presentational logic
controlled_input form state
state_mutation immutable redux push spread
vue_reactivity prop mutate ref watch computed
angular subscription takeuntil async_pipe onpush observable
server_component client boundary hydrate
hydration_mismatch server date random
bundle_size import lodash tree_shake lazy split heavy download kilobyte initial moment whole_library
image_lazy loading below_fold picture fetch_all viewport defer immediately
image_size width height layout_shift dimension jump
image_format webp compress resize
font_load swap preload self_host
critical_css render_block script defer
long_list virtualize window scroll thousands dom
animation_frame transform gpu layout_thrash jank
web_worker heavy computation main_thread ui freeze
css_important specificity override
inline_style class module scope
design_token color hex hardcode theme variable palette stylesheet spacing design_system dark_mode
design_system component reuse button custom own_implementation
spacing grid rem unit pixel
responsive mobile breakpoint narrow screen overflow
z_index layer scale overlay
dark_mode theme color scheme
loading_state skeleton spinner blank empty wait screen until_data arrive placeholder progress
empty_state list first explain nothing
error_state message retry show user fail explain
form_label placeholder input accessible label
form_error inline field aria_describedby message
submit_button disable double_click pending
confirmation destructive delete dialog undo accident
unsaved_change leave warn form
toast duration dismiss notification
modal_focus trap dialog escape return tab behind popup keyboard move_focus
keyboard_access mouse hover click tab menu div onclick reach without_mouse focusable
focus_visible outline none ring
alt_text image description picture blind screen_reader decorative alternative
accessible_name button icon label screen_reader aria announce voiceover control nothing
color_alone state red green color_blind icon text difference dot
contrast text gray light readable ratio 4.5 low legibility letters
reduced_motion animation dizzy vestibular preference parallax
semantic_html button div heading landmark element role aria
heading_order level skip structure
live_region announce dynamic update status
video_caption subtitle transcript audio
table_header scope cell data
touch_target size small finger
zoom text_size scale rem
translation i18n string hardcode text english key locale catalog template user_visible directly literal
string_concatenation_translation fragment sentence order placeholder pieced word_order grammar interpolation
plural rule count locale one_item items form singular icu
rtl arabic hebrew mirror margin_left logical_property direction start_end
number_format locale separator decimal thousand intl
date_format locale intl user
text_expansion german long layout truncate
name_format first_last culture
address_format country postal
sort_locale collation compare accent
seo title meta canonical sitemap
link_target blank noopener new_tab
url_state share back_button query
back_button history navigation spa
deep_link_share route
email_template plain_text inline preview
notification_spam preference unsubscribe frequency
android_service background battery stop foreground work drain doze
android_lifecycle activity rotate config_change viewmodel leak context
ios_main_thread ui freeze background dispatch parse phone queue block interface
mobile_permission ask camera location need launch context request right_away
mobile_offline cache sync queue
mobile_size app asset download
mobile_version old_client force_update compatible
push_payload personal lock_screen notification
app_release signing store staged
terraform_state remote backend lock commit tfstate local
terraform_plan review destroy prevent module
cloud_tag owner cost team resource pay nobody_knows
cloud_cost budget idle oversize instance
iam_policy wildcard narrow role
public_bucket storage private world readable open
network_policy firewall deny ingress port open
docker_root user non_root container privilege dockerfile
docker_layer cache copy order slim multi_stage size
docker_tag latest pin digest base_image changes reproducible moving
docker_secret build_arg layer leak
pod_limit cpu memory request resource node eat noisy kubernetes oom
pod_disruption replica anti_affinity availability
helm_value schema template
rolling_deploy old_new version compatible
canary gradual rollout percentage monitor
rollback plan revert release quick
env_parity staging production differ
lockfile commit reproducible version float machine_to_machine npm_ci pin install deterministic
ci_cache dependency download slow build every_time
ci_warning fail lint strict green
ci_secret fork pull_request leak
ci_speed parallel slow pipeline
ci_flaky rerun main broken
branch_protect main review force_push
merge_strategy rebase squash history
git_large binary lfs file
gitignore build artifact commit local
shell_strict set_e pipefail bash error keep_going unset script failing_command
shell_quote variable space glob word_split
cli_exit code nonzero failure script
cli_output stable json machine stdout stderr
cli_help usage option example
makefile target phony
cron_expression time_zone document
serverless cold_start init bundle memory
lambda_timeout dead_letter retry
queue_visibility timeout longer processing
on_call handover rotation
access_revoke leave employee offboard
bastion production access ssh
certificate_renew expire automatic monitor
dns_change ttl migrate
feature_rollout experiment metric
ab_test sample bias variant
analytics_event name schema property
firmware_update signed rollback device
sensor calibrate noise filter
iot_power sleep battery
shader precompile hitch
game_asset pool spawn allocate
blockchain_confirm reorg finality
`
