/** Situations around interfaces: REST, GraphQL, compatibility, input, rate limits, search. */
export const useInterfaces = `
rest resource noun verb url getuser createorder action path plural collection endpoint naming rpc style slash hyphen
nested route sub resource parent child deep path url depth three levels flatten ownership comment post id redundant
replace full representation patch partial merge json omitted field wiped overwrite blank partial_update lost value form sends half
delete idempotent second 404 204 content repeat harmless remove twice error second_time time
post create location_header 201 new_url return id body client fetches follow
safe read prefetch crawler link preview logout unsubscribe opens page deletes data visiting url changes state email scanner
error 200 success false body status lies monitoring blind client parses looks fine failed inside http_status envelope
server_error bad_input 500 400 client mistake wrong status invalid_json crash garbage blame pager noise stack
conflict status 409 exists duplicate name taken unique violation concurrent edit state clash registered simultaneous collision insert race client shows
unauthorized forbidden 401 403 logged wrong status sign prompt lacks permission redirect loop login
precondition etag match 412 optimistic concurrency editors overwrote colleague lost edit last_write stale form version_column somebody saved
conditional none_match 304 modified last_modified revalidate bandwidth refetch unchanged cache header download whole poll
cache_control private public max_age store shared proxy cdn cached personal page somebody data vary logged content stale hours
vary_header accept_language encoding cdn wrong language cached variant compressed garbage mixed french visitors german reading header intermediary serve
cursor pagination keyset next token opaque offset page number skipped rows duplicate entry shifting deep inserted meanwhile shows twice
unbounded list limit returns whole table max page_size page size default_limit ten thousand huge response browser hangs parameter missing pagination
total count expensive count_query slow list estimate pagination exact number rows million seconds footer planner approximate
page order tie_breaker stable_sort equal timestamp unordered unspecified_order jumping rows different time secondary sort
sparse fieldset fields parameter include expand overfetch heavy payload needed embed related objects mobile_data
chatty api round_trips screen needs ten calls aggregate endpoint backend frontend compose waterfall batch slow mobile
bulk import partial success item status 207 whole batch rejected bad row failed array_index
filter syntax query_parameter operator contains ad_hoc allowlist column injection typo_ignored unfiltered silently_ignored
unknown query_parameter query parameter misspelled ignored silently returns reject 400 typo filter_applied
id format opaque string_id sequential bigint json javascript precision bit rounded large integer last digits changed number overflow
public identifier uuid ulid slug autoincrement exposed competitor counts guessable order number primary_key primary key
timestamp format iso_8601 rfc 3339 epoch seconds milliseconds offset suffix api date unix_time year 1970 thousand
json_field json field_case field case camelcase snake_case snake mixed inconsistent serializer convention payload keys spellings
null versus absent omitted key explicit undefined optional property unset value clear field leave unchanged tri state patch semantics
empty_array empty array null list results client crash iterate return_empty collection field
error envelope problem json rfc 7807 9457 error_code machine_code human message string_matching client_branches client branches text translated wording_changed
error first_error field_errors fix next collect violations form resubmit mistakes annoying sends signup trial whole list
leaky error sql response constraint name stack_trace hostname internal_path exposed exception raw database message
content_type content type_check type check 415 unsupported media application_json text_plain charset header_missing accept 406 parse anyway
content_negotiation accept_header csv export json xml representation format suffix spreadsheet download browser choose extension
async endpoint 202 accepted operation resource status url poll progress gateway timeout 504 spinner minutes long export request_hangs thirty_second
webhook design retry_schedule signature delivery id event_type receiver redeliver duplicate manual replay disabled notify partner
webhook payload thin event snapshot fetch latest stale state order sequence version_number old overrides new
webhook timeout respond quickly enqueue ack slow receiver heavy work inside provider retries 2xx processed repeatedly
openapi drift spec outdated generated client mismatch documentation lies schema_validation schema validation test handwritten yaml undocumented endpoint swagger ui
example values realistic sample documentation_example placeholder foo copyable request curl response newcomer integrate paste readable swagger partner
api gateway path prefix trailing_slash redirect post 308 301 lost body duplicate route case_sensitive case sensitive url
sensitive query_string query string token_url access_log referrer history leak personal_data personal data path email url proxy logs authorization_header
request validation layer body_parsing schema first typed dto controller boundary handler assumes unchecked json cast body
internal model exposed entity serialized dto mapping password_hash password hash returned column leaks tojson view_model orm object direct new appears
client_timeout client timeout retry create twice idempotency_key post_repeat dropped connection user taps duplicate order request key
clock client timestamp trust device wrong server_time manipulated created future date phone laptop skew cheating deadline ordering
http_client http client_default client default user_agent timeout follow redirects tls partner integration identify caller blocked
sdk wrapper generated handwritten fetch duplicated paths typed_client stringly url scattered endpoints base_url
server_sent server sent_events sent events stream_update eventsource reconnect last event_id id proxy buffering live update cut minute
websocket message schema version heartbeat auth connect token expires midstream ping idle disconnect silently dead
grpc field_number field number reserved proto reuse renumber wire compatible deleted old binary garbage value unknown enum
grpc status_code status unavailable invalid_argument internal deadline exceeded metadata error_details retryable
graphql nullability non_null bang nullable field bubble null propagates whole response blank fails entire page error
graphql plus dataloader resolver row batch key hundred queries list authors slow nested request loader
graphql_loader graphql loader cache shared dataloader request scope stale users global person_data
graphql connection relay edges node pageinfo cursor first list_argument unbounded field hasnextpage endless friends scroll thousand
graphql mutation payload input object return changed single result client cache update refetch
graphql user_errors user errors business union result array typed failure expected_failure top_level top level_error level exception message
graphql cost query complexity depth limit alias flood nested friends expensive overload server persisted deny arbitrary
graphql persisted allowlist hash query automatic cached cdn production known arbitrary attacker payload apollo frontend registered
graphql introspection production disable schema exposed playground graphiql explorer public attacker map curious stranger hidden types discover
graphql field authorization resolver check type level reach edge nested leak back door path root guard
graphql deprecated directive field usage remove_field client asks schema check metric reason unused years old app break announce replacement
graphql schema_naming schema naming verb mutation creatething input suffix enum upper domain_language table shaped database mirror
graphql fragment colocate component data overfetch shared giant query masking props page heavy relay unneeded
graphql client cache apollo normalize typename id missing cache_key stale list refreshed updatequery evict new item
graphql subscription live event authorization stream reconnect missed_events websocket filter user offline chat missed permissions expired
graphql enum extend new value client switch unknown member fallback case mobile crash server
graphql batch mutation single_calls bulk input partial_failure order fields serial execution loop save rows sequentially round_trip slow
graphql resolver thin business_rule business rule service_layer reuse rest duplicated logic domain function
graphql upload multipart file base64 string large binary signed_url memory spike separate endpoint attachment photo avatar encode picture
graphql codegen generated types handwritten interface operation sync schema_changed typescript hooks compile drift query manual
breaking rename field old_client old client crashes keep alias names deprecation window json_key json key disappeared undefined app
additive change optional addition new optional_field field safe extension tolerant_reader ignore unknown strict deserializer breaks
required_field required field_added field added mandatory new_input new input existing callers fail 400 release default_value optional older omits
tighten validation stricter rule previously accepted existing data invalid save old record legacy value grandfathered
type_change number_string string_object scalar list parse_error parse error client changed shape widening
enum value_removed value removed unknown_value unknown value_added added exhaustive client default_branch forward compatible status seen
default_changed silent behavior_change behavior change different_result different result input surprise upgrade explicit option opt
sunset header deprecation notice announce date migration_guide removal schedule called usage log months customers warned mail shut endpoint retired v1
api_version api version strategy url date header v2 fork maintain copy controllers explosion
consumer_contract pact provider verification partner expectation breaking unnoticed integration friday team renamed telling deploy
rolling compatibility old_new old new side mixed fleet versions_running deploy window previous_release previous release reads new_format format_written format written
expand_contract parallel change migrate remove three step dual_write backfill drop later column read
message schema evolution avro protobuf optional schema_registry consumer older event version upcaster unreadable replay old
persisted format stored json blob old rows shape read legacy version tag deserialize fails upgrade saved drafts local_storage local storage schema
queue flight jobs enqueued deploy renamed class argument_added serialized arguments old payload worker unknown
cache deploy old_shape old shape cache_key key version stale serialized_object serialized object undefined release flush needed
library public surface exported accident internal_module semver_major consumer import deep path break downstream minor bump
function_signature function signature_change signature change positional parameter inserted_middle optional last options bag callers misordered overload
config_key config key rename old setting ignored environment_variable environment variable silently_default startup warning fallback old_name name deploy
cli_flag cli flag removed script breaks alias old option automation customers stdout format_changed format changed parsing_output
url_change permanent redirect 301 bookmarks dead broken_link old_links search ranking moved page 404 relaunch
webhook field removed subscriber breaks versioned payload partner parses pinned integrator dropped suddenly zap
sort_order sort order change relied hyrum implicit contract undocumented behavior somebody depends alphabetical accidental customers complain insertion
error_code error code_change change client switches_code switches renamed_code retry_logic retry logic broke status_changed 404 403
database view contract reporting team reads external select dropped_column dropped column dashboard broke direct table access shared
mobile old_version old version months app force_update server_support minimum_version stragglers installed base
compat shim temporary adapter remove_date legacy branch forever workaround owner accumulate permanent delete deadline fallback old
parse_validate typed_result boundary recheck everywhere raw string_passed string passed deep smart constructor
allowlist denylist forbidden list bypass block bad characters permit known_good known good filter evasion regex blacklist
string_length string length_limit length limit max_length megabyte name endless text column overflow truncated silently value long paste novel
whitespace trim leading space trailing_blank invisible character copy_paste copy paste looks identical login fails
unicode normalize nfc nfkc homoglyph lookalike name accent zero_width emoji breaks text equal
email validation address regex plus sign rejects valid confirm mail uppercase strict pattern apostrophe name
phone_number phone number validation e164 country prefix leading_zero libphonenumber store text brackets dashes national format
name validation single hyphen accent rejected short surname letters real people falsehoods chinese umlaut mononym refused obrien single_letter registration
numeric range negative quantity zero amount minus overflow infinity nan upper_bound unreasonable number free goods
integer parse parseint radix trailing letters partial 12abc leading_zeros octal number_function number function empty_string empty string becomes zero
boolean parse string_false truthy text query flag checkbox missing treated true query_string zero unchecked env_variable
array_size array size_limit size limit thousand_ids list parameter unbounded clause huge max items duplicate elements
date range_check range check start_end reversed period impossible february end inclusive empty interval
client_side client side check browser validation bypass curl server recheck disabled button trust hidden field devtools price sent
trusted internal input message_queue service partner file unchecked second boundary consumer colleague producer malformed poisoned corrupt
nested json depth recursion payload stack_overflow stack overflow parse deeply bomb parser limit
prototype_pollution proto constructor key merge deep lodash object_key object user map property
mass assign role extra property isadmin body spread update pick fields overposting profile form makes admin
csv import validation header row wrong delimiter encoding bom semicolon row_number number_message number message preview commit excel_mangled
formula injection csv export equals sign cell spreadsheet executes leading plus escape quote excel opens
markdown html input sanitize output allow tags script comment rendered bio stored snippet link javascript scheme
url_input url input check scheme_http javascript scheme localhost target private address normalize host missing protocol
identifier client foreign_key foreign key body belongs account check reference peoples id dangling
regex anchor caret dollar multiline match partial passes newline fullmatch unanchored bypass validator pattern suffix start end injected
case_insensitive case insensitive unique duplicate username capital_letter lower index citext person accounts
error_message error message input say field expected format invalid_input invalid vague allowed example try
normalize validate order checks decode twice double encoding percent_encoded transform bypass sanitize canonical percent traversal lowercase first
schema coercion auto convert string_number silently casts strict_parse zod coerce unexpected truth
file_name file name input slashes reserved control_character overly_long overly long filename unicode
rate_limit identity key account shared ip office nat token everybody behind proxy blocked innocent
rate_limit forwarded header spoofed address trusted_proxy bypass ip load_balancer load balancer
rate_limit distributed redis counter process_memory multiply instances server counts alone limit enforced cluster pods times local map scaled replicas
rate_limit atomic incr expire race counter lua script read_write key blocked forever ttl lockout permanently increment parallel crash
rate_limit algorithm token bucket sliding window fixed burst double boundary top minute leaky smooth
rate_limit headers retry remaining reset 429 body client knows return hammering hints seconds wait backing caller polite
rate_limit fail_open fail open store unreachable redis reject degrade availability choice outage dependency login blocked protect anyway
rate_limit expensive route cost weight export report search heavy separate budget cheap reads limit
rate_limit login password guess account ip slow attack distributed sms code_attempts attempts reset mail flood
rate_limit sms cost premium number pumping verification text bill resend code_button button toll fraud cooldown
rate_limit plan quota tier monthly allowance usage meter soft limit warn eighty overage upgrade prompt
client honors 429 partner quota respect retry backoff banned provider queue outgoing requests burst calls
outgoing concurrency cap pace requests bottleneck limit flood partner start backfill overwhelms throttle jobs
rate_limit internal batch nightly job starves interactive users separate lane priority_queue import slows site
rate_limit test configurable limit test_environment environment blocked clock control window suite 429
rate_limit observability blocked count metric customer hits alert rejections invisible drops tune threshold
rate_limit anonymous signup abuse unauthenticated route public form bot accounts scrape prices crawler load
rate_limit websocket messages connection frames second chat spam count open sockets flooding emit disconnect abuse
concurrency limit user parallel requests customer occupies workers noisy client flight cap fairness report tabs monopolize waiting
results wildcard leading percent ilike full_scan trigram pg trgm slow data grows contains seq_scan
search full_text full text tsvector stemming language dictionary gin_index inflected word singular finds plural
results search_index index sync reindex stale hit outdated result change data capture dual_write dual write document_missing document missing save deleted found
search reindex alias zero_downtime zero downtime rebuild index swap mapping change new switch empty_results empty results
results refresh near real_time real time interval created found appears seconds later forced costly
search permission filter results access leaked titles snippet private document level security facet counts reveal
tenant filter index customer routing key cross account hit mandatory shared competitor documents foreign results organization
search typo tolerance fuzzy edit distance misspelled query mean results levenshtein spelling mistyped close enough tolerant found
results synonym vocabulary alias terms different word product abbreviation expansion thesaurus sneaker trainer couch sofa customers call equivalent
search relevance ranking boost exact_match exact match_first match first score best hit buried irrelevant top tuning judged queries
relevance test golden queries offline evaluation ndcg change ranking blindly regress results measured human rating better worse deploying
search autocomplete suggest prefix edge ngram keystroke query latency typeahead order_responses old answer overwrites
results debounce cancel abort_previous type quickly flood requests letter last response wins flicker
search pagination deep size scroll context page thousand window limit memory cluster last heavy offset jump cursor
results facets aggregation counts category filter interplay cardinality slow sidebar drill zero count_option option
search highlight snippet fragment mark tags unescaped html matched word bold injection xss excerpt markup escape
results empty_result empty result zero hits dead end suggestion relax query log failed found page
search query parser user syntax quotes operators unbalanced parenthesis lucene special_characters special characters query_string string_error string error crash symbol colon slash
results analyzer tokenizer hyphenated part number keyword field exact sku split dash case fold serial underscore identifier partial article
search accent folding umlaut diacritics asciifolding finds transliterate muller cafe resume spelled keyboard foreign letters
results language cjk segmentation japanese spaces multilingual field analyzer chinese thai words morphology stemmer
search mapping explosion dynamic fields user_defined user defined keys limit flattened arbitrary json indexed
results bulk indexing single document calls api batch_size reject 429 refresh slow initial load
search vector embedding semantic similarity model_version mixed_embeddings reembed dimension hybrid keyword neighbours meaning retrain upgrade model incompatible cosine
vector index hnsw ivfflat recall approximate filter knn results exact scan pgvector nearest neighbor speed missing ef lists
search url_state url state shareable filter back_button back button loses query address reload resets
results search_box box clear minimum characters empty query_returns query returns letter whitespace expensive blank
search cost timeout runaway query wildcard regex terminate cluster red circuit_breaker circuit breaker heap user slows
`
