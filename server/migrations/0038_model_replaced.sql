-- Since when this version needs no rows of a model that only the previous version can compute: its index without them is
-- complete. The previous version ignores this column and keeps using the model until its rows are deleted.
alter table learning_model add column replaced_at timestamptz;
