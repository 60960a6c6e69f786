import { lockRow } from "../database/locks.js";
import type { Database, Row, Transaction } from "../database/schema.js";
import { readFreeNow } from "../services/relayer/gas-tanks.js";
import type { Evidence } from "./evidence/evidence.js";
import type { Market } from "./evidence/price.js";
import { readSpent } from "./sponsor-spending.js";

/** The reasons why a pending relay may not reserve its current maximum cost. */
export const shortages = {
  price:
    "the gas price is more than four times the price at which the call was accepted",
  tank: "the tank's balance is too low at this gas price",
  sponsor: "the sponsor has reached its limit for 24 hours",
} as const;

/** Returns the shortage that is the reason why a relay waits, or null. */
export function shortageOf(reason: string): keyof typeof shortages | null {
  const names = ["price", "tank", "sponsor"] as const;
  return names.find((name) => shortages[name] === reason) ?? null;
}

/**
 * Explains why a pending relay may not reserve an amount. At a price above a
 * quarter of the network's limit, a relay may reserve at most four times what
 * it reserved when it was accepted.
 *
 * Returns null if it may. Unless the tank is locked, this can change at any time.
 */
export async function explainShortage(
  database: Database,
  row: Row<"relays">,
  { value: maxCost }: Evidence<bigint>,
  { value: { limit } }: Evidence<Market>,
): Promise<string | null> {
  const { gas_tank_id: gasTankId, gas_sponsor_id: sponsorId } = row;
  const before = BigInt(row.max_cost);
  const always = BigInt(row.gas) * (limit / 4n) + BigInt(row.max_data_fee);
  const most = 4n * BigInt(row.first_max_cost ?? row.max_cost);
  if (maxCost > always && maxCost > most) return shortages.price;
  const free = await readFreeNow(database, gasTankId);
  if (free + before < maxCost) return shortages.tank;
  const { dailyLimit } = await database
    .selectFrom("gas_sponsors")
    .select("daily_limit as dailyLimit")
    .where("id", "=", sponsorId)
    .executeTakeFirstOrThrow();
  if (dailyLimit === null) return null;
  const spent = await readSpent(database, { gasTankId, sponsorId });
  return spent - before + maxCost > BigInt(dailyLimit)
    ? shortages.sponsor
    : null;
}

/**
 * Replaces the reserved amount of a pending relay with its current maximum
 * cost. Locks the tank until the end of the transaction.
 *
 * Returns null, or why it may not be reserved. Then, nothing changes.
 */
export async function reserveGas(
  transaction: Transaction,
  row: Row<"relays">,
  maxCost: Evidence<bigint>,
  market: Evidence<Market>,
): Promise<string | null> {
  await lockRow(transaction, "tank", row.gas_tank_id);
  const shortage = await explainShortage(transaction, row, maxCost, market);
  if (shortage !== null) return shortage;
  await transaction
    .updateTable("relays")
    .set({ max_cost: String(maxCost.value) })
    .where("id", "=", row.id)
    .execute();
  return null;
}
