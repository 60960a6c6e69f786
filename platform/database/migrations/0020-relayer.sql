-- Gas tanks and the addresses they sponsor.
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
