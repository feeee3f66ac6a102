-- A change of roles over all organizations of an instance. The worker carries it out by organization id, some at a time;
-- how far it is stands in the same transaction as what was changed, so that a worker that dies has done each
-- organization wholly or not at all.
create table role_job (
  root_id uuid not null references root,
  id uuid not null,
  instance_id uuid not null,
  -- Those that the key is authorized for; null = all of the instance.
  organization_ids uuid[],
  role text not null check (role in ('cr_admin', 'cr_member')),
  user_ids text[] not null,
  -- Who asked, for the audit log.
  key_id uuid not null,
  address text not null,
  done_until uuid not null default '00000000-0000-0000-0000-000000000000',
  -- How often it failed of late: the more, the fewer organizations are taken at once.
  failures integer not null default 0,
  created_at timestamptz not null,
  finished_at timestamptz,
  primary key (root_id, id),
  foreign key (root_id, instance_id) references instance
);
create index role_job_open on role_job (root_id, created_at) where finished_at is null;
create index role_job_age on role_job (created_at);

-- Users that were found in at least one organization, and the first thing that failed for them.
create table role_job_user (
  root_id uuid not null,
  job_id uuid not null,
  user_id text not null,
  code text check (code in ('PROTECTED_ROLE', 'LAST_ADMIN', 'INTERNAL_ERROR')),
  primary key (root_id, job_id, user_id),
  foreign key (root_id, job_id) references role_job on delete cascade
);

-- Whether an organization keeps an admin.
create index membership_admin_of_organization on membership (root_id, organization_id) where system_role = 'cr_admin';

call isolate_by_root('role_job');
call isolate_by_root('role_job_user');
-- The worker finds what is to be done, and what is old, of every root.
create policy jobs on role_job for select to scholiast_worker using (true);
create policy swept on role_job for delete to scholiast_worker using (true);
grant select, insert on role_job to scholiast_api;
grant select on role_job_user to scholiast_api;
grant select, update, delete on role_job to scholiast_worker;
grant select, insert, update, delete on role_job_user to scholiast_worker;

grant update (system_role, custom_role_id) on membership to scholiast_api;
grant insert, update, delete on custom_role to scholiast_api;
