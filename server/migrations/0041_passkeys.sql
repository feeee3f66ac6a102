-- How people sign in without an identity provider: passkeys, one-time links and invitations.

create table passkey (
  root_id uuid not null references root,
  id uuid not null,
  person_id uuid not null,
  -- Of all roots together: somebody who signs in presents it before any root is known.
  credential_id bytea not null unique check (length(credential_id) between 1 and 1023),
  public_key bytea not null check (length(public_key) <= 8192),
  -- Of the last use. An authenticator that does not count always sends 0.
  counter bigint not null check (counter >= 0),
  transports text[] not null,
  name text not null check (length(name) between 1 and 100),
  created_at timestamptz not null,
  last_used_at timestamptz,
  primary key (root_id, id),
  foreign key (root_id, person_id) references person
);
create index passkey_of_person on passkey (root_id, person_id);
call isolate_by_root('passkey');
grant select, insert, delete on passkey to scholiast_api, scholiast_worker;
grant update (counter, last_used_at) on passkey to scholiast_api;

create table sign_in_link (
  root_id uuid not null references root,
  id uuid not null,
  person_id uuid not null,
  purpose text not null check (purpose in ('sign_in', 'invitation')),
  hash bytea not null unique check (length(hash) = 32),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  primary key (root_id, id),
  -- A new link of a person replaces the earlier one.
  unique (root_id, person_id, purpose),
  foreign key (root_id, person_id) references person
);
call isolate_by_root('sign_in_link');
grant select on sign_in_link to scholiast_api;
grant update (used_at) on sign_in_link to scholiast_api;
grant select, insert, update, delete on sign_in_link to scholiast_worker;

-- Both are looked up before any root is known, like a key.
create policy auth on passkey for select to scholiast_auth using (true);
grant select (root_id, id, person_id, credential_id, public_key, counter) on passkey to scholiast_auth;
create policy auth on sign_in_link for select to scholiast_auth using (true);
grant select (root_id, person_id, purpose, hash, expires_at, used_at) on sign_in_link to scholiast_auth;
