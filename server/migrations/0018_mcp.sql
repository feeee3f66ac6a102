-- What GET /v1/metrics/mcp is copied from: what pull requests used of MCP servers, added up as it is told. As the other
-- tables of metrics it lies in every store and refers to nothing outside of it.
create table mcp_usage (
  root_id uuid not null,
  provider text not null,
  host text not null,
  repository_id text not null,
  number bigint not null,
  organization_id uuid not null,
  instance_id uuid,
  author_id text,
  -- Null, with the entry: its pull request is not known yet, or was not merged.
  day date,
  week integer,
  position bigint,
  -- All that was told, of servers and of their tools in the order of their names.
  servers json not null,
  entry text,
  primary key (root_id, provider, host, repository_id, number),
  check (num_nulls(day, week, position, entry) in (0, 4))
) with (toast_tuple_target = 4064);
alter table mcp_usage alter column entry set storage external;
alter table mcp_usage alter column servers set compression lz4;

-- The events that were added up: one that comes again is known.
create table mcp_event (
  root_id uuid not null,
  provider text not null,
  host text not null,
  repository_id text not null,
  number bigint not null,
  event_id text not null,
  organization_id uuid not null,
  instance_id uuid,
  primary key (root_id, provider, host, repository_id, number, event_id)
);

-- As metrics_day, for these entries.
create table mcp_day (
  root_id uuid not null,
  week integer not null,
  day integer not null,
  first_position bigint not null,
  last_position bigint not null,
  primary key (root_id, week, day)
);

-- Usage that is not shown yet counts too, so that 0 means: there is none, and whoever writes a pull request need not look.
alter table metrics_head add column largest_mcp integer not null default 0;

-- The ways to a page are those of pull_request.
create index mcp_usage_of_root on mcp_usage (root_id, week, position, day) where entry is not null;
create index mcp_usage_of_organization on mcp_usage (root_id, organization_id, week, position, day)
  where entry is not null;
create index mcp_usage_of_instance on mcp_usage (root_id, instance_id, week, position, day)
  where entry is not null and instance_id is not null;
create index mcp_usage_of_repository on mcp_usage (root_id, repository_id, week, position, day)
  where entry is not null;
create index mcp_usage_of_author on mcp_usage (root_id, author_id, week, position, day)
  where entry is not null and author_id is not null;
create index mcp_usage_written on mcp_usage (root_id, position) where entry is not null and position > 0;
create index mcp_usage_written_in_organization on mcp_usage (root_id, organization_id, position)
  where entry is not null and position > 0;
create index mcp_usage_written_in_instance on mcp_usage (root_id, instance_id, position)
  where entry is not null and position > 0 and instance_id is not null;

call isolate_by_root('mcp_day');
call isolate_metrics('mcp_usage');
call isolate_metrics('mcp_event');
grant select on mcp_usage, mcp_day to scholiast_api;
grant select, insert, update, delete on mcp_usage, mcp_event, mcp_day to scholiast_worker;
