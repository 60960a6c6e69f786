import { sql } from "kysely";
import { expect, test } from "vitest";

import { readSpent } from "../../relaying/sponsor-spending.js";
import { openTestDatabase } from "../support/test-database.js";

const database = await openTestDatabase();
const sponsors = [1, 2, 3];
const place = sql`
  insert into projects (name) values ('');
  insert into gas_tanks (project_id, chain_id, balance)
    select id, 31337, 0 from projects;
  insert into gas_sponsors (gas_tank_id, project_id, chain_id, address, name, active, updated_at)
    select tank.id, project_id, chain_id, n::text, '', true, now()
    from gas_tanks as tank, generate_series(1, 3) as n`;

/** Adds relays whose costs and ages are random, also around a day. */
const add = (count: number) => sql`
  insert into relays
    (project_id, gas_sponsor_id, gas_tank_id, chain_id, wallet, wallet_nonce,
    call_hash, data, gas, deadline, max_data_fee, max_cost, state, is_final,
    cost, settled_at)
  select 1, 1 + n % 3, 1, 31337, '', nextval('relays_id_seq'), '', '0x', 1, 1, 0,
    case when n % 7 = 0 then n else 0 end,
    case when n % 7 = 0 then 'pending' when n % 5 = 0 then 'reverted' else 'done' end,
    n % 7 <> 0, n % 11,
    case when n % 7 <> 0 then now() - random() * interval '26 hours' end
  from generate_series(1, ${count}::int) as n`;

/** Expects the amounts to be the sums over all relays of a day. */
async function expectSums(): Promise<readonly bigint[]> {
  return database.transaction().execute(async (transaction) => {
    const amounts: bigint[] = [];
    for (const sponsorId of sponsors) {
      const { rows } = await sql<{ readonly sum: string }>`
        select coalesce(sum(cost + max_cost), 0)::text as sum
        from relays
        where gas_sponsor_id = ${sponsorId} and (state = 'pending'
          or settled_at > now() - interval '1 day')`.execute(transaction);
      const spent = await readSpent(transaction, { gasTankId: 1, sponsorId });
      expect(spent).toBe(BigInt(rows[0]?.sum ?? -1));
      amounts.push(spent);
    }
    return amounts;
  });
}

test("what a sponsor has spent is the sum over the last 24 hours, after each change", async () => {
  for (const statement of place.compile(database).sql.split(";")) {
    await sql.raw(statement).execute(database);
  }
  expect(await expectSums()).toEqual([0n, 0n, 0n]);
  await add(200).execute(database);
  const first = await expectSums();
  expect(first.every((amount) => amount > 0n)).toBe(true);
  // A reorganization undoes some, others cost more or were settled later.
  await sql`
    update relays set state = 'pending', is_final = false, settled_at = null, cost = 0
    where state = 'done' and id % 4 = 0`.execute(database);
  await sql`
    update relays set cost = cost + 3, settled_at = now()
    where state = 'reverted' and id % 3 = 0`.execute(database);
  await sql`
    update relays set settled_at = settled_at - interval '20 hours'
    where state = 'done' and id % 5 = 0`.execute(database);
  await sql`delete from relays where id % 6 = 0`.execute(database);
  expect(await expectSums()).not.toEqual(first);
});
