-- Adds creation times to order changes, and indexes for finding changes and
-- orders.
alter table marketplace_changes
  add column created_at timestamptz not null default now();
create index on marketplace_changes
  (chain_id, contract, maker, block_number, log_index)
  where kind = 'all-cancelled';
drop index marketplace_changes_chain_id_contract_maker_idx;
create index on marketplace_orders (collection_id, side, collectible_id, id);
drop index marketplace_orders_collection_id_side_collectible_id_idx;
