-- Sessions of people who signed in, and the identities at providers by which they did.

-- Who somebody is at an identity provider, per tenant root: the same subject can be known in several.
create table identity (
  root_id uuid not null references root,
  issuer text not null,
  subject text not null,
  person_id uuid not null,
  linked_at timestamptz not null,
  last_used_at timestamptz not null,
  primary key (root_id, issuer, subject),
  foreign key (root_id, person_id) references person
);
create index identity_of_person on identity (root_id, person_id);
call isolate_by_root('identity');
grant select, insert, update on identity to scholiast_api;
grant select, insert, update, delete on identity to scholiast_worker;

create table session (
  root_id uuid not null references root,
  id uuid not null,
  hash bytea not null unique check (length(hash) = 32),
  person_id uuid not null,
  method text not null check (method in ('provider', 'passkey', 'link')),
  -- Of sessions by a provider: whose assertion it was, so that the provider can end it.
  issuer text,
  subject text,
  provider_session text,
  user_agent text not null check (length(user_agent) <= 200),
  created_at timestamptz not null,
  authenticated_at timestamptz not null,
  last_used_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz,
  primary key (root_id, id),
  foreign key (root_id, person_id) references person,
  check ((method = 'provider') = (issuer is not null and subject is not null))
);
create index session_of_person on session (root_id, person_id) where ended_at is null;
create index session_of_subject on session (issuer, subject) where ended_at is null and issuer is not null;
create index session_age on session (expires_at);
call isolate_by_root('session');
grant select, insert on session to scholiast_api, scholiast_worker;
grant update (ended_at, last_used_at) on session to scholiast_api, scholiast_worker;
grant delete on session to scholiast_worker;
-- Old sessions of all roots are deleted together.
create policy sweep on session for select to scholiast_worker using (true);
create policy swept on session for delete to scholiast_worker using (true);

-- A session is looked up before any root is known, like a key.
create policy auth on session for select to scholiast_auth using (true);
grant select (root_id, id, hash, person_id, issuer, subject, provider_session, authenticated_at, last_used_at, expires_at, ended_at)
  on session to scholiast_auth;

-- Runs as the owner: a node writes for the sessions of many roots at once when they were last used. It can only set that, and
-- only to a later time. A session that is being changed is left for the next time.
create function note_session_uses(roots uuid[], sessions uuid[], moments timestamptz[]) returns void
  language sql security definer set search_path = public, pg_temp as $$
  with used as (
    select s.root_id, s.id, u.moment
    from unnest(roots, sessions, moments) u (root_id, id, moment)
    join session s on s.root_id = u.root_id and s.id = u.id
    where s.last_used_at < u.moment and s.ended_at is null
    order by s.root_id, s.id for no key update of s skip locked
  )
  update session s set last_used_at = used.moment from used where s.root_id = used.root_id and s.id = used.id
$$;
revoke execute on function note_session_uses from public;
grant execute on function note_session_uses to scholiast_api;

-- What must work once only, of every tenant: the state of a sign-in, a challenge, the id of a logout token.
create table used_nonce (
  hash bytea primary key check (length(hash) = 32),
  expires_at timestamptz not null
);
create index used_nonce_age on used_nonce (expires_at);
grant select, insert on used_nonce to scholiast_api;
grant select, delete on used_nonce to scholiast_worker;
