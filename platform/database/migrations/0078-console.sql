-- Data of the project console, and its operators' sessions.
create table operator_sessions (
  hash bytea primary key,
  operator text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index on operator_sessions (expires_at);

create table operator_actions (
  id bigint generated always as identity primary key,
  operator text not null,
  method text not null,
  project_id bigint,
  details json not null,
  is_done boolean,
  error text,
  created_at timestamptz not null default now()
);
create index on operator_actions (project_id, id);
create index on operator_actions (operator, id);
create index on operator_actions (created_at);

alter table access_keys
  add column name text not null default '',
  add column ending text not null default '',
  add column last_used_at timestamptz;
alter table secrets
  add column name text not null default '',
  add column ending text not null default '',
  add column last_used_at timestamptz;
create index on access_keys (project_id, id);
create index on secrets (project_id, created_at, id);

create table gas_tank_fills (
  id bigint generated always as identity primary key,
  gas_tank_id bigint not null references gas_tanks,
  amount numeric(78) not null,
  operator text,
  created_at timestamptz not null default now()
);
create index on gas_tank_fills (gas_tank_id, created_at);
create index on relays (gas_tank_id, settled_at) where cost > 0;

-- Existing tanks get a single fill, whose amount is the balance plus all
-- payments.
insert into gas_tank_fills (gas_tank_id, amount, created_at)
select id, amount, created_at from (
  select id, created_at, balance + (
    select coalesce(sum(cost), 0) from relays where gas_tank_id = tank.id
  ) as amount
  from gas_tanks as tank
) as filled
where amount <> 0;

alter table jobs add column history jsonb not null default '[]';

create table done_jobs (
  id bigint primary key,
  queue text not null,
  key text not null,
  lane text collate "C" not null,
  payload json not null,
  attempts integer not null,
  history jsonb not null,
  created_at timestamptz not null,
  done_at timestamptz not null default now(),
  unique (queue, key)
);
create index on done_jobs (queue, lane, id);
create index on done_jobs (done_at);

create table project_calls (
  project_id bigint not null,
  day date not null,
  service text not null,
  method text not null,
  calls bigint not null,
  failures bigint not null,
  primary key (project_id, day, service, method)
);
create index on project_calls (day);

create index on webhook_listeners (project_id, id) where deleted_at is null;
create index on metadata_refreshes (project_id, id);
create index on gas_sponsors (project_id, id) where deleted_at is null;
create index on linked_wallets (linked_wallet_address);
