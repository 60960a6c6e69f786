import type { Database } from "../../database/schema.js";
import {
  changeTankWithin,
  type GasTankPlace,
  type TankChange,
} from "../../services/relayer/gas-tanks.js";

/** Changes a tank's balance in a transaction of its own. */
export async function changeGasTank(
  database: Database,
  place: GasTankPlace,
  change: TankChange,
): Promise<void> {
  await database
    .transaction()
    .execute((transaction) => changeTankWithin(transaction, place, change));
}
