-- Orders of marketplace contracts, and changes to them.
create table marketplace_collections (
  id bigint generated always as identity primary key,
  chain_id bigint not null,
  address text not null,
  unique (chain_id, address)
);

create table marketplace_collectibles (
  id bigint generated always as identity primary key,
  collection_id bigint not null references marketplace_collections,
  token_id numeric(78) not null,
  unique (collection_id, token_id)
);

create table marketplace_orders (
  id bigint generated always as identity primary key,
  chain_id bigint not null,
  contract text not null,
  order_hash text not null,
  collection_id bigint not null references marketplace_collections,
  collectible_id bigint references marketplace_collectibles,
  side text not null check (side in ('listing', 'offer')),
  maker text not null,
  currency text not null,
  quantity numeric(78) not null,
  data text not null,
  ends_at timestamptz not null,
  block_number bigint not null,
  log_index integer not null,
  mined_at timestamptz not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (chain_id, contract, order_hash)
);
create index on marketplace_orders (collection_id, side, collectible_id);
create index on marketplace_orders (chain_id, contract, block_number);
create index on marketplace_orders (chain_id, contract, maker);

create table marketplace_changes (
  chain_id bigint not null,
  contract text not null,
  block_number bigint not null,
  log_index integer not null,
  kind text not null check (kind in ('filled', 'cancelled', 'all-cancelled')),
  order_hash text,
  maker text not null,
  quantity numeric(78),
  mined_at timestamptz not null,
  primary key (chain_id, contract, block_number, log_index)
);
create index on marketplace_changes (chain_id, contract, order_hash);
create index on marketplace_changes (chain_id, contract, maker)
  where kind = 'all-cancelled';
