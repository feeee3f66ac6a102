-- What the similarities of an embedding model mean, chosen by the operator with `learnings calibrate`. It belongs to the
-- installation, like learning_model, and outlives the model's rows: a model that comes back needs no new calibration.
create table learning_calibration (
  model text primary key,
  similarity double precision not null,
  terms double precision not null,
  floor double precision not null,
  unshared_floor double precision not null,
  strong double precision not null,
  calibrated_at timestamptz not null default now()
);
grant select on learning_calibration to scholiast_api;
grant select, insert, update, delete on learning_calibration to scholiast_worker;
