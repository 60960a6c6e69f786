import { sql } from "kysely";

import type { Database, Row } from "../../database/schema.js";
import { countedRelays } from "../../relaying/relays.js";
import type { GasSponsor } from "../generated/types.js";

/** What a sponsor spends, and how long that can go on. */
export type Spending = Pick<GasSponsor, "emptyAt" | "left" | "spent">;

/** The relays of some tanks that count toward limits for 24 hours. */
interface TankSpending {
  readonly tankId: number;
  /** The sponsor, or null for all sponsors of the tank. */
  readonly sponsorId: number | null;
  readonly spent: string;
  /** The balance of the tank that is not reserved. */
  readonly free: string;
}

const dayMs = 24 * 60 * 60 * 1000;

/** Reads what sponsors have spent in the last 24 hours. */
export async function readSpending(
  database: Database,
  sponsors: readonly Row<"gas_sponsors">[],
): Promise<(sponsor: Row<"gas_sponsors">) => Spending> {
  const tankIds = sponsors.map((sponsor) => sponsor.gas_tank_id);
  const { rows } = await sql<TankSpending>`
    with amounts as (
      ${countedRelays(tankIds)}
    ), sums as (
      select gas_tank_id, gas_sponsor_id, sum(amount) as spent,
        sum(reserved) as reserved
      from amounts group by grouping sets
        ((gas_tank_id), (gas_tank_id, gas_sponsor_id))
    )
    select tank.id as "tankId", gas_sponsor_id as "sponsorId",
      coalesce(spent, 0)::text as spent,
      (balance - coalesce(reserved, 0))::text as free
    from gas_tanks as tank left join sums on gas_tank_id = tank.id
    where tank.id = any(${tankIds}::bigint[])`.execute(database);
  const find = (tankId: number, sponsorId: number | null) =>
    rows.find((row) => row.tankId === tankId && row.sponsorId === sponsorId);
  return ({ daily_limit: limit, gas_tank_id: tankId, id }) => {
    const all = find(tankId, null);
    const free = atLeastZero(BigInt(all?.free ?? 0));
    const spent = BigInt(find(tankId, id)?.spent ?? 0);
    const rest = limit === null ? free : atLeastZero(BigInt(limit) - spent);
    const pace = BigInt(all?.spent ?? 0);
    const emptyMs = pace === 0n ? null : (free * BigInt(dayMs)) / pace;
    return {
      spent: spent.toString(),
      left: (rest < free ? rest : free).toString(),
      // A date that is years away says nothing.
      ...(emptyMs !== null &&
        emptyMs < 365 * dayMs && {
          emptyAt: new Date(Date.now() + Number(emptyMs)).toISOString(),
        }),
    };
  };
}

function atLeastZero(value: bigint): bigint {
  return value < 0n ? 0n : value;
}
