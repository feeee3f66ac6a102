/** Tests, reviews, style, documentation, logging, observability, performance. */
export const quality = `
test unit_test testing spec test_case testcase | assert verify coverage check suite
unit_test jest pytest junit mocha vitest rspec xunit | test framework isolated
integration_test end_to_end e2e cypress playwright selenium system_test acceptance_test | test browser database real
regression regression_test | bug test break again
mock stub fake spy test_double mocking monkeypatch | test dependency replace real
fixture factory test_data seed_data sample_data testdata | test setup data
flaky nondeterministic intermittent unreliable unstable non_deterministic | test random sleep timing order
sleep wait delay pause settimeout fixed_delay | time test flaky
assert assertion expect assertion_message | test verify check condition
snapshot_test golden_file snapshot_testing golden | test output compare
coverage code_coverage branch_coverage untested uncovered | test line percentage
property_based fuzz fuzzing quickcheck hypothesis fuzz_test | test random input
test_order shared_fixture test_isolation independent_test | test state order teardown
teardown cleanup clean_up after_each aftereach dispose tidy | test resource release
setup before_each beforeeach arrange | test prepare
skip_test disabled_test ignored_test xit skip | test todo
benchmark load_test stress_test performance_test k6 | performance measure speed
manual_test qa quality_assurance tester | test verify
bug defect fault glitch issue flaw | error wrong fix broken
fix repair patch correct resolve hotfix bugfix | bug problem solve
lint linter eslint ruff pylint rubocop checkstyle static_analysis sonarqube | style rule warning format
format formatter prettier gofmt black code_style formatting | style indent whitespace lint
indentation indent tab spaces whitespace | format style
naming name rename identifier_name naming_convention convention | variable clear descriptive call label
abbreviation acronym shorthand cryptic | name short unclear
magic_number literal hardcoded hard_code hard_coded hardcode inline_constant magic_string | constant name config value
constant const named_constant final immutable_value | value name literal fixed
comment code_comment inline_comment remark annotation | explain documentation describe
docstring javadoc jsdoc godoc doc_comment | documentation comment function public
documentation docs readme document guide manual changelog | explain describe write comment
changelog release_note release_notes | version change document
todo fixme hack workaround | comment ticket later temporary
dead_code unused unreachable commented_code obsolete leftover | remove delete clean
refactor refactoring restructure cleanup rework tidy_up | code simplify extract improve
complexity complicated cyclomatic convoluted complex nested deep_nesting | simplify split nested readable
nested nesting indentation_level early_return guard_clause | flat condition return simplify
readable readability legible understandable clarity clear | simple understand reader
simplify simple simplicity kiss straightforward plain | complex reduce easy
long_function long_method god_class large_class giant | split small extract line
split decompose extract break_apart separate divide | part small function
code_review review reviewer pull_request pr merge_request mr approve approval | change comment feedback merge
log logging logger logged log_line winston log4j | message level record print debug
console_log print println printf debug_print stdout stderr | log output debug
log_level verbosity debug_level info warn trace_level | log severity
structured_log structured_logging json_log key_value | log field context
correlation_id request_id trace_id correlation | log request trace header
trace tracing span opentelemetry distributed_trace jaeger | observability request latency
metric metrics prometheus gauge histogram counter statsd datadog | measure monitor observability dashboard label
cardinality high_cardinality | metric label tag
monitor monitoring observability telemetry instrumentation | metric alert watch health
alert alarm pager pagerduty on_call oncall notification_alert | monitor incident threshold
incident outage downtime postmortem postmortem_review | failure down recover
health_check healthcheck liveness readiness probe heartbeat | service alive ready monitor
sla slo sli error_budget availability uptime | service reliability target
performance speed fast slow throughput efficient efficiency optimize optimization | latency cost time cpu memory
latency response_time delay lag slowness | slow performance time request
bottleneck hotspot hot_path profiling profiler profile | performance slow measure cpu
memory ram heap allocation allocate footprint memory_usage | leak garbage size
memory_leak leaking unreleased dangling retain_cycle retain reference_cycle | memory listener cleanup free garbage
garbage_collection gc garbage_collector | memory allocation pause
allocation boxing copy_avoid escape_analysis | memory performance
cpu processor compute core | performance load
quadratic big_o n_squared complexity_class nested_loop linear exponential_time | loop slow algorithm performance
loop iteration iterate for_loop foreach while_loop | repeat each array
premature_optimization micro_optimization | performance measure readable
lazy lazily deferred on_demand | load late defer
eager eagerly upfront | load early
bundle bundle_size webpack vite rollup tree_shaking code_splitting minify | javascript size frontend load
asset static_asset static_file image_asset | file bundle cdn
`
