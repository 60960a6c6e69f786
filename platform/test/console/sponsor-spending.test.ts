import { sql } from "kysely";
import { expect, test } from "vitest";

import { createProject } from "../../keys/key-store.js";
import { openTestDatabase } from "../support/test-database.js";
import { openConsole } from "./open-console.js";

const database = await openTestDatabase();
const { client, platform } = openConsole(database);

test("shows what each sponsor spends, what is left, and when its tank is empty", async () => {
  const { gasTanks } = client;
  const { id: projectId } = await createProject(platform.store, "Spender");
  const place = { projectId, chainId: 31337 };
  await gasTanks.fillGasTank({ ...place, amount: "1000" });
  const save = async (digit: string, dailyLimit?: string) => {
    const address = `0x${digit.repeat(40)}`;
    const sponsor = { ...place, address, ...(dailyLimit && { dailyLimit }) };
    return (await gasTanks.saveGasSponsor(sponsor)).gasSponsor;
  };
  const limited = await save("a", "130");
  const free = await save("b");
  expect(limited).toMatchObject({ spent: "0", left: "130" });
  expect(free).toMatchObject({ spent: "0", left: "1000" });
  expect(free).not.toHaveProperty("emptyAt");

  const relay = (
    { gasTankId, id }: typeof free,
    state: string,
    cost: number,
    maxCost: number,
    hours: number,
  ) =>
    sql`
    insert into relays
      (project_id, gas_sponsor_id, gas_tank_id, chain_id, wallet, wallet_nonce,
      call_hash, data, gas, deadline, max_data_fee, max_cost, state, is_final,
      cost, settled_at)
    select ${projectId}, ${id}, ${gasTankId}, 31337, '', count(*), '', '0x', 1, 1,
      0, ${maxCost}, ${state}, ${state !== "pending"}, ${cost},
      case when ${state !== "pending"} then now() - ${hours} * interval '1 hour' end
    from relays`.execute(database);
  await relay(limited, "done", 40, 0, 1);
  await relay(limited, "done", 500, 0, 25);
  await relay(limited, "pending", 0, 60, 1);
  await relay(free, "reverted", 100, 0, 2);
  const { gasSponsors } = await gasTanks.listGasSponsors({ projectId });
  expect(gasSponsors).toMatchObject([
    { id: free.id, spent: "100", left: "940" },
    { id: limited.id, spent: "100", left: "30" },
  ]);
  // 940 last for 4.7 days at 200 a day.
  const inDays = (at = "") => (Date.parse(at) - Date.now()) / 86_400_000;
  for (const { emptyAt } of gasSponsors) {
    expect(inDays(emptyAt)).toBeCloseTo(4.7, 2);
  }
});
