/** Code style, structure, types, names, comments, tests, documentation, review. */
export const craft = `
nesting early_return guard_clause if_inside deep level indentation flat else arrow pyramid condition
long_function split extract small method line responsibility hundred too_much
parameter_count object many argument positional signature options named seven four parameters
boolean_argument flag true_false call_site unreadable parameter split enum two_functions
magic_number constant named literal unexplained meaning hardcode value 86400 number
boolean_name is_has prefix question variable naming predicate flag
naming descriptive abbreviation short unclear variable letter cryptic meaning rename misleading
domain_language glossary vocabulary ubiquitous term business name
negative_name double_negative not_disabled invert readable
case_convention snake_case camelcase pascalcase kebab naming convention style constant uppercase
file_name kebab_case convention folder naming
dead_code commented unused remove delete disabled leftover unreachable old_lines git_history
comment why what explain redundant obvious repeat restate remark outdated
todo ticket issue fixme owner reference later
docstring public function document exported javadoc jsdoc undocumented api comment describe helper
readme quick_start setup documentation install newcomer
adr decision record architecture reason document
documentation_sync update docs behavior example outdated stale
changelog release_note entry update forget user_visible version same_change
commit_message imperative subject describe fixed_stuff history meaningful git conventional
small_pr large_change split review lines too_big reviewable diff hundreds unrelated
unrelated_change refactor separate format noise mixed same_pr
pr_description context why template screenshot test_plan
code_owner approval sensitive review two_reviewers billing
review_tone comment kind feedback
generated_file edit hand manual regenerate protobuf output modify header overwritten
formatter prettier gofmt black style whitespace automatic consistent
lint_disable suppress eslint_disable noqa reason rule ignore justification
compiler_warning error treat strict ci ignore linter complain green
strict_mode type_check tsconfig compiler
any_type typescript unknown cast assertion type_checker escape unsafe ts_ignore as
type_assertion cast narrow guard validate unknown
exhaustive switch union never variant enum default fallthrough new_case unnoticed unhandled missing_case
enum_string union literal constant typo
branded_type id mix primitive_obsession wrapper value_object string_id
readonly immutable mutate const freeze copy list handed_in argument modify in_place unexpected side_effect
const_let reassign variable var never_reassigned final
mutable_default argument list python shared between_calls def
global_variable singleton state hidden test module import_time
pure_function side_effect logic separate test deterministic
inheritance composition hierarchy extend base_class deep subclass override fragile
single_responsibility class god split one_reason module too_many
utility_class helper misc dump folder name
abstraction premature yagni indirection unused generic speculative simple
duplication dry copy_paste repeat extract shared twice same_code
wrong_abstraction duplicate share coupling
circular_import cycle module dependency requires each_other ring import
layer boundary import direction upward architecture domain infrastructure depend
internal_import private package reach sibling src public_api module encapsulate deep_import
barrel index re_export import bundle
relative_import alias path package absolute
default_export named export import rename
business_logic controller handler thin service use_case domain http rule calculation route
dependency_injection constructor inject test new_inside hard service_locator interface
framework_coupling domain independent adapter port hexagonal
config_scattered process_env environment parse once central startup everywhere typed settings
config_layer default file environment flag override precedence
feature_flag toggle remove owner expire stale old years cleanup date responsible forgotten rollout
feature_flag_test both branch on_off default
kill_switch disable quickly production flag
reflection metaprogramming magic dynamic avoid
pattern_match destructure record switch
record dataclass value immutable data carrier
equals_hashcode override both collection
string_format interpolation concatenate template
string_builder loop concatenate performance quadratic
regex_comment complex named group readable
list_comprehension readable nested loop
stream_chain readable loop functional
iterator_modify collection while_iterating concurrent_modification
shallow_copy deep_clone nested shared reference
equality_operator triple_equals strict coercion loose ==
falsy zero empty_string check truthy default nullish
variable_shadow outer scope name
import_order sort group
wildcard_import star explicit namespace pollute
explicit_constructor implicit conversion cpp single_argument surprise
virtual_destructor base delete cpp
const_reference copy pass value cpp expensive
move_semantics copy rust clone unnecessary
borrow clone lifetime rust unnecessary
goroutine_leak channel close context exit
interface_small go accept return struct consumer
receiver_pointer value method go consistent
nil_map slice preallocate capacity append go
package_name go util stutter
type_hint python annotation mypy
print_statement console_log debug leftover remove logger
exception_python else_block finally
async_python asyncio blocking requests sleep
django_query queryset select_related
rails callback model fat service
spring transactional self_invocation proxy bean
java_stream optional get
lombok annotation builder
kotlin_null double_bang platform_type
swift_force unwrap bang optional guard_let
csharp_dispose using idisposable
php_type strict declare
test_name behavior describe state sentence
test_order independent isolated shared_state suite alone another_test depend execution cleanup record first
test_sleep wait condition fixed_delay flaky timeout poll pause seconds unreliable eventually
flaky_test quarantine retry random ticket sometimes red intermittent no_reason nondeterministic rerun
mock own real boundary external replace fake stub repository_class over_mock third_party adapter
integration_test real_database container testcontainers engine in_memory sqlite differ
e2e browser selector testid journey few slow playwright cypress
test_selector data_testid role css brittle class
private_method test behavior implementation detail internal
assertion_count one concept several message
assert_meaningful no_assertion always_pass useless test fail
error_path negative failure edge_case test happy_path only_success sad exception verified
edge_case empty boundary null large zero test limit
regression_test bug fix reproduce before repair prove cover
fixture factory builder shared test_data giant file depend explicit minimal
snapshot_test large golden small unreadable review output thousand_lines
property_test fuzz random parser generate round_trip input hypothesis decode
coverage threshold fall decrease untested line new_code
parametrized_test table case repeat
test_logic loop condition simple
test_speed slow unit parallel
test_randomness seed date time_bomb hardcoded_date
contract_test consumer provider pact
load_test capacity benchmark traffic
benchmark noise dedicated measure warm
visual_regression screenshot diff
test_production hook only_for_test flag backdoor
skip_test disabled ignore reason ticket
premature_optimization measure profile first readable
hot_loop allocation object reuse gc
complexity quadratic nested_loop set map lookup large_input
recursion depth stack overflow iterate
lazy_evaluation generator memory
spelling typo text headline word grammar
inclusive_language blacklist master term
deprecation annotate replace warn sunset remove period
api_stability public internal semver export breaking
version_semver major breaking release bump
license_header file copyright
justify_dependency library package small lines stdlib weight maintenance npm pulled leftpad new_dependency
remove_dependency unused package
`
