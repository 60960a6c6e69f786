-- How far the first sync of a chain is, and blocks whose logs a node did not
-- have yet. Both tables keep working without these columns.
alter table followed_chains
  add column first_number bigint,
  add column head_number bigint;
alter table followed_blocks add column seen_logs integer[];

-- Finds the few blocks whose logs are not complete.
create index on followed_blocks (follower, chain_id)
  where is_canonical and seen_logs is not null;
