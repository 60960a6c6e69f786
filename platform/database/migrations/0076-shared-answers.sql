-- Results of contract calls that all instances share, and the time when a
-- follower was last up to date. The table of results is unlogged: after a
-- database crash, they are requested again.
create unlogged table chain_answers (
  chain_id bigint not null,
  contract text not null,
  question text not null,
  answer text,
  block_hash text not null,
  wanted_at timestamptz not null default now(),
  primary key (chain_id, contract, question)
) with (fillfactor = 50);
create index on chain_answers (chain_id, wanted_at);
alter table followed_chains add column current_at timestamptz;
