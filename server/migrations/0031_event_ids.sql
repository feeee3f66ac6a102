-- The ids of events, so that each counts once per organization for at least 30 days, whatever a second event says. The
-- digest tells a redelivered event, which its handler ignores by itself, from another event with the same id. Without a
-- foreign key, because it would be checked for every event; the deletion of a root covers the table.
create table counted_event_id (
  root_id uuid not null,
  organization_id uuid not null,
  event_id text not null,
  digest bytea not null,
  at timestamptz not null,
  primary key (root_id, organization_id, event_id)
);
create index counted_event_id_age on counted_event_id (at);
call isolate_by_organization('counted_event_id');
create policy sweep on counted_event_id for select to scholiast_worker using (true);
create policy swept on counted_event_id for delete to scholiast_worker using (true);
grant select, insert, delete on counted_event_id to scholiast_worker;
