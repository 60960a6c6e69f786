import { type Migration, sql } from "kysely";

/**
 * Signatures of orders that operators submitted. The chain has no log of these
 * orders.
 */
export const signedOrders: Migration = {
  up: async (database) => {
    await sql`
      alter table marketplace_orders add column signature text
    `.execute(database);
  },
};
