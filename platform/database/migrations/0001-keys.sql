-- Projects and their keys.
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
