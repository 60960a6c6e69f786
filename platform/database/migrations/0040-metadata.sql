-- Metadata of tokens and contracts, and pending refreshes.

-- Number reads in the order in which they start.
create sequence metadata_reads;

create table contract_info (
  chain_id bigint not null,
  contract text collate "C" not null
    check (contract ~ '^0x[0-9a-f]{40}$'),
  decimals int not null,
  document text not null,
  outcome text not null,
  read_number bigint not null,
  saved_at timestamptz not null default now(),
  primary key (chain_id, contract)
);

create table token_metadata (
  chain_id bigint not null,
  contract text collate "C" not null
    check (contract ~ '^0x[0-9a-f]{40}$'),
  token_id text collate "C" not null
    check (token_id ~ '^(0|[1-9][0-9]{0,77})$'),
  document text not null,
  outcome text not null,
  read_number bigint not null,
  saved_at timestamptz not null default now(),
  primary key (chain_id, contract, token_id)
);

create table metadata_refreshes (
  id bigint generated always as identity primary key,
  project_id bigint not null references projects,
  chain_id bigint not null,
  contract text not null,
  status text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table metadata_refresh_tokens (
  refresh_id bigint not null references metadata_refreshes,
  token_id text collate "C" not null,
  primary key (refresh_id, token_id)
);
