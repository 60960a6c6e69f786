import { type Migration, sql } from "kysely";

/**
 * The fees that rollups charge in addition to gas. They are only known from the
 * receipt and can exceed the reserved amount, so a tank can go into debt.
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
