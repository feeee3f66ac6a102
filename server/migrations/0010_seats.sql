-- Seats belong to the tenant root. One row a root counts those that are assigned. Every change of seats locks it before
-- it reads anything, so that no two of them decide about the same free seat.
lock table seat in share row exclusive mode;
create table seat_head (
  root_id uuid primary key references root,
  assigned integer not null check (assigned >= 0)
);
insert into seat_head (root_id, assigned) select root_id, count(*)::int from seat group by root_id;

-- Whoever writes seats, the count follows.
create function count_new_seats() returns trigger language plpgsql as $$
begin
  insert into seat_head as h (root_id, assigned) select root_id, count(*)::int from added group by root_id
  on conflict (root_id) do update set assigned = h.assigned + excluded.assigned;
  return null;
end
$$;
create trigger count_new_seats after insert on seat
  referencing new table as added for each statement execute function count_new_seats();

create function count_gone_seats() returns trigger language plpgsql as $$
begin
  update seat_head h set assigned = h.assigned - gone.seats
  from (select root_id, count(*)::int as seats from removed group by root_id) gone
  where h.root_id = gone.root_id;
  return null;
end
$$;
create trigger count_gone_seats after delete on seat
  referencing old table as removed for each statement execute function count_gone_seats();

-- The last word on a person's seat. A request waits while requested_at is set; an event from before decided_at comes
-- too late, so that one that is given twice does not bring back what an admin has taken away.
create table seat_request (
  root_id uuid not null,
  person_id uuid not null,
  -- Where the person asked, by tagging the reviewer.
  organization_id uuid,
  requested_at timestamptz,
  decided_at timestamptz,
  primary key (root_id, person_id),
  foreign key (root_id, person_id) references person,
  foreign key (root_id, organization_id) references organization,
  check (num_nonnulls(requested_at, decided_at) > 0)
);

-- The users of a workspace are listed by person, and filtered by whether they are an admin anywhere.
create index membership_of_admin on membership (root_id, person_id, organization_id) where system_role = 'cr_admin';

call isolate_by_root('seat_head');
call isolate_by_root('seat_request');
grant select, insert, update on seat_head, seat_request to scholiast_api, scholiast_worker;
grant delete on seat_head, seat_request to scholiast_worker;
grant insert, delete on seat to scholiast_api;
grant update (seat_assignment_mode) on organization to scholiast_api;
