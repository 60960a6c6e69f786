import { type Migration, sql } from "kysely";

/** Signatures of orders that an operator has submitted; the chain has no log of them. */
export const signedOrders: Migration = {
  up: async (database) => {
    await sql`
      alter table marketplace_orders add column signature text
    `.execute(database);
  },
};
