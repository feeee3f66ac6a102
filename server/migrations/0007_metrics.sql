-- Metrics. Every database of an installation has these tables; a tenant root's rows lie in one of them, its metrics
-- store. So nothing below refers to a table outside of the store, and a root is moved by copying its rows.

-- Which store holds a root's metrics; no row = the store "shared". In the main database only.
create table metrics_placement (
  root_id uuid primary key references root,
  store text not null,
  -- While this names a store the root is on its way there, and its metrics cannot be read.
  moving_to text,
  -- The store it came from, until the rows left behind there are deleted.
  leaving text,
  -- The number of the move that is under way, or of the last one; the heads in the stores bear it too.
  move integer not null default 0,
  changed_at timestamptz not null default now()
);
call isolate_by_root('metrics_placement');
grant select on metrics_placement to scholiast_api;
grant select, insert, update, delete on metrics_placement to scholiast_worker;
-- The worker finds the moves of every root.
create policy moves on metrics_placement for select to scholiast_worker using (true);
create index metrics_placement_moving on metrics_placement (changed_at)
  where moving_to is not null or leaving is not null;

create index organization_without_metrics on organization (root_id, id) where not metrics_enabled;
create index organization_inactive on organization (root_id, id) where not active;

-- One row a root, locked by a writer before it reads anything and held to its commit: order of position = order of
-- commit, so that a reader who has seen a position will never be shown a smaller one later.
create table metrics_head (
  root_id uuid primary key,
  position bigint not null,
  -- Bytes of the largest entry ever written: a page that can not be too large needs no look at its size.
  largest_entry integer not null default 0,
  -- Only where a root is "here" may its rows be written or read.
  state text not null default 'here' check (state in ('here', 'arriving', 'moved')),
  -- The move that set the state: whoever still works at an earlier one changes nothing here.
  move integer not null default 0,
  -- How far that move has come in this store, while the root is arriving.
  arrival jsonb
);

create table pull_request (
  root_id uuid not null,
  provider text not null,
  host text not null,
  repository_id text not null,
  number bigint not null,
  organization_id uuid not null,
  instance_id uuid,
  provider_organization_id text not null,
  url text not null,
  author_id text,
  status text not null check (status in ('merged', 'closed')),
  merged_at timestamptz,
  closed_at timestamptz,
  -- The day it counts for: of the merge, else of the closing, else of the event; and its bucket (metrics/week.ts).
  day date not null,
  week integer not null,
  position bigint not null,
  event_id text not null,
  event_at timestamptz not null,
  -- Everything that is told of the pull request and not searched by.
  facts json not null,
  findings json not null,
  -- The entry that GET /v1/metrics/review-comments copies; null = none: not merged, or nothing was found.
  entry text,
  primary key (root_id, provider, host, repository_id, number)
) with (toast_tuple_target = 4064);
-- A page is copied, so what it is copied from is never compressed. A row that would not share its page of the heap with
-- another has its findings compressed first, and only one that is still too long has its entry moved away.
alter table pull_request alter column entry set storage external;
alter table pull_request alter column findings set compression lz4;

-- A page merges the weeks of its window in order of position, so each way to a page leads with the week.
create index pull_request_of_root on pull_request (root_id, week, position, day) where entry is not null;
create index pull_request_of_organization on pull_request (root_id, organization_id, week, position, day)
  where entry is not null;
create index pull_request_of_instance on pull_request (root_id, instance_id, week, position, day)
  where entry is not null and instance_id is not null;
create index pull_request_of_repository on pull_request (root_id, repository_id, week, position, day)
  where entry is not null;
create index pull_request_of_author on pull_request (root_id, author_id, week, position, day)
  where entry is not null and author_id is not null;
-- The feed of changes has no window. Every position is above 0; to say so is to ask for these indexes, which a page of
-- some weeks must not be read by: it would meet every entry between the first and the last of them.
create index pull_request_written on pull_request (root_id, position) where entry is not null and position > 0;
create index pull_request_written_in_organization on pull_request (root_id, organization_id, position)
  where entry is not null and position > 0;
create index pull_request_written_in_instance on pull_request (root_id, instance_id, position)
  where entry is not null and position > 0 and instance_id is not null;

-- Between which positions the entries of a day lie. A window that begins or ends within a week would otherwise read
-- that week's entries from the first to the last, of which there are ever more. Days are counted from 0001-01-01.
create table metrics_day (
  root_id uuid not null,
  week integer not null,
  day integer not null,
  first_position bigint not null,
  last_position bigint not null,
  primary key (root_id, week, day)
);

-- What is known of a finding's outcome, event by event, with its source; kept before its pull request is known, and
-- when that is written again.
create table outcome (
  root_id uuid not null,
  provider text not null,
  host text not null,
  repository_id text not null,
  number bigint not null,
  finding_id text not null,
  event_id text not null,
  organization_id uuid not null,
  instance_id uuid,
  accepted_before boolean,
  accepted boolean,
  source text not null check (source in ('detector', 'person', 'provider')),
  at timestamptz not null,
  primary key (root_id, provider, host, repository_id, number, finding_id, event_id)
);

-- What the feed of changes tells besides the pull requests themselves.
create table review_comment_change (
  root_id uuid not null,
  position bigint not null,
  organization_id uuid not null,
  instance_id uuid,
  entry text not null,
  primary key (root_id, position)
);
create index review_comment_change_in_organization on review_comment_change (root_id, organization_id, position);
create index review_comment_change_in_instance on review_comment_change (root_id, instance_id, position)
  where instance_id is not null;

-- As isolate_by_organization, for rows that know their instance. A page asks the policy once for each week it merges,
-- so each setting is read in one place only: what is not set narrows nothing.
create procedure isolate_metrics(target regclass)
  language plpgsql as $$
begin
  execute format('alter table %s enable row level security', target);
  execute format(
    'create policy tenant on %s to scholiast_api, scholiast_worker using (
       root_id = (select app_root())
       and coalesce(organization_id = any ((select app_organizations())::uuid[]), true)
       and instance_id is not distinct from coalesce((select app_instance()), instance_id))', target);
end
$$;
revoke execute on procedure isolate_metrics from public;

call isolate_by_root('metrics_head');
call isolate_by_root('metrics_day');
call isolate_metrics('pull_request');
call isolate_metrics('outcome');
call isolate_metrics('review_comment_change');
grant select on metrics_head, metrics_day, pull_request, outcome, review_comment_change to scholiast_api;
grant select, insert, update, delete on metrics_head, metrics_day, pull_request, outcome, review_comment_change
  to scholiast_worker;

-- Credentials of the ingest door are verified without this database; the worker tells every node which have ended.
create policy endings on api_key for select to scholiast_worker using (kind = 'ingest');
create index api_key_of_ingest on api_key (created_at) where kind = 'ingest';

-- Events of the inventory come in any order: when the newest that told of a row occurred. null = none has.
alter table organization add column inventory_at timestamptz;
alter table repository add column inventory_at timestamptz;
alter table account add column inventory_at timestamptz;
alter table membership add column inventory_at timestamptz;

-- What the inventory took away leaves no row to carry its time, and an older event must not bring it back.
create table inventory_removal (
  root_id uuid not null,
  organization_id uuid not null,
  account_id text not null,
  -- Of the provider; '' = not the access to one repository, but the membership.
  repository_id text not null,
  at timestamptz not null,
  primary key (root_id, organization_id, account_id, repository_id),
  foreign key (root_id, organization_id) references organization
);
call isolate_by_organization('inventory_removal');
grant select, insert, update, delete on inventory_removal to scholiast_worker;
