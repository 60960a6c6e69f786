-- What a signed transaction can cost, how much of it the tank has reserved, and
-- the last block when it was signed. Null if an older version signed it.
alter table relay_transactions
  add column max_cost numeric(78),
  add column max_charge numeric(78),
  add column signed_at_block bigint;
-- Transactions that the platform itself pays for.
create index on relay_transactions (chain_id, account, created_at)
  where relay_id is null or max_cost > max_charge;
