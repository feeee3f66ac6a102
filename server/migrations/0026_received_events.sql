-- Measurements (metrics of pull requests, uses of Learnings) are too many for an audit row each. They are counted per
-- organization, credential, type and hour, and the worker writes each finished hour to the audit log. Unlogged: a fail-over
-- may empty it once.
create unlogged table received_event_count (
  root_id uuid not null,
  organization_id uuid not null,
  credential_id uuid not null,
  type text not null,
  hour timestamptz not null,
  events bigint not null,
  primary key (root_id, organization_id, credential_id, type, hour)
) with (fillfactor = 50);
call isolate_by_organization('received_event_count');
-- The worker gathers the finished hours of every root.
create policy gather on received_event_count for select to scholiast_worker using (true);
grant select, insert, update, delete on received_event_count to scholiast_worker;
