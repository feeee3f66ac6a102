-- Findings of security scans: what was found in whose code, what became of it, and the scans that say so.

-- One row a root, locked by whoever writes findings of it before anything is read, and held to the commit: order of
-- position = order of commit. Taken before the head of the audit chain.
create table security_head (
  root_id uuid primary key references root,
  position bigint not null
);
call isolate_by_root('security_head');
grant select, insert, update, delete on security_head to scholiast_worker;

create table security_finding (
  root_id uuid not null,
  organization_id uuid not null,
  instance_id uuid,
  id uuid not null,
  provider text not null,
  host text not null,
  -- Of the provider, as all ids that are shown; names as of the last write.
  provider_organization_id text not null,
  organization_name text not null,
  repository_id text not null,
  repository_name text not null,
  -- The scan that saw it last.
  scan_id text not null,
  severity text not null check (severity in ('critical', 'high', 'medium', 'low', 'info')),
  -- fixed: a later complete scan did not see it. dismissed: somebody said so, and it stays, seen or not.
  state text not null check (state in ('open', 'fixed', 'dismissed')),
  dismissal_reason text check (dismissal_reason in ('false_positive', 'wont_fix', 'used_in_tests', 'other')),
  dismissal_comment text,
  -- Whoever said so, and when; null = a comment in the code, or a suppression in the file that was sent.
  dismissed_by text,
  dismissed_at timestamptz,
  cwe text,
  title text not null,
  description text not null,
  file_path text not null,
  start_line integer check (start_line >= 1),
  end_line integer check (end_line >= start_line),
  rule_id text not null,
  tool text not null,
  -- What names it in files: as the tool gave it, else made of its code; stays when lines move.
  fingerprint text not null,
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null check (last_seen_at >= first_seen_at),
  -- Its place in the order of writes. A record that shows something new goes to the end; one that was merely seen again
  -- (scan_id, last_seen_at) stays, so that a reader is not shown everything again after every scan.
  position bigint not null,
  -- What it is known again by (resources/security-scans/identity); of its code only digests are kept.
  given_fingerprint text,
  code text not null default '',
  -- Digest of what the scan that saw it last says of it.
  facts_hash text not null default '',
  -- When and by which scan it was last seen, for each branch and category of scans.
  lanes jsonb not null default '{}',
  -- The newest word of a person about its dismissal, also when that takes it back; and what the scanned code says.
  word jsonb,
  suppression jsonb,
  redactor_version integer not null default 1,
  primary key (root_id, organization_id, id),
  foreign key (root_id, organization_id) references organization,
  check ((state = 'dismissed') = (dismissal_reason is not null))
) with (fillfactor = 80);
create index security_finding_of_tool on security_finding (root_id, organization_id, repository_id, tool);

create table security_scan (
  root_id uuid not null,
  organization_id uuid not null,
  instance_id uuid,
  repository_id text not null,
  tool text not null,
  scan_id text not null,
  -- A complete scan is one event; a partial one may come in parts, named by their events.
  part text not null,
  complete boolean not null,
  branch text not null,
  category text not null,
  commit text,
  at timestamptz not null,
  event_id text not null,
  findings integer not null,
  primary key (root_id, organization_id, repository_id, tool, scan_id, part),
  foreign key (root_id, organization_id) references organization
);
create index security_scan_of_lane on security_scan (root_id, organization_id, repository_id, tool, branch, category, at)
  where complete;

-- Uploaded files, read and redacted: the findings lie here until the worker has them, the queue carries the id only.
create table sarif_upload (
  root_id uuid not null references root,
  id uuid not null,
  created_at timestamptz not null,
  primary key (root_id, id)
);
create index sarif_upload_created on sarif_upload (created_at);
create table sarif_upload_part (
  root_id uuid not null,
  upload_id uuid not null,
  run integer not null,
  part integer not null,
  findings jsonb not null,
  primary key (root_id, upload_id, run, part),
  foreign key (root_id, upload_id) references sarif_upload on delete cascade
);

call isolate_metrics('security_finding');
call isolate_metrics('security_scan');
call isolate_by_root('sarif_upload');
call isolate_by_root('sarif_upload_part');
-- The worker finds the old ones of every root; ids and times, no text.
create policy upkeep on sarif_upload for select to scholiast_worker using (true);

grant select on security_finding to scholiast_api;
grant select, insert, update, delete on security_finding, security_scan to scholiast_worker;
grant insert on sarif_upload, sarif_upload_part to scholiast_api;
grant select, delete on sarif_upload, sarif_upload_part to scholiast_worker;

-- How GET /v1/security/scans/code finds them.
create index security_finding_of_root on security_finding (root_id, state, position);
create index security_finding_of_organization on security_finding (root_id, organization_id, state, position);
create index security_finding_of_instance on security_finding (root_id, instance_id, state, position)
  where instance_id is not null;
create index security_finding_of_repository on security_finding (root_id, repository_id, state, position);
-- The scan that saw a finding last changes with every scan: an index over it would be written anew each time.
create index security_scan_named on security_scan (root_id, scan_id);
grant select (root_id, organization_id, instance_id, repository_id, scan_id) on security_scan to scholiast_api;
