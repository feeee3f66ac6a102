-- A connector writes back to its provider only if it was created with write_back.

alter table connector
  add column write_back boolean not null default false,
  -- Why the last write was refused, for the list of connectors. Reading goes on meanwhile.
  add column write_back_error text;
