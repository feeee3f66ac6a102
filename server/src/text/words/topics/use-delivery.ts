/** Situations around making and shipping: documentation, names, style, tests, builds, releases, dependencies, flags. */
export const useDelivery = `
readme first_run setup newcomer clone start ten minutes missing step prerequisite ask colleague onboarding day laptop instructions installs guess commands environment tribal
readme purpose first paragraph audience sentence badge wall unclear repository stranger understand project explain
outdated change update behaviour mismatch lies stale describes old flag removed screenshot guide wiki readers wrong instruction contradict forgot
documentation example runnable tested doctest compile snippet broken copy_paste fails sample reader pastes error outdated
guide architecture decision adr context alternatives rejected chosen forgotten reason nobody remembers argue discuss history tradeoff later wonder
documentation runbook incident step command call night copyable alert link tired escalation three oclock outage panic first recover playbook
guide diagram source mermaid plantuml binary png uneditable outdated drawing text_based picture redraw nobody edit architecture
documentation duplicate information single source wiki copy drift places contradict link confluence disagree true
guide public function docstring parameter unit throws return_null side_effect contract precondition caller guess nullable exception undocumented export
documentation comment workaround link ticket surprising restate line obvious narrates weird hack reason missing future reader puzzle
guide comment outdated contradicts misleading changed line forgotten lies remove stale remark contradiction refactored says
documentation commented block leftover history version_control delete later disabled lines case graveyard remove
guide todo owner ticket date fixme forever nobody issue number someday reminder untracked rot
documentation glossary domain term abbreviation newcomer meaning jargon expand acronym word business specialist confusing
guide changelog user_visible entry keep unreleased upgrade note breaking highlighted generated commits useless customers notice forgot version_history
documentation migration_guide upgrade step breaking version codemod consumer customer manual_steps renamed removed
guide api_reference generated undocumented error rate auth example endpoint description integrators guess responses
documentation tutorial howto reference explanation mixed diataxis purpose reader learner lookup beginner
guide broken_link link checker 404 anchor renamed moved page relative dead_link heading clicking
documentation environment_variable list settings default_value env_example undocumented required discover deploy crash unset colleague config
guide writing plain language passive short sentence heading scan simply jargon wall text hard understand verbose idiom reader tired english
documentation deprecated notice replacement named removal_version jsdoc tag strike successor alternative editor warns
guide invariants lock_order thread_safety ownership comment concurrency assumption unwritten lock caller hold undocumented race
documentation code_owner contact team name ask maintainer abandoned nobody responsible orphaned repository questions
guide internal secret hostname password screenshot customer name published leak private credential wiki sample
documentation contributing pull_request local test convention branch guideline outsider first patch submit rules
guide regular_expression explain verbose example_match cryptic pattern comment unreadable symbols lookahead named groups
documentation units comment timeout seconds magic tuning measured origin number arbitrary constant guessed
naming reveal intent data tmp info obj vague descriptive x1 guess meaning search temp foo stuff tell reader purpose
naming unit suffix timeoutms bytes seconds cents percent ambiguous_number duration delay misread thousandfold milliseconds wait long config confuse
naming boolean prefix positive isnot flag double negation disable enabled visible question reads condition
naming function verb noun getter mutates writes surprise side_effect lie find_creates innocent looking saves modifies unexpected calling
naming fetch load find inconsistent verb synonym chaos retrieve pick word vocabulary three operation api lookup
naming concept customer client account user different words confuse glossary term mixed business says table meaning
naming abbreviation cryptic usr mgr vowel dropped acronym expand pronounceable shortened letters guess unreadable spelled
naming plural collection list singular users array map byid item element called looks single
naming type hungarian strname iinterface prefix suffix redundant impl encoding string class noise
naming context repeat user_username stutter class prefix redundant module package folder long path
naming generic module utils helpers common misc manager dumping ground grab bag lands unrelated functions bucket
naming file_matches export mismatch case_sensitive linux ci rename capital import fails works mac capital_letter docker build_fails
naming loop index single_letter scope length nested meaningful short_lived deep confusing outer inner
naming misleading change renamed behaviour old_name kept lies history says outdated method grew
naming negative condition found inverted readable positive branch hard think negated isnotempty bang
naming database column snake consistent foreign_key foreign key suffix created reserved_word quoting camel mixed case user table keyword
naming sql constraint explicit generated hash migration index readable_error cryptic error violates auto_generated identify
naming temporary new_old v2 final suffix improved refactored legacy second version copy old kept current duplicate
naming metric log field consistent userid user_id uid searchable dashboards grep id spelled inconsistent
early_return guard_clause nested pyramid arrow indentation return happy_path deeply indented staircase closing braces level exit
long_function extract scroll section comment mixed level split steps hundreds hard follow
long_parameter long parameter list options_object swapped arguments positional booleans named unreadable call eight null_null order mixed
boolean_parameter true_false call unclear flag_argument functions enum dosomething true reader reads meaning
ternary nested unreadable chain switch lookup_table question_marks inline hard decode
complex condition extract variable named predicate parentheses long unreadable business_rule explain
magic_string repeated literal constant typo status text union misspelled quotes scattered compare enum
mutation parameter input array sorted place caller surprised copy spread tosorted original changed array_sort side_effect list unexpectedly
clever liner bitwise trick golf obscure readable reduce abuse plain loop smart colleague puzzled regex dense
default switch exhaustive unreachable assertnever forgotten case new variant silently added enum ignored branch compile error falls
formatter noise whitespace diff reformat whole separate commit review unreadable blame hundreds lines touched real change hidden indentation
consistent surroundings local convention personal preference mix new pattern rest file different fashion taste
premature abstraction implementation interface single factory generic future class user layers someday maybe indirection
duplicate knowledge copied block three_times fix forgotten elsewhere extract drift buggy pasted twins
utility reinvented existing function standard_library handwritten date search first wrote helper duplicate
type unknown cast ts_ignore suppress silence checker nonnull assertion compiler complains escape runtime crash unsafe
return_type return type mixed null false inconsistent undefined union caller checks array different_kinds
file long thousand_lines split responsibility scroll merge_conflict edits huge class find
module cycle circular_import undefined startup order extract third import load initialization
lint_disable narrow reason comment whole file rule justified turned checker blanket silent
logging print leftover console_debug println forgotten noise stray output debugging terminal
dead branch unused_parameter unreachable true flag constant remove runs leftover condition pointless
comparison loose triple_equals coercion null_check double equals zero empty string null surprising
optional_chaining excessive hides bug question_marks everywhere silently undefined masks missing blank shown null error
side_effect side effect import time module_load connection opened top_level test hard requiring starts_work slow connects script
getter expensive property looks cheap hidden query network lazy innocent loop slow triggers field access
behaviour implementation private_method refactor breaks brittle internals coupled rewrite_test rename_internal red works
name sentence describes expected work test1 failing_message understand report unclear rule broken reading
arrange_act blank sections act scenarios giant split setup verify mixed long structure
assertion passes expect missing async awaited false green fails broken checked forgot promise
assertion specific tobetruthy deep_equal vague check length whole_object passes wrong value weak loosely
error_path unhappy refused timeout branch success untested catch failing service card exception tried
boundary value zero empty_list max limit plus last_element first exactly edge minimum
regression reproduce_bug first failing fix returned came_back defect reproduced
mock overuse module stubbed proves real collaborator return refactor breaks hundreds fakes wiring verify called
mock third party adapter fake boundary nock wiremock recorded vcr http intercept vendor double partner api sandbox
mock drift outdated stub real api changed green broken contract verify autospec suite production fails response_shape old fixture
memory substitute sqlite h2 different engine postgres feature testcontainers production failure passes locally sql dialect container
factory builder fixture shared giant seed irrelevant fields mystery guest defaults explicit json hundred unclear matters
data realistic unicode long_name foo_bar production_copy personal_data anonymize customers dump real names umlaut privacy
snapshot huge blindly updated press meaningless inline small reviewed accept thousand_lines nobody reads diff jest
coverage number target gaming untested branch meaningless line mutation percentage executed unchecked vanity
mutation survive stryker pit deliberately break detect change operator green weak suite
logic loop computed expected duplicates production hardcode literal inside formula mistake
parametrize table driven copy_pasted cases name ten copies inputs row
property_based fuzz generator invariants shrink roundtrip hypothesis random inputs found case counterexample parser
e2e pyramid slow_suite critical journey checkout duplicated lower ice cream browser suite hour slow brittle login_flow
page object selector duplicate ui change breaks fifty helper screen login steps locators
selector role text data_testid css class xpath brittle markup change redesign rename_class red locator
helper hidden setup magic beforeeach deep jump_around dry overdone readable inline reader scrolls data unclear origin
shared_mutable beforeall module variable leak state next cleanup second run fails polluted earlier case
contract sides consumer schema mock server mismatch provider changed team integration
migration run real data old rows schema upgrade rehearsal production_size locks
permission matrix role forbidden case denied account negative access stranger viewer editor endpoint unauthorized
concurrency simulated parallel calls barrier interleaving connections race provoke simultaneous users deterministic
production backdoor env branch environment check special path binary differs shortcut
skipped ignored xit disabled months reason ticket commented_test rot long forgotten pending reenable
slow unit sleeping bcrypt rounds real network feedback minutes waiting developers skip coffee milliseconds
external sandbox network_call offline fail rate_limited partner ci internet vendor outage build red credentials
legacy characterize golden master refactor pin current untested old rewrite unknown behaviour capture
monkey_patch restore global stub leaked spy aftereach sinon next case patched date
double_negative assertthrows wrong exception error caught passes message reason typo
readable failure diff message expected true false context assertion tell debug
intermittent fixed sleep waitfor condition poll timing slow machine settimeout wait seconds short pause arbitrary computer occasionally red
flaky order dependent passes alone fails together shuffle random leftover state previous test green suite red sequence
intermittent shared database rows parallel workers collide unique email truncate schema concurrently violation cleanup
flaky port_fixed eaddrinuse random_port zero parallel run server_start conflict
intermittent real clock midnight month_end year date friday evening fails night freeze time new expired fixture started today
flaky time_zone time zone machine ci utc laptop local hour passes berlin difference colleague abroad daylight
intermittent random_data faker seed print unseeded rare value collision apostrophe reproducible hundred reproduce generated
flaky unordered result set_map order missing sorted compare jsonb hash iteration different sequence arrays
intermittent unawaited_promise finishes test_ended leak next teardown error wrong test background
flaky animation transition click intercepted disable motion element moving detached stale button clickable overlay fade
intermittent network idle third_party request blocked intercept offline ci external site real website advertisement slow page fails
flaky retry hides rerun green automatic masks real race quarantine ticket press second try bug
intermittent quarantine owner deadline tracked dashboards ignored red trust lost suite build known unstable
flaky timeout tight ci slower raise blindly budget resource starved cpu busy runner loaded machine
intermittent eventual_consistency queue_processed assert early poll async worker message arrives shortly
flaky floating_point exact equal tolerance tobecloseto epsilon last digit tiny difference decimals
intermittent memory_leak memory leak suite heap grows later tests crash worker recycle
flaky file_system temp directory fixed_path parallel write windows lock cleanup leftover files folder simultaneously
intermittent cache singleton warm state module registry reset remembered value earlier suite static field
flaky detect repeat run hundred stress burn new_test loop merge prove stable adding thousand_times
intermittent test account shared staging login locked pipelines user builds logged
flaky container ready started healthcheck wait port connection_refused first test database early compose
flaky screenshot pixel font rendering antialias docker baseline threshold laptop image differs mac linux
intermittent race real production bug dismissed flake investigate root_cause users report random rerun ignored
pipeline lockfile install npm_ci frozen changes versions drift reproducible build differs works locally different package server
ci cache_key hash lockfile stale_cache poisoned slow install run download pipeline reinstall minutes wrong files
pipeline fail_fast lint first cheap expensive order jobs wait twenty long typo found late feedback
ci required check merge red branch protection bypass admin broken_main failing protect trunk
pipeline merge queue green together broken semantic conflict stale branch trunk passed combined
ci secret fork pull_request pull request target untrusted_code exfiltrate token permission read stranger opens steals environment
pipeline action pinned commit sha floating tag compromised marketplace third_party hijacked moving version supply workflow
ci workflow injection title interpolated branch_name shell expression untrusted crafted runs_command runner
permissions block github token write least default pipeline powerful push rights
ci oidc cloud credentials long_lived key static secret federated access_key stored forever leaked rotate
pipeline artifact build twice promote rebuilt production environment_specific binary differs tested shipped separately
log secret echo masked printenv debug_output password printed visible pipeline
ci matrix versions supported_node os windows untested combination works customers
pipeline timeout minutes hung job six hours stuck runner cost ends blocked_queue paid
ci concurrency group cancel progress outdated run queue pileup superseded pushing old build wasted
pipeline path filter monorepo affected unrelated tests required skip change readme runs slow
ci script local command yaml logic run laptop debug pushing commit_fix try guess pipeline
pipeline warning ignored green errors continue true exit_code swallowed failing step nobody_notices
ci pipefail shell step failing_middle passes anyway script continues failed piped
pipeline scheduled build nightly unnoticed failure nobody_looks notify broken weeks email ignored night
ci test_report junit artifacts failure screenshot trace see exit download logs investigate
pipeline generated check git_diff stale forgot regenerate edited source output outdated client
ci docker_layer cache order dependency first rebuild build reinstall copy slow image
pipeline self_hosted runner dirty workspace leftover isolation ephemeral previous build files remain polluted
pipeline preview environment branch teardown reviewer click see_change temporary url
deploy semver bump major_minor accidental break patch automatic conventional consumers_broke minor_version wrong number
release tag immutable retag moved version overwritten republish checksum mismatch different_content
deploy notes user perspective highlights commit dump changed customers read meaningless list git_log
release rollback plan click previous_version irreversible migration stuck forward rehearse bad deploy undo quickly night
deploy canary percentage watch errors automatic halt blast_radius first users servers spikes
release friday evening freeze window weekend call nobody around late broken vacation
migration order deploy step decoupled column missing error minutes new_code expects crash
release blue_green switch traffic drain warm old kept instant back environments
smoke test deploy verify synthetic broken homepage unnoticed site nobody_noticed checkout click
release manual checklist forgotten step automate person knows bus_factor script wiki hand
deploy big_bang batch changes small culprit hard bisect weeks work hundred commits
release hotfix branch cherry_pick forgotten main regress next backport fixed production came_back next_version
dark launch ship disabled separate deploy merge incomplete unfinished hidden turn later
deploy version shown build number commit_hash support ask screen bug_report unknown ask_user
release sourcemap upload private minified stack unreadable production error obfuscated javascript stack_trace
deploy static_assets old hash kept deleted chunks open tabs 404 browser yesterday page reload missing_file
release config separate environment baked rebuild url twelve image staging inside
deploy feature freeze branch long_lived long lived merge hell diverged trunk based weeks old conflicts painful integrate
release approval production gate audit self approve single person pushes four eyes
deploy database backup risky snapshot restore tested irreversible step data undo
release announce downtime status_page maintenance banner customers_surprised surprised users unplanned notice
necessity tiny package left pad stdlib lines transitive tree weight whole_library function trivial pulled
dependency unmaintained last commit archived years bus_factor alternative fork dead project nobody answers unpatched security
package license gpl agpl copyleft legal allowed_list notice lawyer forbidden source disclosure commercial
dependency pinned exact caret range float surprise update monday broke changed overnight minor
package lockfile conflict regenerate deleted lock hand edit merge conflict_marker package_lock json
dependency renovate grouped bot noise automerge batch weekly stale prs fifty pull requests ignored
package major upgrade alone separate pr changelog read breaking postponed years stuck old mixed feature
dependency vulnerability triage audit noise reachable severity fix deadline ignore expiry hundred warnings nobody_looks critical
unused package depcheck knip leftover remove bundle nobody imports package_json forgotten
dependency duplicate version copies instanceof fails react twice dedupe hooks invalid bundle bigger different majors
dependency dev production misplaced devdependencies missing container module_found works locally crash
package phantom transitive undeclared import hoisted works accident removed suddenly missing pnpm
dependency typosquat similar name malicious postinstall ignore scripts misspelled package install steals
confusion private name public registry scope internal package attacker publishes company
dependency wrapper adapter vendor spread direct import everywhere replace hard place api hundred files swap painful
patch package forked local upstream issue remove forgotten node_modules edited hand lost
dependency git_url branch reference tarball unversioned disappear repository deleted unstable install fails
package runtime_version engines field node lts nvmrc end_life mismatch different_node colleagues unsupported crash syntax
dependency base_image distro patch rebuild weekly outdated openssl scan old image vulnerabilities months unchanged
package cdn script integrity hash sri external host compromised elsewhere changed attacker
dependency cooldown days fresh release hijacked version wait minimum age malware published hours ago
dependency vendored copy pasted source untracked origin license lost update copied_file internet
remove rollout stale toggle paths years expiry date owner cleanup_ticket finished experiment nobody branch dead
feature_flag default safe unreachable provider missing fallback evaluation fails service branch default_value outage
naming describes positive newcheckout enabled double_negative temporary permanent confusing toggle disable new
feature_flag test states combination untested path explosion switched broke side ran
toggle evaluate request consistent mid flow switch half_old half new flicker page checkout inconsistent
feature_flag scattered checks single point everywhere strategy wiring twenty places hard remove
toggle nested combination depends interplay unclear matrix four toggles impossible test interacting
feature_flag sticky bucket user hash percentage changes visit logged consistent assignment sees new old random reload
toggle targeting rule tenant internal first beta customers allowlist employees colleagues selected early access
feature_flag kill_switch operational quickly disable deploy incident tested emergency turn night release
permission confusion entitlement paid plan toggle license authorization customers feature mixing
feature_flag server enforced client hidden endpoint open devtools unreleased feature reachable button api callable
toggle leaked name bundle secret launch competitor json config exposed feature visible source journalists
feature_flag migration coupled schema_needed path broken data_written irreversible turn error new rows unreadable
audit change flipped production toggle silent incident timeline approval switched nobody_knew outage cause
feature_flag metric split exposure event compare variants error better measure new comparison
toggle experiment sample peeking significance premature stop bias guardrail early conclusion random noise
toggle cache latency takes minutes propagate poll stale value streaming turned
feature_flag long_branch merge incomplete hidden behind trunk small giant branch weeks conflicts
toggle environment parity forgotten staging differs production surprise works customers missing
toggle background_job worker ignores evaluated enqueue context missing job runs old path later request different
`
