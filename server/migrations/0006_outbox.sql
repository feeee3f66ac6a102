-- Events leave in the transaction of the change they tell of; the worker's relay hands them to the bus.
create table outbox (
  id bigint generated always as identity primary key,
  root_id uuid not null,
  event_id uuid not null,
  type text not null,
  payload jsonb not null,
  created_at timestamptz not null default now()
);
alter table outbox enable row level security;
create policy tenant on outbox for insert to scholiast_api, scholiast_worker
  with check (root_id = (select app_root()));
create policy relay on outbox for select to scholiast_worker using (true);
create policy relayed on outbox for delete to scholiast_worker using (true);
grant insert on outbox to scholiast_api;
grant select, insert, delete on outbox to scholiast_worker;
