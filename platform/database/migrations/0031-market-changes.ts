import { type Migration, sql } from "kysely";

/**
 * Adds creation times to order changes, and indexes for finding changes and
 * orders.
 */
export const marketChanges: Migration = {
  up: async (database) => {
    await sql`
      alter table marketplace_changes
      add column created_at timestamptz not null default now()
    `.execute(database);
    await sql`
      create index on marketplace_changes
        (chain_id, contract, maker, block_number, log_index)
      where kind = 'all-cancelled'`.execute(database);
    await sql`
      drop index marketplace_changes_chain_id_contract_maker_idx
    `.execute(database);
    await sql`
      create index on marketplace_orders (collection_id, side, collectible_id, id)
    `.execute(database);
    await sql`
      drop index marketplace_orders_collection_id_side_collectible_id_idx
    `.execute(database);
  },
};
