import { sql } from "kysely";

import type { Database, Row } from "../../database/schema.js";
import type { GasTankPlace } from "../../services/relayer/gas-tanks.js";

/** A tank and the maximum cost of its pending relays. */
export interface ReservedTank extends Row<"gas_tanks"> {
  /** Decimal digits. */
  readonly reserved: string;
}

/** Lists a project's tanks with IDs below a number, largest ID first. */
export async function listTanks(
  database: Database,
  projectId: number,
  before: number,
  limit: number,
): Promise<readonly ReservedTank[]> {
  const { rows } = await sql<ReservedTank>`
    select *, (
      select coalesce(sum(max_cost), 0)::text from relays
      where gas_tank_id = tank.id and state = 'pending'
    ) as reserved
    from gas_tanks as tank
    where project_id = ${projectId} and id < ${before}
    order by id desc limit ${limit}`.execute(database);
  return rows;
}

/** A change to a tank's balance. */
export interface TankEntry {
  /** `fill-` or `relay-`, followed by a number. */
  readonly id: string;
  readonly amount: string;
  readonly at: Date;
  readonly operator: string | null;
  readonly reason: string | null;
  readonly relayId: number | null;
  readonly transactionHash: string | null;
}

/**
 * Lists the changes to a tank's balance, newest first. If the ID of an entry is
 * given, the list continues after this entry.
 */
export async function listTankEntries(
  database: Database,
  { chainId, projectId }: GasTankPlace,
  after: string | null,
  limit: number,
): Promise<readonly TankEntry[]> {
  const [, kind = null, number = null] =
    /^(fill|relay)-([0-9]{1,18})$/u.exec(after ?? "") ?? [];
  const isNext =
    after === null
      ? sql`true`
      : sql`at <= (select at from last)
          and (at, id) < ((select at from last), ${after}::text)`;
  // Each part reads its index in order and stops at the limit.
  const part = sql`
    where ${isNext} order by at desc, id desc limit ${limit}`;
  const { rows } = await sql<TankEntry>`
    with tank as (
      select id from gas_tanks
      where project_id = ${projectId} and chain_id = ${chainId}
    ), last as (
      select created_at as at from gas_tank_fills
      where ${kind}::text = 'fill' and id = ${number}::bigint
      union all
      select coalesce(settled_at, created_at) from relays
      where ${kind}::text = 'relay' and id = ${number}::bigint
    ), fills as (
      select 'fill-' || id as id, amount::text, created_at as at, operator, reason,
        null::bigint as "relayId", null as "transactionHash"
      from gas_tank_fills where gas_tank_id = (select id from tank)
    ), relayed as (
      select 'relay-' || id as id, (-cost)::text as amount,
        coalesce(settled_at, created_at) as at, null as operator, null as reason,
        id as "relayId", transaction_hash as "transactionHash"
      from relays
      where gas_tank_id = (select id from tank) and cost > 0
    )
    select * from (
      (select * from fills ${part}) union all (select * from relayed ${part})
    ) as entries
    order by at desc, id desc limit ${limit}`.execute(database);
  return rows;
}
