-- What GET /v1/metrics/summary adds up: the findings of merged pull requests, counted as they are written. A row is what was
-- found in an organization in a period, at one of five grains; each finding is counted once in each of them:
--   day         of one pull request, by the day
--   block       of a repository and an author, by four weeks
--   repository  of a repository, by the week
--   author      of an author, by the week
--   total       by the week
-- As the other tables of metrics it lies in every store and refers to nothing outside of it.
create table finding_count (
  root_id uuid not null,
  organization_id uuid not null,
  instance_id uuid,
  grain text not null check (grain in ('day', 'block', 'repository', 'author', 'total')),
  -- The first day of the period, counted from 0001-01-01, which was a Monday.
  period integer not null,
  -- '' = not of one repository or author; where the grain is of an author: who it was is not known.
  repository_id text not null,
  author_id text not null,
  -- Of the pull request; 0 = of several.
  number bigint not null,
  -- For each reviewer its name and, cell after cell, (cell, posted, accepted, not accepted): metrics/counts/tally.ts.
  counts text not null,
  primary key (root_id, organization_id, grain, period, repository_id, author_id, number)
) with (fillfactor = 80);

-- Pull requests that are stored already. A root that is being copied to this store gets its counts from where it was.
insert into finding_count
with finding as (
  select p.root_id, p.organization_id, p.instance_id, p.day - date '0001-01-01' as day, p.repository_id,
    coalesce(p.author_id, '') as author_id, p.number, f.reviewer, f.accepted,
    16 * coalesce(array_position(array['critical', 'major', 'minor', 'trivial', 'info'], f.severity) - 1, 15)
      + coalesce(array_position(array['data_integrity_and_integration', 'functional_correctness',
          'maintainability_and_code_quality', 'performance_and_scalability', 'security_and_privacy',
          'stability_and_availability'], f.category) - 1, 15) as cell
  from pull_request p
  cross join lateral json_to_recordset(p.findings) as f (severity text, category text, accepted boolean, reviewer text)
  where p.entry is not null
    and not exists (select from metrics_head h where h.root_id = p.root_id and h.state = 'arriving')
), cell as (
  select f.root_id, f.organization_id, f.instance_id, g.grain, g.period, g.repository_id, g.author_id, g.number, f.reviewer,
    f.cell,
    concat_ws(',', f.cell, count(*), count(*) filter (where accepted), count(*) filter (where not accepted)) as counts
  from finding f
  cross join lateral (values
    ('day', day, repository_id, author_id, number),
    ('block', day - day % 28, repository_id, author_id, 0),
    ('repository', day - day % 7, repository_id, '', 0),
    ('author', day - day % 7, '', author_id, 0),
    ('total', day - day % 7, '', '', 0)) g (grain, period, repository_id, author_id, number)
  group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
), reviewer as (
  select root_id, organization_id, instance_id, grain, period, repository_id, author_id, number,
    concat('[', coalesce(to_json(reviewer)::text, 'null'), ',', string_agg(counts, ',' order by cell), ']') as counts
  from cell group by 1, 2, 3, 4, 5, 6, 7, 8, reviewer
)
select root_id, organization_id, instance_id, grain, period, repository_id, author_id, number,
  concat('[', string_agg(counts, ',' order by counts collate "C"), ']')
from reviewer group by 1, 2, 3, 4, 5, 6, 7, 8;
update metrics_head
set arrival = jsonb_build_object('stage', 'copying', 'table', 'finding_count',
  'after', '["00000000-0000-0000-0000-000000000000", "", -1, "", "", -1]'::jsonb) || (arrival - 'stage')
where state = 'arriving' and arrival ->> 'stage' = 'copied';

-- The way to the rows of a summary is the primary key, organization by organization. Rows that are added with nearly every
-- pull request, those of days and blocks, have no other index; there are ten authors at most to look for among them.
create index finding_count_of_instance on finding_count (root_id, instance_id, grain, period)
  where instance_id is not null;
create index finding_count_of_repository on finding_count (root_id, repository_id, period) where grain = 'repository';
create index finding_count_of_author on finding_count (root_id, author_id, period) where grain = 'author';

call isolate_metrics('finding_count');
grant select on finding_count to scholiast_api;
grant select, insert, update, delete on finding_count to scholiast_worker;
