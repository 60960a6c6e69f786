-- When a used nonce was first found without a receipt, what a relay reserved
-- at first, and the cost of each transaction.
alter table relays
  add column unexplained_at timestamptz,
  add column first_max_cost numeric(78);
alter table relay_transactions add column cost numeric(78);
-- Transactions that only fill a gap between nonces belong to no relay.
alter table relay_transactions alter column relay_id drop not null;
-- Some networks charge nothing.
alter table relays drop constraint relays_max_cost_check;
alter table relays add check (max_cost >= 0);
