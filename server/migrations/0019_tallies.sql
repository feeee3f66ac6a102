-- Findings are counted where they are written, with their pull request; what is added up over many of them is counted by the
-- worker, four weeks of an organization at a time, and until then read from the pull requests. A writer marks what it touches.
alter table review
  -- As in finding_count; null = its findings are not counted: it was not merged, or has none.
  add column tally text;

update review r set tally = p.tally
from (
  with finding as (
    select p.root_id, p.provider, p.host, p.repository_id, p.number, f.reviewer, f.accepted,
      16 * coalesce(array_position(array['critical', 'major', 'minor', 'trivial', 'info'], f.severity) - 1, 15)
        + coalesce(array_position(array['data_integrity_and_integration', 'functional_correctness',
            'maintainability_and_code_quality', 'performance_and_scalability', 'security_and_privacy',
            'stability_and_availability'], f.category) - 1, 15) as cell
    from pull_request p
    cross join lateral json_to_recordset(p.findings) as f (severity text, category text, accepted boolean, reviewer text)
    where p.entry is not null
  ), cell as (
    select root_id, provider, host, repository_id, number, reviewer, cell,
      concat_ws(',', cell, count(*), count(*) filter (where accepted), count(*) filter (where not accepted)) as counts
    from finding group by 1, 2, 3, 4, 5, 6, 7
  ), reviewer as (
    select root_id, provider, host, repository_id, number,
      concat('[', coalesce(to_json(reviewer)::text, 'null'), ',', string_agg(counts, ',' order by cell), ']') as counts
    from cell group by 1, 2, 3, 4, 5, reviewer
  )
  select root_id, provider, host, repository_id, number,
    concat('[', string_agg(counts, ',' order by counts collate "C"), ']') as tally
  from reviewer group by 1, 2, 3, 4, 5
) p
where (r.root_id, r.provider, r.host, r.repository_id, r.number) = (p.root_id, p.provider, p.host, p.repository_id, p.number);

-- The column has another name, so that a process of the version before fails rather than adds up too little.
alter table finding_count rename column counts to tally;
delete from finding_count where grain = 'day';
alter table finding_count
  drop constraint finding_count_grain_check,
  add constraint finding_count_grain_check check (grain in ('block', 'repository', 'author', 'total')),
  drop constraint finding_count_pkey,
  drop column number,
  add primary key (root_id, organization_id, grain, period, repository_id, author_id),
  reset (fillfactor);

-- The blocks of four weeks whose rows of finding_count do not tell what their pull requests do. Written under the lock of the
-- root's head, and taken away under it by the worker that has counted them again.
create table finding_stale (
  root_id uuid not null,
  organization_id uuid not null,
  instance_id uuid,
  -- Its first day, counted from 0001-01-01.
  block integer not null,
  since timestamptz not null default now(),
  primary key (root_id, organization_id, block)
);
create index finding_stale_since on finding_stale (since);

call isolate_metrics('finding_stale');
grant select on finding_stale to scholiast_api;
grant select, insert, delete on finding_stale to scholiast_worker;
-- The worker finds those of every root.
create policy stale on finding_stale for select to scholiast_worker using (true);
