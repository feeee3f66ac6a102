-- The bytes of stored uploads of each tenant root, so that a quota is checked in the transaction that stores one.
-- Null for uploads of the version before: they count as nothing until they are deleted.
alter table sarif_upload add column bytes bigint;

create table sarif_upload_usage (
  root_id uuid primary key references root,
  bytes bigint not null
);
call isolate_by_root('sarif_upload_usage');
-- The worker finds the roots whose bytes it counts again.
create policy upkeep on sarif_upload_usage for select to scholiast_worker using (true);

grant select, insert, update on sarif_upload_usage to scholiast_api;
grant select, update, delete on sarif_upload_usage to scholiast_worker;
