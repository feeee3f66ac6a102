-- How far the backfills are (access/maintenance/backfill.ts): work on rows of earlier versions, in batches while requests are
-- served. It has no rows of tenants.
create table backfill (
  name text primary key,
  -- The last tenant root with a batch, and where its next batch begins; next_after null = this root is finished.
  current_root uuid,
  next_after text,
  -- Finished tenant roots, of how many when it started, and rows changed.
  done bigint not null default 0,
  total bigint not null,
  changed bigint not null default 0,
  started_at timestamptz not null default now(),
  finished_at timestamptz
);
grant select, insert, update on backfill to scholiast_worker;

-- Every process compares them with its own when it starts.
grant select on migration to scholiast_auth, scholiast_api, scholiast_worker;
