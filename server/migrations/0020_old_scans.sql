-- A scan is forgotten long after it came, whenever it was made: one of last year may come today.
alter table security_scan add column noted_at timestamptz not null default now();
