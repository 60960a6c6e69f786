import { sql } from "kysely";
import { expect, test } from "vitest";

import { createProject } from "../../keys/key-store.js";
import { openTestDatabase } from "../support/test-database.js";
import { openConsole } from "./open-console.js";

const database = await openTestDatabase();
const { client, platform } = openConsole(database);
/** Another instance on the same database. */
const second = openConsole(database);

async function openTank() {
  const { id: projectId } = await createProject(platform.store, "Tank");
  const place = { projectId, chainId: 31337 };
  const readEntries = async () => {
    const { entries } = await client.gasTanks.listGasTankEntries(place);
    return entries.map(({ amount }) => amount);
  };
  const readActions = async () => {
    const { actions } = await client.activity.listActions({ projectId });
    return actions.map(({ method, outcome }) => [method, outcome]);
  };
  return { place, readActions, readEntries };
}

test("fills a tank once for each key, and records this once", async () => {
  const { place, readActions, readEntries } = await openTank();
  const request = { ...place, amount: "5" };
  const own = { idempotencyKey: `fill ${place.projectId}` };
  const first = await client.gasTanks.fillGasTank(request, own);
  await client.gasTanks.fillGasTank({ ...place, amount: "7" });
  const again = await second.client.gasTanks.fillGasTank(request, own);
  expect(again).toEqual(first);
  expect(await readEntries()).toEqual(["7", "5"]);
  const done = ["GasTanks/FillGasTank", "done"];
  expect(await readActions()).toEqual([done, done]);
});

test("keeps the refusal of a correction, and records it", async () => {
  const { place, readActions, readEntries } = await openTank();
  const request = { ...place, amount: "5", reason: "Filled twice" };
  const own = { idempotencyKey: `correct ${place.projectId}` };
  const { gasTanks } = client;
  const refused = await gasTanks.correctGasTank.result(request, own);
  expect(refused).toMatchObject({ error: { name: "InvalidArgument" } });
  await gasTanks.fillGasTank({ ...place, amount: "9" });
  // A new call succeeds, and a repeated one is still refused.
  const again = await gasTanks.correctGasTank.result(request, own);
  expect(again).toMatchObject({ error: { name: "InvalidArgument" } });
  await gasTanks.correctGasTank(request);
  expect(await readEntries()).toEqual(["-5", "9"]);
  expect(await readActions()).toEqual([
    ["GasTanks/CorrectGasTank", "done"],
    ["GasTanks/FillGasTank", "done"],
    ["GasTanks/CorrectGasTank", "failed"],
  ]);
});

test("does not keep Unavailable", async () => {
  const { place, readEntries } = await openTank();
  const own = { idempotencyKey: `locked ${place.projectId}` };
  const request = { ...place, amount: "5" };
  await sql`
    create function wait_too_long() returns trigger as $$
    begin raise exception 'locked' using errcode = '55P03'; end
    $$ language plpgsql;
    create trigger wait_too_long before insert on gas_tank_fills
      for each row execute function wait_too_long()`.execute(database);
  const call = await client.gasTanks.fillGasTank.result(request, own);
  expect(call).toMatchObject({ error: { name: "Unavailable" } });
  await sql`drop function wait_too_long cascade`.execute(database);
  const { gasTank } = await client.gasTanks.fillGasTank(request, own);
  expect(gasTank.balance).toBe("5");
  expect(await readEntries()).toEqual(["5"]);
});
