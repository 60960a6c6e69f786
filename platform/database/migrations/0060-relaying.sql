-- Relays for sponsored addresses.
create table relays (
  id bigint generated always as identity primary key,
  project_id bigint not null references projects,
  gas_sponsor_id bigint not null references gas_sponsors,
  gas_tank_id bigint not null references gas_tanks,
  chain_id bigint not null,
  wallet text not null,
  wallet_nonce numeric(78) not null,
  call_hash text not null,
  account text not null,
  account_nonce bigint not null,
  transaction text not null,
  transaction_hash text not null unique,
  max_cost numeric(78) not null check (max_cost > 0),
  state text not null default 'pending'
    check (state in ('pending', 'done', 'reverted')),
  gas_used numeric(78),
  cost numeric(78) check (cost between 0 and max_cost),
  created_at timestamptz not null default now(),
  settled_at timestamptz,
  check ((state = 'pending') = (cost is null)),
  check ((cost is null) = (settled_at is null))
);
create unique index on relays (chain_id, account, account_nonce)
  where state = 'pending';
create unique index on relays (chain_id, wallet, wallet_nonce)
  where state = 'pending';
create index on relays (chain_id, wallet, wallet_nonce);
create index on relays (gas_tank_id) where state = 'pending';
