-- What nodes last reported that cannot be true. Operators see it.
create table wrong_nodes (
  chain_id bigint not null,
  -- The SHA-256 hash of the node's URL, which can contain a provider's key. The
  -- position of a URL in the settings can change.
  url_hash text not null,
  what text not null,
  reported_at timestamptz not null default now(),
  primary key (chain_id, url_hash)
);
