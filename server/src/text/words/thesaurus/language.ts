/** Programming languages, types, errors, functions, objects, structure. */
export const language = `
null nil none undefined nullish null_pointer nullpointer npe optional maybe nullability | missing value check empty absent
null_check optional_chaining nil_check null_guard null_safety nonnull | null guard undefined
optional option maybe optional_value | null absent value
exception error throw raise thrown | catch failure handle
try_catch catch rescue except try_except error_handling exception_handling handle_error | exception error handle swallow
swallow swallowed silent silently suppress ignore_error empty_catch hide_error bare_except | exception catch ignore log
rethrow wrap_error error_wrapping error_cause cause_chain stack_trace stacktrace traceback | exception context original
panic crash abort_process unwrap fatal segfault | error process die
failure fail error fault breakdown malfunction | problem exception broken
error_code error_type typed_error custom_exception error_class | exception distinguish
result either error_value error_return | return failure
assert invariant precondition postcondition sanity_check | check condition
fail_fast fail_early | error startup early
finally defer using context_manager with_statement raii try_with | close release cleanup resource
resource handle file_handle descriptor | close leak
close release free dispose cleanup relinquish | resource connection file
open_file file_descriptor fd file_handle | close resource leak
type typing type_annotation static_type type_hint type_safety typed | compiler check value
any unknown type_assertion cast casting type_cast as_any coercion downcast | type unsafe check
generic generics type_parameter template | type reuse
interface protocol trait abstract_class | implement type contract
enum enumeration closed_set union discriminated_union sum_type | value constant switch variant
boolean bool true_false flag_argument boolean_parameter | true false condition
string text str character_string | character concatenate
string_concatenation concatenate concat interpolation template_literal string_building | string join format
array list vector slice collection | element item index
map dictionary hashmap dict hash_table object_map lookup_table | key value
set hashset unique_collection | unique member
iterator generator enumerable yield | loop lazy
tuple pair record data_class dataclass struct value_object | field data
index_out out_of_bounds bounds_check off_by buffer_overflow off_by_one | array index range limit
equality equal comparison compare equals triple_equals strict_equality loose_equality === == | same identity
hash_code hashcode equals_method | equality object
mutable mutation mutate mutating side_effect in_place modify_argument | change state immutable
immutable immutability readonly frozen freeze const_correct read_only | mutate change copy final
copy clone deep_copy shallow_copy spread | object duplicate
reference pointer borrow ownership dangling_pointer | memory value
unsafe undefined_behavior raw_pointer use_after | memory pointer rust
borrow_checker lifetime ownership_rule | rust reference
function method procedure routine subroutine func | call argument return
argument parameter param function_argument | function pass value
too_many_parameters parameter_object options_object long_parameter | argument function object
return_type return_value early_return | function result
lambda anonymous_function arrow_function closure | function callback
recursion recursive stack_overflow | call depth loop
pure_function referential_transparency side_effect_free | function state
side_effect hidden_effect | function state mutate
global global_variable singleton module_state static_state | state shared variable
variable local_variable let var | name value scope
scope visibility private public access_modifier encapsulation internal | class field hide expose
class object instance type_class | method field inherit
inheritance inherit subclass superclass extends base_class parent_class | class override composition
composition compose delegate composition_over | inheritance object
override overriding overload overloading | method subclass
constructor initializer init instantiate factory_method | object create
dependency_injection inject ioc injected inversion_of | constructor test dependency
decorator annotation attribute_macro | class function
import require include module_import export | module dependency
circular_import circular_dependency import_cycle cyclic_dependency cycle ring | module import
barrel index_file re_export | import module
layer layering architecture hexagonal clean_architecture onion boundary | module domain separate dependency
domain business_logic business_rule domain_logic domain_model | rule service layer
controller thin_controller fat_controller | service logic handler
service_layer use_case application_service | domain logic
repository_pattern data_access dao persistence_layer | database domain
coupling coupled decouple tight_coupling loosely_coupled cohesion | module dependency separate
abstraction abstract indirection over_engineering overengineering yagni | simple layer
single_responsibility solid separation_of separation_concern srp | class module one_purpose
interface_segregation small_interface | interface
design_pattern strategy observer visitor adapter | design
condition if_statement conditional branch ternary if_else | boolean switch
switch switch_case pattern_matching match_statement exhaustive exhaustiveness fallthrough | case enum branch default
regex regular_expression regexp pattern_match | pattern string match
date datetime timestamp calendar moment | time day
number numeric figure digit | value integer
bit bitwise bitmask flags | binary integer
macro preprocessor metaprogramming reflection introspection | code runtime generate
code_generation generated_code codegen | generated file
compile_time build_time static_check | type compiler
runtime run_time execution_time | execute dynamic
warning compiler_warning suppress_warning noqa eslint_disable ts_ignore type_ignore | lint compiler
python py django flask fastapi | language script
java jvm spring spring_boot | language class
golang go_lang go_routine | language goroutine
rust cargo crate rustc | language memory
ruby rails ruby_on | language gem
php laravel symfony wordpress | language web
cpp c_plus csharp dotnet c_sharp | language
scala clojure haskell elixir erlang functional_programming | language
script scripting automation | run command
context ctx context_object | request pass
default_argument mutable_default | function parameter python
comprehension list_comprehension | loop python list
wildcard_import star_import | import
shadow shadowing variable_shadowing | name variable scope
`
