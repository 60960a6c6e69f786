import { sql } from "kysely";

import type { Database, Row } from "../database/schema.js";

/** What a sponsor spends, and how long that can go on. */
export interface Spending {
  /** What it has paid in the last 24 hours and can still pay for pending relays. */
  readonly spent: string;
  /** What it can still spend. */
  readonly left: string;
  /** When its tank will be empty at the pace of the last 24 hours. */
  readonly emptyAt?: string;
}

/** A sponsor and its limit for 24 hours. */
export type LimitedSponsor = Pick<
  Row<"gas_sponsors">,
  "daily_limit" | "gas_tank_id" | "id"
>;

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

/**
 * Selects the amounts of some tanks that count toward the limits of sponsors: what
 * was paid in the last 24 hours, and what pending relays can still cost. Triggers
 * sum up what was paid in each five minutes, so at most the relays of the first
 * five are read.
 */
function countedAmounts(tankIds: readonly number[]) {
  const day = sql`now() - interval '1 day'`;
  return sql`
    select gas_tank_id, gas_sponsor_id, cost + max_cost as amount,
      max_cost as reserved
    from relays
    where gas_tank_id = any(${tankIds}::bigint[]) and state = 'pending'
    union all
    select tank.id, gas_sponsor_id, amount, 0
    from gas_tanks as tank
    join gas_sponsors as sponsor using (project_id, chain_id)
    join sponsor_spending on gas_sponsor_id = sponsor.id
    where tank.id = any(${tankIds}::bigint[])
      and slot > slot_of_spending(${day})
    union all
    select gas_tank_id, gas_sponsor_id, cost, 0 from relays
    where gas_tank_id = any(${tankIds}::bigint[]) and state <> 'pending'
      and cost > 0 and coalesce(settled_at, created_at) > ${day}
      and coalesce(settled_at, created_at)
        < to_timestamp((slot_of_spending(${day}) + 1) * 300)`;
}

/**
 * Returns what a sponsor has paid in the last 24 hours and can still pay for its
 * pending relays. Unless the tank is locked, this can change at any time.
 */
export async function readSpent(
  database: Database,
  {
    gasTankId,
    sponsorId,
  }: { readonly gasTankId: number; readonly sponsorId: number },
): Promise<bigint> {
  const { rows } = await sql<{ readonly spent: string }>`
    select coalesce(sum(amount), 0)::text as spent
    from (${countedAmounts([gasTankId])}) as counted
    where gas_sponsor_id = ${sponsorId}`.execute(database);
  return BigInt(rows[0]?.spent ?? 0);
}

/** Reads what sponsors have spent in the last 24 hours. */
export async function readSpending(
  database: Database,
  sponsors: readonly LimitedSponsor[],
): Promise<(sponsor: LimitedSponsor) => Spending> {
  const tankIds = sponsors.map((sponsor) => sponsor.gas_tank_id);
  const { rows } = await sql<TankSpending>`
    with sums as (
      select gas_tank_id, gas_sponsor_id, sum(amount) as spent,
        sum(reserved) as reserved
      from (${countedAmounts(tankIds)}) as counted group by grouping sets
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
