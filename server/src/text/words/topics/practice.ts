/** Further subjects: how projects are laid out, run and kept in order, and what languages and frameworks ask for. */
export const practice = `
project_structure folder component feature module organize giant hundreds monolith layout partition split src package
shared_utility helper copy package internal library reuse repository duplicate common logger
web_layer req res express request_object controller service framework pass leak domain boundary
entry_point bootstrap app server listen port separate declaration route
environment_config override per_environment hardcode address host url hierarchical default staging
callback_style promise async_await nested err pyramid hell flatten
throw_string error_object throw literal stack_trace lose builtin class instance
operational_error programmer_error bug crash restart distinguish known unknown expected
central_error handler one_place middleware duplicate mail admin catch each_route
documented_error api consumer know failure swagger which returned contract
uncaught_exception exit restart unknown_state corrupted process keep_running supervisor
logger_library console_log pino winston structured print stdout production record
log_destination stdout route transport environment collector splunk elastic twelve_factor container
real_user_monitoring apm performance slow page latency production measure tool visibility
monitoring metric notice outage customer_complaint support_ticket before_users detect blind
unhandled_rejection promise disappear swallow trace nobody process event notice
argument_validation undefined missing number nan caller forget check guard early joi schema assert
code_style_debate tab quote semicolon argue bikeshed spacing formatter automatic time_waste
function_name anonymous closure callback stack_trace debug profile heap_dump unnamed
class_case camelcase pascalcase capital identifier constructor instance variable letter convention
top_import require inside_function beginning file lazy dynamic synchronous module handler
module_interface index public entry internal_file structure consumer encapsulate folder
arrow_function this lexical bind self context callback
api_test component_test http running_service black_box integration unit_only coverage
arrange_act assert section structure given_when then mixed setup readable spec
pre_commit hook lint push early format local check staged
test_isolation seed shared_rows own_data interfere each_test insert cleanup global
test_tag subset smoke slow_suite group run_all select category minutes
outdated_package upgrade abandoned deprecated behind major release renovate maintain
production_like environment docker_compose test differ in_memory parity real_engine
static_analysis complexity duplication sonar smell threshold debt
middleware_test isolated stub request next express unit
reverse_proxy nginx gzip tls_termination offload static compress load_balancer
process_manager restart crash down systemd supervisor container uptime
multi_core cluster worker cpu_bound single_core replicate process utilize idle
diagnostic_endpoint heap memory_dump debug production maintenance admin secured inspect live
memory_monitor rss heap grow leak container oom alert usage climb kill
static_asset cdn nginx serve image script frontend bundle origin server
stateless session local_disk upload sticky instance scale_out external_store avatar horizontal
production_flag node_env optimize debug mode development environment variable
zero_downtime automated deploy manual_step maintenance_window copy_file release script atomic
runtime_version lts end_of_life unsupported upgrade node python java old
concurrent_limit flood client thousand second slow_everyone fair limiter
secret_config json key file plaintext vault encrypted environment
orm_injection template_string query raw parameter escape
clean_install ci package_lock exact reproducible
request_body_limit size payload json parse memory large_body
jwt_revocation blacklist logout expire compromised stateless
user_enumeration message generic invalid_credentials exist timing
child_process untrusted spawn privilege fork
module_loading variable path require dynamic injection
publish_package npmignore secret files leak registry
error_leak stack_trace client hide detail response internal
cookie_name default fingerprint framework powered_by header
loop_await sequential parallel promise_all slow
native_method lodash utility library builtin prefer
object_spread assign copy mutate merge
array_method map filter reduce foreach side_effect chain
optional_chaining null nested property undefined
constructor_work side_effect heavy network constructor factory
law_of demeter chain train_wreck getter knowledge
tell_dont ask behavior data anemic domain model
temporal_coupling order init before_use call_first
primitive_obsession string email money type wrapper
switch_type polymorphism strategy if_else chain
string_typed stringly enum constant compare
off_by_one loop boundary inclusive range fence
rule_of five copy move destructor
go_error ignore underscore check err return
go_context first_parameter background todo store_struct
go_loop variable capture closure goroutine
go_mutex copy value embed zero
spring_bean constructor injection field autowired
`
