-- Learnings: the texts, how they come to be shared, and the index that finds them again.

-- One row a root, locked by whoever writes Learnings of it before anything is read, and held to the commit: order of
-- position = order of commit, and what was read is still so when it is written. Taken before the head of the audit chain.
create table learning_head (
  root_id uuid primary key references root,
  position bigint not null,
  -- No text of the root was redacted by older rules than these.
  redactor_version integer not null
);
call isolate_by_root('learning_head');
grant select, insert, update on learning_head to scholiast_api, scholiast_worker;
-- The worker finds the roots whose texts were redacted by older rules.
create policy upkeep on learning_head for select to scholiast_worker using (true);

create table learning (
  root_id uuid not null,
  organization_id uuid not null,
  instance_id uuid,
  id uuid not null,
  -- Of the provider, as all ids that are shown.
  repository_id text not null,
  -- private: of open pull requests; pending: waits for a person or its deadline; shared: guides every review.
  state text not null check (state in ('private', 'pending', 'shared', 'disapproved')),
  text text not null,
  -- Of the repository and the text; who lives owns it, and only one lives.
  content_hash bytea not null check (length(content_hash) = 32),
  redactor_version integer not null,
  file text,
  source_url text,
  -- The account and its name as of the writing, and our person where it is one.
  author_id text,
  author_username text,
  person_id uuid,
  source text not null check (source in ('api', 'chat', 'review', 'agent')),
  -- When time alone approves it; null = never.
  deadline timestamptz,
  -- Its place in the export: given when it is shared, so that who has read so far still meets it.
  position bigint,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  last_used_at timestamptz,
  usage_count bigint not null default 0,
  primary key (root_id, organization_id, id),
  foreign key (root_id, organization_id) references organization,
  check ((state = 'shared') = (position is not null)),
  check (deadline is null or state in ('pending', 'private'))
) with (fillfactor = 90);
create unique index learning_content on learning (root_id, organization_id, content_hash);
create index learning_of_root on learning (root_id, position) where state = 'shared';
create index learning_of_organization on learning (root_id, organization_id, position) where state = 'shared';
create index learning_of_instance on learning (root_id, instance_id, position)
  where state = 'shared' and instance_id is not null;
create index learning_of_repository on learning (root_id, repository_id, position) where state = 'shared';
create index learning_of_author on learning (root_id, author_id, position)
  where state = 'shared' and author_id is not null;
create index learning_of_file on learning (root_id, file, position) where state = 'shared' and file is not null;
create index learning_waiting on learning (root_id, organization_id, state, created_at) where state <> 'shared';
create index learning_redacted on learning (root_id, redactor_version, id);

-- The open pull requests that a private Learning came from.
create table learning_origin (
  root_id uuid not null,
  organization_id uuid not null,
  learning_id uuid not null,
  repository_id text not null,
  number bigint not null,
  -- When it was proposed from there last: a closing before that has nothing to do with it.
  at timestamptz not null,
  primary key (root_id, organization_id, learning_id, number),
  foreign key (root_id, organization_id, learning_id) references learning on delete cascade
);
create index learning_origin_of_pull_request on learning_origin (root_id, organization_id, repository_id, number);

-- Pull requests that were closed: what is proposed from one, but arrives later, is treated as if it had been in time.
create table learning_closing (
  root_id uuid not null,
  organization_id uuid not null,
  repository_id text not null,
  number bigint not null,
  merged boolean not null,
  at timestamptz not null,
  -- One that was reopened is closed again: the first closing after a proposal is the one that concerns it.
  primary key (root_id, organization_id, repository_id, number, at)
);
create index learning_closing_at on learning_closing (root_id, at);

-- Events that were applied: each counts once, however often it is delivered.
create table learning_event (
  root_id uuid not null references root,
  event_id text not null,
  at timestamptz not null,
  primary key (root_id, event_id)
);
create index learning_event_at on learning_event (root_id, at);

-- What the worker owes a Learning, and from when on: ids and times only, so that it may look at those of every root.
create table learning_task (
  root_id uuid not null,
  organization_id uuid not null,
  learning_id uuid not null,
  kind text not null check (kind in ('index', 'approve')),
  at timestamptz not null,
  attempts integer not null default 0,
  primary key (root_id, organization_id, learning_id, kind),
  foreign key (root_id, organization_id, learning_id) references learning on delete cascade
);
create index learning_task_at on learning_task (kind, at);

-- knowledge_base.learnings.*, of an organization (repository '') or of one of its repositories, which wins.
create table learning_setting (
  root_id uuid not null,
  organization_id uuid not null,
  repository_id text not null default '',
  scope text check (scope in ('auto', 'global', 'local')),
  approval_delay integer check (approval_delay between 0 and 30),
  primary key (root_id, organization_id, repository_id),
  foreign key (root_id, organization_id) references organization
);

-- How many are shared, in an organization (repository '') and in each repository: says which way to search is the best.
create table learning_count (
  root_id uuid not null,
  organization_id uuid not null,
  repository_id text not null,
  shared bigint not null,
  primary key (root_id, organization_id, repository_id)
) with (fillfactor = 50);

-- The models that texts are embedded with. All searches use the active one; a model that is being filled gets every
-- new text too; a retired one keeps its rows until no node can still believe that it is active.
create table learning_model (
  model text primary key,
  dimensions integer not null check (dimensions between 1 and 4000),
  state text not null check (state in ('filling', 'active', 'retired')),
  since timestamptz not null default now()
);
create unique index learning_model_active on learning_model (state) where state = 'active';
grant select on learning_model to scholiast_api;
grant select, insert, update, delete on learning_model to scholiast_worker;

-- The review index: one row for a shared Learning and model. Vectors are of length 1. A term is a number made of the
-- organization and a word, so that no list of the inverted index is longer than what one organization wrote.
create table learning_index (
  root_id uuid not null,
  organization_id uuid not null,
  instance_id uuid,
  learning_id uuid not null,
  repository_id text not null,
  model text not null,
  content_hash bytea not null,
  embedding halfvec not null,
  terms bigint[] not null,
  primary key (organization_id, model, learning_id),
  foreign key (root_id, organization_id, learning_id) references learning on delete cascade
) partition by hash (organization_id);
create index learning_index_of_repository on learning_index (organization_id, model, repository_id);
create index learning_index_of_learning on learning_index (root_id, organization_id, learning_id);
create index learning_index_terms on learning_index using gin (terms);

-- An organization with many rows gets an index of its own over them, for the nearest without looking at each: a partial
-- one, in the partition that its rows lie in. Partitions keep such indexes few for each write, and their building short.
do $$
begin
  for part in 0..15 loop
    execute format(
      'create table learning_index_%s partition of learning_index for values with (modulus 16, remainder %s)', part, part);
    -- Reached through the whole only, whose policy then holds.
    execute format('alter table learning_index_%s enable row level security', part);
  end loop;
end
$$;

-- Which organizations have one.
create table learning_near_index (
  root_id uuid not null,
  organization_id uuid not null,
  model text not null,
  name text not null,
  -- Terms that so many of its rows share that looking one up costs much and finds little; told by a sample, now and then.
  common_terms bigint[] not null default '{}',
  sampled_at timestamptz not null default '-infinity',
  primary key (root_id, organization_id, model),
  foreign key (root_id, organization_id) references organization
);

-- Writes of the partition wait while it is built. The worker may call it and nothing else that changes the schema.
create function learning_index_make_near(root uuid, organization uuid, of_model text) returns boolean
  language plpgsql security definer set search_path = public, pg_temp set maintenance_work_mem = '512MB' as $$
declare
  part regclass;
  dims integer;
  index_name text := 'learning_near_' || substr(md5(organization || of_model), 1, 24);
begin
  select dimensions into dims from learning_model where model = of_model;
  select tableoid::regclass into part from learning_index
    where root_id = root and organization_id = organization and model = of_model limit 1;
  if dims is null or part is null then
    return false;
  end if;
  execute format(
    'create index if not exists %I on %s using hnsw ((embedding::halfvec(%s)) halfvec_ip_ops)
       where organization_id = %L and model = %L', index_name, part, dims, organization, of_model);
  insert into learning_near_index values (root, organization, of_model, index_name) on conflict do nothing;
  return true;
end
$$;
create function learning_index_drop_near(of_model text) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  index_name text;
begin
  for index_name in delete from learning_near_index where model = of_model returning name loop
    execute format('drop index if exists %I', index_name);
  end loop;
end
$$;
revoke execute on function learning_index_make_near, learning_index_drop_near from public;
grant execute on function learning_index_make_near, learning_index_drop_near to scholiast_worker;

-- Counted where it happens, so that no way of writing can forget it. Writers hold the head of the root.
create function learning_count_change() returns trigger
  language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into learning_count as c
      select root_id, organization_id, place, count(*)
      from added, unnest(array['', repository_id]) place where state = 'shared'
      group by 1, 2, 3
    on conflict (root_id, organization_id, repository_id) do update set shared = c.shared + excluded.shared;
  elsif tg_op = 'DELETE' then
    update learning_count c set shared = c.shared - gone.shared
      from (select root_id, organization_id, place, count(*) as shared
        from removed, unnest(array['', repository_id]) place where state = 'shared' group by 1, 2, 3) gone
      where (c.root_id, c.organization_id, c.repository_id) = (gone.root_id, gone.organization_id, gone.place);
  else
    insert into learning_count as c
      select a.root_id, a.organization_id, place, count(*)
      from added a join removed r using (root_id, organization_id, id), unnest(array['', a.repository_id]) place
      where a.state = 'shared' and r.state <> 'shared'
      group by 1, 2, 3
    on conflict (root_id, organization_id, repository_id) do update set shared = c.shared + excluded.shared;
  end if;
  return null;
end
$$;
create trigger learning_counted_in after insert on learning
  referencing new table as added for each statement execute function learning_count_change();
create trigger learning_counted_out after delete on learning
  referencing old table as removed for each statement execute function learning_count_change();
create trigger learning_counted_up after update on learning
  referencing old table as removed new table as added for each statement execute function learning_count_change();

call isolate_metrics('learning');
call isolate_metrics('learning_index');
call isolate_by_organization('learning_origin');
call isolate_by_organization('learning_closing');
call isolate_by_root('learning_event');
call isolate_by_organization('learning_task');
call isolate_by_organization('learning_setting');
call isolate_by_organization('learning_count');
call isolate_by_organization('learning_near_index');
create policy upkeep on learning_task for select to scholiast_worker using (true);
-- The worker finds the organizations that have become large; their numbers and ids, no text.
create policy upkeep on learning_count for select to scholiast_worker using (true);
create policy upkeep on learning_near_index for select to scholiast_worker using (true);

grant select, insert, update, delete on learning, learning_index, learning_task to scholiast_api, scholiast_worker;
grant select, insert, update on learning_count to scholiast_api, scholiast_worker;
grant select, delete on learning_origin to scholiast_api;
grant select, insert, update, delete on learning_origin to scholiast_worker;
grant select on learning_setting, learning_near_index to scholiast_api;
grant select, insert, update, delete on learning_setting, learning_closing, learning_event to scholiast_worker;
grant select, update (common_terms, sampled_at) on learning_near_index to scholiast_worker;

-- A repository is named in requests: how it was verified that somebody may read it is in repository_access.
create index repository_named on repository (root_id, organization_id, name);
