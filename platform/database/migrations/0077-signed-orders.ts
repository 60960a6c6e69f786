import { type Migration, sql } from "kysely";

/**
 * Signatures of orders that operators submitted and that the chain has no log
 * of.
 */
export const signedOrders: Migration = {
  up: async (database) => {
    await sql`
      alter table marketplace_orders add column signature text
    `.execute(database);
  },
};
