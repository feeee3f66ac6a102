-- What GET /v1/metrics/reviews is copied from: every finalized pull request, with its findings counted. Beside
-- pull_request, so that the pages of neither carry the bytes of the other; both are written in one transaction and have
-- the same positions. As the other tables of metrics it lies in every store and refers to nothing outside of it.
create table review (
  root_id uuid not null,
  provider text not null,
  host text not null,
  repository_id text not null,
  number bigint not null,
  organization_id uuid not null,
  instance_id uuid,
  author_id text,
  status text not null check (status in ('merged', 'closed')),
  day date not null,
  week integer not null,
  position bigint not null,
  entry text not null
) with (toast_tuple_target = 4064);
alter table review alter column entry set storage external;

-- As metrics_day, for these entries.
create table review_day (
  root_id uuid not null,
  week integer not null,
  day integer not null,
  first_position bigint not null,
  last_position bigint not null,
  primary key (root_id, week, day)
);

alter table metrics_head add column largest_review integer not null default 0;

-- Pull requests that are stored already, byte for byte as the writer renders them.
create function pg_temp.counter(name text, posted bigint, accepted bigint) returns text
  language sql immutable as $$
  select concat('"', name, '":{"posted":', posted, ',"accepted":', accepted, '}')
$$;
create function pg_temp.told(value text) returns text
  language sql stable as $$ select coalesce(to_json(value)::text, 'null') $$;
create function pg_temp.told(value timestamptz) returns text
  language sql stable as $$
  select coalesce(to_char(value at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.MS"Z\""'), 'null')
$$;
create function pg_temp.counters(findings json) returns text
  language sql stable as $$
  with finding as (
    select severity, category, coalesce(accepted, false)::int as accepted
    from json_to_recordset(findings) as f (severity text, category text, accepted boolean)
  ), sort (place, name, posted, accepted) as (
    select s.place, s.name, count(f), coalesce(sum(f.accepted), 0)
    from unnest(array['critical', 'major', 'minor', 'trivial', 'info']) with ordinality s (name, place)
    left join finding f on f.severity = s.name group by 1, 2
    union all
    select 100 + s.place, s.name, count(f), coalesce(sum(f.accepted), 0)
    from unnest(array['data_integrity_and_integration', 'functional_correctness', 'maintainability_and_code_quality',
      'performance_and_scalability', 'security_and_privacy', 'stability_and_availability']) with ordinality s (name, place)
    left join finding f on f.category = s.name group by 1, 2
  )
  select concat('{', (select pg_temp.counter('total', count(*), coalesce(sum(accepted), 0)) from finding),
    ',"severity":{', string_agg(pg_temp.counter(name, posted, accepted), ',' order by place) filter (where place < 100),
    '},"category":{', string_agg(pg_temp.counter(name, posted, accepted), ',' order by place) filter (where place > 100),
    '}}')
  from sort
$$;
-- In order of position, as the writer leaves them. A root that is being copied to this store gets them from where it was.
insert into review
select root_id, provider, host, repository_id, number, organization_id, instance_id, author_id, status, day, week, position,
  concat('{"pr_url":', pg_temp.told(url), ',"author_id":', pg_temp.told(author_id),
    ',"author_username":', facts -> 'author_username',
    ',"organization_id":', pg_temp.told(provider_organization_id),
    ',"organization_name":', facts -> 'organization_name',
    ',"repository_id":', pg_temp.told(repository_id), ',"repository_name":', facts -> 'repository_name',
    ',"status":"', status, '","created_at":', facts -> 'created_at',
    ',"ready_for_review_at":', facts -> 'ready_for_review_at',
    ',"first_human_review_at":', facts -> 'first_human_review_at', ',"last_commit_at":', facts -> 'last_commit_at',
    ',"merged_at":', pg_temp.told(merged_at), ',"closed_at":', pg_temp.told(closed_at),
    ',"review_iterations":', facts -> 'review_iterations',
    ',"estimated_complexity":', facts -> 'estimated_complexity',
    ',"estimated_review_minutes":', facts -> 'estimated_review_minutes',
    ',"coderabbit_comments":', pg_temp.counters(findings), '}')
from pull_request p
where not exists (select from metrics_head h where h.root_id = p.root_id and h.state = 'arriving')
order by root_id, position;
insert into review_day
select root_id, week, day - date '0001-01-01', min(position), max(position) from review group by 1, 2, 3;
update metrics_head h set largest_review = r.bytes
from (select root_id, max(octet_length(entry)) as bytes from review group by 1) r where r.root_id = h.root_id;
update metrics_head
set arrival = jsonb_build_object('stage', 'copying', 'table', 'review', 'after', '["", "", "", -1]'::jsonb) || (arrival - 'stage')
where state = 'arriving' and arrival ->> 'stage' = 'copied';
drop function pg_temp.counters, pg_temp.counter, pg_temp.told(text), pg_temp.told(timestamptz);

alter table review add primary key (root_id, provider, host, repository_id, number);
-- The ways to a page are those of pull_request. The status comes last: what is not asked for is left out on the way.
create index review_of_root on review (root_id, week, position, day, status);
create index review_of_organization on review (root_id, organization_id, week, position, day, status);
create index review_of_instance on review (root_id, instance_id, week, position, day, status)
  where instance_id is not null;
create index review_of_repository on review (root_id, repository_id, week, position, day, status);
create index review_of_author on review (root_id, author_id, week, position, day, status)
  where author_id is not null;
-- Of windows that are not split into weeks; to say that a position is above 0 is to ask for these.
create index review_written on review (root_id, position, day, status) where position > 0;
create index review_written_in_organization on review (root_id, organization_id, position, day, status)
  where position > 0;
create index review_written_in_instance on review (root_id, instance_id, position, day, status)
  where position > 0 and instance_id is not null;

call isolate_by_root('review_day');
call isolate_metrics('review');
grant select on review, review_day to scholiast_api;
grant select, insert, update, delete on review, review_day to scholiast_worker;
