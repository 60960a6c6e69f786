import { type Migration, sql } from "kysely";

/**
 * What rollups charge besides gas. It is known with the receipt only, and may
 * be more than was kept back for it: then a tank owes.
 */
export const dataFees: Migration = {
  up: async (database) => {
    await sql`
      alter table relays
      add column data_fee numeric(78) check (data_fee >= 0)`.execute(database);
    await sql`
      alter table gas_tanks
      drop constraint gas_tanks_balance_check`.execute(database);
  },
};
