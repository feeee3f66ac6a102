-- What the door keeps about requests. Windows and refusal counts are unlogged: a fail-over may empty them once.
create unlogged table limit_window (
  root_id uuid not null,
  policy text not null,
  owner_id uuid not null,
  stamps timestamptz[] not null,
  primary key (root_id, policy, owner_id)
) with (fillfactor = 50);
call isolate_by_root('limit_window');
grant select, insert, update on limit_window to scholiast_api;

create unlogged table refusal_count (
  root_id uuid not null,
  key_id uuid not null,
  organization_id uuid,
  route text not null,
  code text not null,
  minute timestamptz not null,
  refused integer not null,
  primary key (root_id, key_id, route, code, minute)
);
call isolate_by_root('refusal_count');
grant select, insert, update on refusal_count to scholiast_api;
-- The worker gathers the finished minutes of every root.
create policy gather on refusal_count for select to scholiast_worker using (true);
create policy gathered on refusal_count for delete to scholiast_worker using (true);
grant select, delete on refusal_count to scholiast_worker;

create table idempotency (
  root_id uuid not null references root,
  key_hash bytea not null,
  request_hash bytea not null,
  status integer,
  body text,
  created_at timestamptz not null default now(),
  primary key (root_id, key_hash)
);
create index idempotency_age on idempotency (created_at);
call isolate_by_root('idempotency');
grant select, insert, update on idempotency to scholiast_api;
create policy sweep on idempotency for select to scholiast_worker using (true);
create policy swept on idempotency for delete to scholiast_worker using (true);
grant select, delete on idempotency to scholiast_worker;
create policy sweep on limit_window for select to scholiast_worker using (true);
create policy swept on limit_window for delete to scholiast_worker using (true);
grant select, delete on limit_window to scholiast_worker;
