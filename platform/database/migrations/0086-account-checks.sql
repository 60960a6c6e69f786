-- The daily checks of relaying accounts. Each one continues from the last.
create table relay_account_checks (
  id bigint generated always as identity primary key,
  chain_id bigint not null,
  account text not null,
  block_number bigint not null,
  nonce bigint not null,
  balance numeric(78) not null,
  paid numeric(78) not null,
  difference numeric(78) not null,
  created_at timestamptz not null default now()
);
create index on relay_account_checks (chain_id, account, id);
