/** Databases, queries, migrations, caches, files, formats, data work. */
export const storage = `
transaction atomic commit rollback multiple_table together partial half crash between consistent all_or_nothing begin insert separately write
long_transaction hold lock open network_call inside_transaction idle connection short slow external
isolation_level serializable repeatable_read phantom write_skew anomaly concurrent transaction retry
n_plus query loop each per_row separately eager_load include join batch preload dataloader lazy association orm one_by_one foreach select related customer
index slow_query scan sequential foreign_key where column lookup btree composite full_table explain join parent speed
unused_index too_many write_cost drop_index redundant
select_star column only needed wide explicit fetch unnecessary payload report project
pagination page cursor offset limit list endpoint keyset next all_rows unbounded huge result return_all thousands load_everything collection
stable_sort tie_breaker order page duplicate overlap missing twice created_at unique_column following_page
count_query total expensive estimate count pagination slow
migration backward_compatible column drop rename deploy old_version running expand_contract two_step rolling previous_release schema safe nullable zero_downtime
released_migration edit history applied immutable new_file checksum altered already
large_migration batch backfill million lock table long_running chunk statement update rows throttle
concurrent_index create_index concurrently lock table production blocking
migration_reversible down rollback revert undo irreversible
column_default not_null add_column rewrite table lock default
foreign_key constraint orphan referential integrity cascade parent child delete dangling
unique_constraint duplicate race check_then insert unique index application_level conflict enforce
check_constraint range enforce database invalid negative invariant
enum_column lookup_table type value status string database
soft_delete deleted_at restore undo tombstone archive recover erase right_away permanent bring_back customer_data hard_delete record
cascade_delete accidental children wipe parent remove
timestamp_column created_at updated_at audit track row
uuid primary_key sequence auto_increment guess enumerate ulid id identifier integer
connection_pool exhaust leak close release limit acquire wait database client size too_many
statement_timeout slow_query kill limit role database long_running
read_replica lag stale primary read_own write follower eventual after_save
sharding partition key hot distribute tenant month drop_partition table
bulk_insert batch one_at_a_time copy many_rows slow loop save records multi_row insert
upsert on_conflict insert update race exist merge
optimistic_lock version conflict concurrent edit lost_update last_write overwrite save colleague etag stale modification simultaneous_edit
pessimistic_lock for_update row_lock skip_locked queue contention
deadlock lock_order update order rows transaction retry
advisory_lock single_instance leader job mutex database
trigger stored_procedure hidden business_logic database surprise
view materialized refresh concurrently precompute
json_column jsonb schema column structured blob query
text_varchar length column type limit
decimal_column numeric float money precision
timestamptz timestamp time_zone column utc store local_time save convert region
orm raw_query lazy session detached entity hydrate model
repository_pattern data_access sql separate domain row mapping leak
sql_file statement named place keep query review
seed fixture deterministic data development sample
cache ttl expire forever evict entries redis memory grow time_to_live stale unbounded_cache
cache_invalidation stale update after_write key version bust purge outdated
cache_key tenant user language collision include missing parameter personalized
cache_stampede thundering_herd lock simultaneous expire jitter recompute
cdn cache_control personalized private response header shared visitor another_person logged_in page edge public
http_cache etag if_none_match 304 conditional max_age immutable
memoize expensive recompute pure cache result function selector repeated_calculation
search_index elasticsearch reindex mapping analyzer relevance sync stale
full_text search like wildcard trigram slow leading
file_handle close leak open finally with context_manager stream descriptor exception halfway resource defer using
temporary_file tmp cleanup delete leftover disk unique_name
large_file stream memory whole read_all chunk line_by buffer entire load gigabyte out_of_memory
atomic_write rename temp partial crash file corrupt fsync
disk_full space quota rotate log cleanup
path_join pathlib separator slash os_path windows portable concatenate
encoding utf8 charset open explicit bytes decode mojibake character default_encoding bom
unicode_length emoji grapheme surrogate count characters truncate code_point string_length two_characters normalize nfc
line_ending crlf newline windows git
csv export quote comma escape formula injection delimiter excel header spreadsheet
json_parse invalid try schema validate big_number precision
yaml anchor indentation safe_load norway config
protobuf field_number reuse reserved removed wire compatible optional tag another_field proto
avro schema_registry topic evolve compatible event
event_schema version consumer field add optional breaking evolve
xml namespace parser element
date_serialization iso_8601 format string api
backup restore drill test snapshot recover disaster verify
failover standby primary takeover replica
object_storage bucket s3 public private world_readable acl presigned signed_url anyone
presigned_url upload expire direct client
image_metadata exif gps location photo strip picture coordinates publish privacy
data_pipeline idempotent rerun partition day backfill late dag airflow
etl schema_drift validate quality null column source
dataframe pandas vectorize iterrows loop apply row numpy slow iterate
train_test leak split scaler fit preprocess evaluation data_leakage cross_validation information
random_seed reproducible experiment training model deterministic results numpy torch
model_version artifact registry training data lineage track
feature_store definition training serving skew
notebook production import script jupyter cell
gpu memory batch tensor device cuda out_of_memory no_grad
float_equality compare epsilon tolerance arithmetic approx 0.1 precision nearly_equal
integer_overflow bound int32 long bigint wrap large number cast
nan infinity division_by_zero zero check numeric
unit_conversion meter second variable_name physics milliseconds seconds suffix
matrix linear_algebra shape broadcast dimension
graph_traversal cycle recursion visited depth tree stack
hash_map lookup linear_search list contains set performance membership
data_classification level sensitive label policy
data_validation ingest boundary schema reject dirty import csv row error
import_job resume progress checkpoint crash restart scratch batch row skip
export_job background large file notify async generate report link
`
