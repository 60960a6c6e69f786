-- Links between wallets.
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
