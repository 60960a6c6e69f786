-- The progress of followers, and the blocks that a reorganization could still
-- remove.
create table followed_chains (
  follower text not null,
  chain_id bigint not null,
  next_number bigint not null,
  holder uuid,
  held_until timestamptz not null default now(),
  primary key (follower, chain_id)
);

create table followed_blocks (
  follower text not null,
  chain_id bigint not null,
  hash text not null,
  parent_hash text not null,
  number bigint not null,
  mined_at timestamptz not null,
  is_canonical boolean not null default true,
  round integer not null default 1,
  primary key (follower, chain_id, hash),
  foreign key (follower, chain_id) references followed_chains
);
create index on followed_blocks (follower, chain_id, number);
