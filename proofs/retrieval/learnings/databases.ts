// One Learning a line: slug | text | the file it was written for, if any.

export const sql = `
sql-index-concurrently | Create indexes on tables that serve traffic with CREATE INDEX CONCURRENTLY, in a migration of its own outside of a transaction.
sql-lock-timeout | Every migration starts with SET lock_timeout = '3s'. An ALTER TABLE that waits for a lock queues all readers behind it.
sql-not-null-steps | To make a large column NOT NULL: add a CHECK constraint as NOT VALID, validate it separately, then set NOT NULL and drop the check.
sql-backfill-batches | Backfills run in batches of at most 5,000 rows with a pause, from a job and not from the migration itself.
sql-fk-index | PostgreSQL does not index foreign keys for you. Add an index on the referencing column or deleting a parent scans the child table.
sql-select-star | Name the columns. SELECT * in application code breaks when a column is added and drags wide text columns over the wire.
sql-text-not-varchar | Use text with a CHECK on length instead of varchar(n): loosening the check later does not rewrite or lock the table.
sql-timestamptz | Timestamps are timestamptz without exception. A plain timestamp loses the zone and shifts when the session setting differs.
sql-params-only | Values reach a statement only as bind parameters. Building SQL with string concatenation or format is refused, also for values that come from our own tables.
sql-identifier-allowlist | A sort column or table name chosen by the caller is looked up in an allowlist, since identifiers cannot be bound as parameters.
sql-uuid-v7 | Primary keys are UUIDv7 so that inserts stay local in the index; random v4 keys tripled our write amplification.
sql-on-conflict | Use INSERT … ON CONFLICT DO NOTHING or DO UPDATE for upserts. Checking with a SELECT first is a race between two writers.
sql-for-update-skip | Workers that pick rows from a table use FOR UPDATE SKIP LOCKED with ORDER BY and LIMIT.
sql-count-star | Do not run an exact COUNT(*) over events for a badge in the page. Use the counter table, or an estimate from pg_class.
sql-keep-migrations | Never edit a migration that has been merged. Other environments have run it already; write a new one that corrects it. | db/migrations/
sql-down-free | We do not write down migrations. Recovery is forward with another migration, or a restore.
sql-explain-attach | For a new query on a table over a million rows, attach EXPLAIN (ANALYZE, BUFFERS) from staging to the pull request.
sql-or-null-join | A LEFT JOIN with a condition on the right table in WHERE is an inner join in disguise. Move the condition to ON.
sql-not-in-null | NOT IN with a subquery returns nothing when the subquery yields a NULL. Write NOT EXISTS.
sql-jsonb-limits | jsonb is for data that we only hand through. As soon as a key is filtered or joined on, it becomes a real column.
sql-cascade-care | ON DELETE CASCADE is allowed only from an aggregate root to its parts; deleting a user must not silently remove invoices.
sql-partial-index | When nearly all queries look at rows with deleted_at IS NULL, create the index with that predicate; it is a tenth of the size.
sql-txn-short | Never call another service while a database transaction is open. Collect what you need first, then begin, write and commit.
sql-isolation-retry | Code under SERIALIZABLE must repeat the whole transaction on SQLSTATE 40001; repeating only the failed statement is not enough.
sql-drop-column-later | Drop a column only in the release after the one that stopped reading it, since prepared statements and replicas still know it.
sql-enum-types | No native enum types in PostgreSQL; removing or reordering a value is painful. Use text with a CHECK or a lookup table.
`

export const orm = `
orm-n-plus-one | Accessing a relation inside a loop issues one query an element. Load it up front with select_related, prefetch_related or include.
orm-bulk-create | Insert more than a handful of rows with bulk_create or insert_all, not with save() in a loop.
orm-no-lazy-in-view | Templates and serializers must get loaded data. A lazy relation that fires during rendering hides its query from the profiler and from transactions.
orm-save-update-fields | Pass update_fields to save() in Django; saving a whole stale instance reverts columns that another worker changed in between.
orm-f-expression | Increment counters with F('count') + 1 or UPDATE … SET n = n + 1. Reading, adding in Python and writing back loses updates.
orm-callbacks-thin | ActiveRecord callbacks only touch the record itself. Mail, HTTP calls and jobs start from the use case, in after_commit at the earliest.
orm-on-commit-jobs | Enqueue jobs in transaction.on_commit, because a worker may pick up the id before the row is visible.
orm-no-entities-out | Hibernate entities never leave the repository layer. Map them to records first; serializing an entity walks half of the database.
orm-open-in-view-off | Keep spring.jpa.open-in-view=false. It holds a connection for the whole request and masks missing fetch joins. | src/main/resources/application.yml
orm-equals-hash | Do not generate equals and hashCode for JPA entities from all fields with @Data. Compare by the business key or the id.
orm-raw-when-clear | A report with window functions is clearer as raw SQL in a named query than as forty chained builder calls. Both are fine if the parameters are bound.
orm-scopes-default | No default scopes. A hidden WHERE in every query surprised us in exports and in uniqueness validations.
orm-validates-unique | A uniqueness validation in the model is only a nice message. The guarantee is a unique index; handle its violation.
orm-prisma-select | Prisma: always give select for tables with large columns such as documents.body; the default fetches all scalar fields.
orm-tx-callback | In an interactive Prisma transaction use the tx client that is passed in. Calling the global prisma client inside escapes the transaction.
orm-session-per-request | SQLAlchemy sessions live for one request or one job. A module-level session is shared by threads and caches stale rows.
orm-expire-on-commit | Set expire_on_commit=False where objects are returned after commit, otherwise each attribute read afterwards triggers a refresh.
orm-find-each | Walk large tables with find_each or iterator(), never all.each: it materializes every row in memory.
orm-exists-not-count | Ask exists() instead of count() > 0 or loading the list and testing its length.
orm-migration-models | Data migrations in Django use apps.get_model, never an import from models.py, because the class changes later and the old migration breaks.
orm-optimistic-version | Entities that people edit in forms carry an @Version column; catch OptimisticLockException and show the conflict.
orm-cascade-all | cascade = ALL on a many-to-many deletes shared rows, tags for instance. Use PERSIST and MERGE only.
orm-enum-string | Map Java enums with EnumType.STRING. ORDINAL turned into wrong statuses when a constant was inserted in the middle.
orm-soft-delete-unique | Tables with soft delete need uniqueness over the live rows only, otherwise nobody can sign up again with the address of a removed account.
`

export const multiTenancy = `
tenant-key-first | Each table has tenant_id as the first column of the primary key, and each query filters on it, including joins on both sides.
tenant-rls | Row level security stays enabled and forced. Application roles must not own tables or have BYPASSRLS.
tenant-cache-key | Cache keys begin with the tenant id. A key made only of a user-visible slug served one customer's dashboard to another.
tenant-from-token | The tenant is taken from the verified token, never from a header, path or body that the caller can write.
tenant-jobs-context | A background job carries its tenant id in the payload and sets the context before anything else; there is no request to derive it from.
tenant-noisy-neighbour | Queues are drained fairly across customers. One import with two million rows must not delay everyone else's small tasks.
tenant-unique-scope | Unique constraints include the tenant: two customers may both have a project named Website.
tenant-export-check | Exports and reports are the usual leak. Write a test with two tenants holding look-alike rows for every new export.
tenant-search-filter | Search documents hold tenant_id and the filter is added in the query wrapper, not by each caller. | search/src/tenant-query.ts
tenant-admin-impersonation | Support staff act inside a customer's workspace only through the impersonation flow, which is time-limited, shown in a banner and written to the audit trail.
tenant-per-limits | Limits such as seats, storage and API calls are read from the plan of the tenant. No numbers in code for a particular customer.
tenant-no-name-checks | No conditions on a customer's name or id in code. If one needs different behaviour it becomes a setting which anyone could have.
tenant-sequence-numbers | Human-readable numbers, ticket 17 for instance, are counted per workspace, and a gap must not reveal how many others exist.
tenant-subdomain-cookies | Set cookies on the workspace host, not on the parent domain, or a session travels to every other customer's subdomain.
tenant-storage-prefix | Objects in the bucket are stored under the tenant's prefix and signed links are issued for that prefix only.
tenant-offboarding | When a customer leaves, everything including search documents, blobs and analytics is removed by the offboarding job. New stores must register there. | ops/offboarding/registry.ts
tenant-metrics-label | Do not label Prometheus series with tenant id; thousands of customers explode the cardinality. Use logs or exemplars for one of them.
tenant-shard-map | Ask the shard map for the database of a tenant on each request; never keep a connection by customer in a global, because tenants move.
tenant-cross-query | A query across tenants is allowed only in the admin package and must be named so, for instance listInvoicesOfAllTenants.
tenant-seed-two | Development seeds create at least two organizations with overlapping names, so that a missing filter is visible on the first day.
tenant-timezone-config | Settings that belong to a workspace, such as week start, are read from its settings and not from the server's environment.
tenant-pool-budget | Connection pools are shared. A pool for each customer exhausts max_connections at about 80 customers.
tenant-webhook-secret | Each workspace has its own signing secret for webhooks; a shared one lets a customer forge deliveries for another.
tenant-move-freeze | While a workspace is being moved between shards its writes answer 503 with Retry-After; code must not swallow that and write locally.
`
