/** Databases, queries, schemas, caches, files and formats. */
export const data = `
database db rdbms datastore sql postgres postgresql mysql sqlite mariadb oracle | table query row store persistence
nosql mongodb mongo dynamodb cassandra couchdb firestore document_store | database document collection key
orm hibernate activerecord sequelize prisma typeorm sqlalchemy entity_framework | database model query mapping
query select_statement sql_query | database fetch read search where sql
n_plus lazy_load eager_load eager_loading lazy_loading batch_load preload prefetch dataloader | query loop join association relation per_row
join inner_join outer_join left_join | table query relation
index database_index indexed btree composite_index | query lookup speed scan column search
full_scan table_scan seq_scan sequential_scan | index slow query
migration migrate schema_change alter_table ddl schema_migration | database column backward deploy rollback version schema
schema data_model table_definition structure | column table type shape database
table relation | row column database
column field attribute property | table record schema
row record tuple entry | table database entity
primary_key surrogate_key identity_column | id unique table
foreign_key referential_integrity fk cascade | constraint relation parent reference orphan
constraint unique_constraint check_constraint not_null | database enforce integrity rule duplicate
unique uniqueness distinct deduplicate dedupe dedup duplicate_free | duplicate key once
duplicate duplication redundant repeated copy_paste dry | repeat same twice copy
transaction commit_transaction atomic atomicity acid begin_commit unit_of_work | rollback isolation consistent all_or_nothing together
rollback abort undo revert roll_back | transaction cancel restore previous
isolation_level serializable repeatable_read read_committed phantom_read | transaction concurrent lock
nullable not_null null_column optional_column | null column default
default default_value fallback_value | initial missing value preset
backfill data_migration | migration old row fill batch
upsert merge_into on_conflict insert_or | insert update conflict idempotent
insert create_row add_row | database write row
soft_delete tombstone deleted_at logical_delete archive | delete row hide restore flag
hard_delete truncate purge drop_table | delete permanent destroy
pagination paginate page cursor offset limit page_size keyset infinite_scroll | list batch result next large
sort order ordering sorted order_by | sequence rank comparator stable
filter where_clause predicate criteria | query select condition subset
search full_text elasticsearch lucene solr | query index text find relevance
aggregate aggregation group_by sum count rollup | total query metric
batch bulk chunk chunking batched | group many once large
stream streaming pipe chunked | large memory buffer flow incremental
cache caching memoize memoization memo cached redis memcached cdn | store stale invalidate ttl reuse recompute speed
cache_invalidation bust evict eviction invalidate stale_cache | cache stale expire refresh
replica read_replica replication standby follower | primary lag copy database
replication_lag eventual_consistency eventually_consistent stale_read | replica delay consistent
shard sharding partition partitioning | split database scale distribute key
connection_pool pool pooling connection pgbouncer | database exhaust reuse connection limit
connection_leak unclosed leaked_connection | close pool release resource
view materialized_view | query precompute table
stored_procedure trigger plpgsql | database function logic
warehouse data_warehouse bigquery snowflake redshift etl elt data_lake | analytics pipeline report batch
data_pipeline airflow dag spark etl dbt | job batch transform schedule
dataframe pandas numpy | column vector python data
machine_learning model_training ml neural inference ai llm | model data training predict
training_data dataset train_test | model leak sample
prompt llm chatgpt language_model gpt | ai model token text
serialize serialization marshal encode stringify dump serialise | json format object convert
parse parser parsing decode deserialize | format read input string
json jsonb | format serialize payload object
xml soap xslt | markup format document
yaml toml ini | config format file
csv tsv spreadsheet excel xlsx | export column row file comma
protobuf protocol_buffer avro thrift messagepack | schema binary field serialize
binary blob bytes byte_array buffer | data file raw
encoding utf8 unicode charset character_encoding ascii latin1 | character byte text string
emoji grapheme surrogate code_point codepoint | unicode character length string
uuid guid ulid unique_identifier | id identifier random key
id identifier key primary_id | unique reference name
sequence auto_increment serial | id number order
file document attachment upload | disk path storage
upload multipart file_upload | file size attachment storage
download export_file | file save fetch
storage s3 bucket object_storage blob_storage gcs | file upload cloud disk
disk filesystem volume drive | file storage space
path directory folder file_path dir | file location
temporary_file tmp tempfile scratch | file delete cleanup
compress compression gzip brotli zip zstd | size archive smaller
import ingest load_data | data file read
export dump extract | data file csv
decimal numeric bigdecimal fixed_point | money precision number float
float floating_point double precision rounding_error | decimal number equality compare
integer int bigint long int64 | number overflow
overflow integer_overflow wraparound truncate_number | integer bound number limit
null_byte control_character | string escape
empty blank missing absent | null none zero
graph tree node edge traversal hierarchy | parent child recursive
consistency consistent integrity invariant | correct constraint state
denormalize denormalization normal_form normalize | table duplicate schema
vacuum bloat analyze_table | postgres table
explain_plan query_plan explain optimizer | query index slow
`
