-- Transactions that the platform itself pays for. Unlike the columns, the index
-- takes time, during which transactions can be read.
create index on relay_transactions (chain_id, account, created_at)
  where relay_id is null or max_cost > max_charge;
