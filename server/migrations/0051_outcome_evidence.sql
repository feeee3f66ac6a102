-- Why an outcome is what it is. Null: not sent, or written by the version before.
alter table outcome add column rule text, add column evidence json;
