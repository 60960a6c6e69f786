-- The database as the migrations up to 0020-relayer left it, with some rows. The
-- keys were derived from the secret of the tests.

create table projects (
  id bigint generated always as identity primary key,
  name text not null,
  created_at timestamptz not null default now()
);
create table access_keys (
  id bigint generated always as identity primary key,
  project_id bigint not null references projects,
  hash bytea not null unique,
  created_at timestamptz not null default now(),
  revoked_at timestamptz
);
create table secrets (
  id text primary key,
  project_id bigint not null references projects,
  hash bytea not null,
  scopes text[] not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  revoked_at timestamptz
);
create table platform (
  is_only boolean primary key default true check (is_only),
  secret_check bytea not null,
  demo_project_id bigint references projects
);
create table audiences (
  id bigint generated always as identity primary key,
  project_id bigint not null references projects,
  name text not null,
  contact_count bigint not null default 0 check (contact_count >= 0),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz
);
create index on audiences (project_id);
create table audience_contacts (
  audience_id bigint not null references audiences,
  contact_id numeric(20) not null,
  primary key (audience_id, contact_id)
);
create table linked_wallets (
  id bigint generated always as identity primary key,
  wallet_address text not null
    check (wallet_address ~ '^0x[0-9a-f]{40}$'),
  linked_wallet_address text not null
    check (linked_wallet_address ~ '^0x[0-9a-f]{40}$'),
  wallet_type text,
  created_at timestamptz not null default now(),
  unique (wallet_address, linked_wallet_address)
);
create table gas_tanks (
  id bigint generated always as identity primary key,
  project_id bigint not null references projects,
  chain_id bigint not null,
  balance numeric(78) not null default 0 check (balance >= 0),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (project_id, chain_id)
);
create table gas_sponsors (
  id bigint generated always as identity primary key,
  gas_tank_id bigint not null references gas_tanks,
  project_id bigint not null references projects,
  chain_id bigint not null,
  address text not null,
  name text not null,
  active boolean not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  unique (project_id, chain_id, address)
);
create table platform_migrations (
  name varchar(255) primary key,
  timestamp varchar(255) not null
);
create table platform_migrations_lock (
  id varchar(255) primary key,
  is_locked integer not null default 0
);
insert into platform_migrations values
  ('0001-keys', '2026-01-02T03:04:05.001Z'),
  ('0010-builder', '2026-01-02T03:04:05.002Z'),
  ('0015-api', '2026-01-02T03:04:05.003Z'),
  ('0020-relayer', '2026-01-02T03:04:05.004Z');
insert into platform_migrations_lock values ('migration_lock', 0);

insert into projects (id, name, created_at) overriding system value
  values (7, 'Older', '2026-01-02T03:04:05Z');
select setval('projects_id_seq', 7);
insert into access_keys (project_id, hash) values
  (7, '\xd86d553ff49481484c27ab8b40bb4640dd0bc9efde22fb1ab598614f04201781');
insert into secrets (id, project_id, hash, scopes, expires_at) values (
  'old-secret', 7,
  '\xbaf5341b69215f26d631d55dee196e0e715be5302b783373e9100ea09e79ed0a',
  '{read,write}', '2096-01-02T03:04:05Z'
);
insert into platform (secret_check, demo_project_id) values
  ('\xe487bbb76da11284baae3a2472a724b239ea3a50613049f1c9c76ce9ad82124a', 7);

insert into audiences (id, project_id, name, contact_count, created_at, updated_at)
  overriding system value values
  (3, 7, 'Kept', 2, '2026-01-02T03:04:06Z', '2026-01-02T03:04:07Z');
select setval('audiences_id_seq', 3);
insert into audience_contacts values (3, 1), (3, 18446744073709551615);
insert into linked_wallets (wallet_address, linked_wallet_address, wallet_type)
  values (
    '0x00000000000000000000000000000000000000a1',
    '0x00000000000000000000000000000000000000a2', 'EOA'
  );
insert into gas_tanks (id, project_id, chain_id, balance)
  overriding system value values (5, 7, 31337, 123456789012345678901234567890);
select setval('gas_tanks_id_seq', 5);
insert into gas_sponsors
  (id, gas_tank_id, project_id, chain_id, address, name, active)
  overriding system value values (
    9, 5, 7, 31337, '0x00000000000000000000000000000000000000a3', 'kept', true
  );
select setval('gas_sponsors_id_seq', 9);
