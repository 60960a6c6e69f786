import { type Kysely, type Selectable, sql } from "kysely";

import type { Tables } from "../../database/schema.js";
import type { GasTankTable } from "../../database/tables/relayer.js";

/** Identifies the tank of a project on a chain. */
export interface GasTankPlace {
  readonly projectId: number;
  readonly chainId: number;
}

/** Returns a project's tank on a chain, and creates it if necessary. */
export async function requireGasTank(
  database: Kysely<Tables>,
  { projectId, chainId }: GasTankPlace,
): Promise<Selectable<GasTankTable>> {
  await database
    .insertInto("gas_tanks")
    .values({
      project_id: projectId,
      chain_id: chainId,
      balance: "0",
      updated_at: sql<Date>`now()`,
    })
    .onConflict((conflict) =>
      conflict.columns(["project_id", "chain_id"]).doNothing(),
    )
    .execute();
  return database
    .selectFrom("gas_tanks")
    .selectAll()
    .where("project_id", "=", projectId)
    .where("chain_id", "=", chainId)
    .executeTakeFirstOrThrow();
}

/**
 * Adds an amount to a tank.
 *
 * Input: an amount in the smallest unit of the currency, and the operator who
 * adds the amount, or null for the platform itself.
 */
export async function fillGasTank(
  database: Kysely<Tables>,
  place: GasTankPlace,
  amount: bigint,
  operator: string | null = null,
): Promise<Selectable<GasTankTable>> {
  const { id } = await requireGasTank(database, place);
  const digits = amount.toString();
  // Use a single statement, so that every change to the balance has an entry.
  return database
    .with("entry", (query) =>
      query
        .insertInto("gas_tank_fills")
        .values({ gas_tank_id: id, amount: digits, operator })
        .returning("id"),
    )
    .updateTable("gas_tanks")
    .set({
      balance: sql<string>`balance + ${digits}::numeric`,
      updated_at: sql<Date>`now()`,
    })
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirstOrThrow();
}
