-- What a signed transaction can cost, how much of it the tank has reserved, and
-- the last block when it was signed. Null if an older version signed it.
alter table relay_transactions
  add column max_cost numeric(78),
  add column max_charge numeric(78),
  add column signed_at_block bigint;
