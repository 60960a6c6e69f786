-- What nodes last reported that cannot be true. Operators see it.
create table node_faults (
  chain_id bigint not null,
  -- The position of the node's URL in the settings, from 0.
  node integer not null,
  what text not null,
  reported_at timestamptz not null default now(),
  primary key (chain_id, node)
);
