-- The rate limit of a connector at its Git provider, shared by all workers. A call is reserved here before it is sent.

create table connector_budget (
  root_id uuid not null references root,
  organization_id uuid not null,
  connector_id uuid not null,
  resource text not null check (resource in ('rest', 'graphql')),
  -- As the provider reported it; null = it reports none, because its limits are off or no call was made yet.
  limit_points int check (limit_points > 0),
  -- Less what calls in flight may cost.
  remaining int,
  resets_at timestamptz,
  -- Two token buckets against secondary limits: calls, and milliseconds of response time.
  calls double precision not null,
  busy_ms double precision not null,
  refilled_at timestamptz not null,
  -- One entry for each call in flight: when it counts as lost.
  in_flight timestamptz[] not null default '{}',
  -- The provider refused calls until this time, so many times in succession.
  blocked_until timestamptz,
  blocks int not null default 0,
  -- The answer to the last reservation: null = granted, otherwise when to try again.
  retry_at timestamptz,
  primary key (root_id, connector_id, resource),
  foreign key (root_id, connector_id) references connector on delete cascade
);
call isolate_by_organization('connector_budget');
grant select, insert, update, delete on connector_budget to scholiast_worker;
