import { type Migration, sql } from "kysely";

/**
 * Signatures of orders that operators submitted. There is no log of these
 * orders on the chain.
 */
export const signedOrders: Migration = {
  up: async (database) => {
    await sql`
      alter table marketplace_orders add column signature text
    `.execute(database);
  },
};
