import { sql } from "kysely";
import { beforeEach, expect, test } from "vitest";

import type { GasSponsor } from "../../../generated/index.js";
import { lockRow } from "../../database/locks.js";
import { deleteGasSponsor } from "../../services/relayer/gas-sponsors.js";
import { changeGasTank } from "../support/change-gas-tank.js";
import {
  type Answer,
  createTestProject,
  headersOf,
  servePlatform,
  type TestProject,
} from "../support/serve-platform.js";
import { openTestDatabase } from "../support/test-database.js";

const database = await openTestDatabase();
const platform = servePlatform(database);
const address = "0xAbCdef0123456789abcdef0123456789abcdef01";

let project: TestProject;
beforeEach(async () => {
  project = await createTestProject(platform.store);
});

function add(message: object, host = ""): Promise<Answer> {
  const path = `${host}/rpc/Relayer/AddGasSponsor`;
  const whole = { projectId: project.id, address, ...message };
  return platform.call(path, headersOf(project), whole);
}

async function sponsorOf(answer: Promise<Answer>): Promise<GasSponsor> {
  const { status, body } = await answer;
  expect([status, body["status"]]).toEqual([200, true]);
  return Object(body["gasSponsor"]);
}

test("stores a sponsor on the default network, active by default", async () => {
  const sponsor = await sponsorOf(add({}));
  expect(sponsor).toMatchObject({
    projectId: project.id,
    chainId: 31337,
    address: address.toLowerCase(),
    name: "",
    active: true,
  });
  expect(sponsor).not.toHaveProperty("deletedAt");
});

test("updates an existing sponsor, whatever the letter case of its address", async () => {
  const first = await sponsorOf(add({ name: "one" }));
  const again = { address: address.toLowerCase(), name: "two", active: false };
  const second = await sponsorOf(add(again));
  expect(second).toMatchObject({
    id: first.id,
    createdAt: first.createdAt,
    name: "two",
    active: false,
  });
  expect(second.updatedAt >= first.updatedAt).toBe(true);
});

test("each network has its own sponsors and tank", async () => {
  const here = await sponsorOf(add({}));
  const named = await sponsorOf(add({}, "/hardhat"));
  const polygon = await sponsorOf(add({}, "/polygon"));
  const byId = await sponsorOf(add({}, "/137"));
  expect(named.id).toBe(here.id);
  expect(polygon.chainId).toBe(137);
  expect(byId.id).toBe(polygon.id);
  expect(polygon.id).not.toBe(here.id);
  expect(polygon.gasTankId).not.toBe(here.gasTankId);
  const { status, body } = await add({}, "/nowhere");
  expect([status, body["error"]]).toEqual([404, "WebrpcBadRoute"]);
});

test("all sponsors of a project draw from one tank, even if they are added concurrently", async () => {
  const addresses = Array.from(
    { length: 12 },
    (_, index) => `0x${index.toString(16).padStart(40, "0")}`,
  );
  const sponsors = await Promise.all(
    addresses.map((each) => sponsorOf(add({ address: each }))),
  );
  expect(new Set(sponsors.map(({ id }) => id)).size).toBe(12);
  const tanks = new Set(sponsors.map(({ gasTankId }) => gasTankId));
  expect(tanks.size).toBe(1);
  const place = { projectId: project.id, chainId: 31337 };
  await changeGasTank(database, place, { amount: 10n ** 18n });
  await changeGasTank(database, place, { amount: 5n });
  const rows = await database
    .selectFrom("gas_tanks")
    .select(["id", "balance"])
    .where("project_id", "=", project.id)
    .execute();
  expect(rows).toEqual([{ id: [...tanks][0], balance: "1000000000000000005" }]);
});

test("limits the sponsors of a project on a network", async () => {
  const few = servePlatform(database, { sponsorsPerProject: 2 });
  const save = async (digit: number, network = "") => {
    const path = `${network}/rpc/Relayer/AddGasSponsor`;
    const sponsor = {
      projectId: project.id,
      address: `0x${"0".repeat(39)}${digit}`,
    };
    const { status, body } = await few.call(path, headersOf(project), sponsor);
    return status === 200 ? 200 : [status, body["error"], body["cause"]];
  };
  // The limit also applies to concurrent calls.
  const saved = await Promise.all([1, 2, 3, 4].map((digit) => save(digit)));
  expect(saved.filter((each) => each === 200)).toHaveLength(2);
  const cause =
    "the project has reached the maximum number of gas sponsors on chain 31337 (2)";
  const refusal = [403, "PermissionDenied", cause];
  expect(await save(5)).toEqual(refusal);
  // Existing sponsors can be changed, and each network has its own limit.
  const rows = await database
    .selectFrom("gas_sponsors")
    .select(["id", "address"])
    .where("project_id", "=", project.id)
    .execute();
  const [one, two] = rows.map(({ address }) => Number(address.at(-1)));
  expect(await save(one ?? 0)).toBe(200);
  expect(await save(5, "/polygon")).toBe(200);
  await deleteGasSponsor(database, project.id, rows[0]?.id ?? 0);
  expect(await save(5)).toBe(200);
  expect(await save(one ?? 0)).toEqual(refusal);
  expect(await save(two ?? 0)).toBe(200);
});

test("limits sponsors even if one is deleted while it is updated", async () => {
  const one = servePlatform(database, { sponsorsPerProject: 1 });
  const { id } = await sponsorOf(add({}));
  const call = one.call.bind(one, "/rpc/Relayer/AddGasSponsor");
  const sponsor = { projectId: project.id, address };
  let update: Promise<Answer> | undefined;
  await database.transaction().execute(async (transaction) => {
    // Another request replaces the sponsor.
    await lockRow(transaction, "project", project.id);
    await deleteGasSponsor(transaction, project.id, id);
    await sql`
      insert into gas_sponsors
        (gas_tank_id, project_id, chain_id, address, name, active)
      select gas_tank_id, project_id, chain_id, 'another', '', true
      from gas_sponsors where id = ${id}`.execute(transaction);
    update = call(headersOf(project), sponsor);
    const countWaiting = () =>
      sql`
        select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`
        .execute(database)
        .then(({ rows }) => rows.length);
    await expect.poll(countWaiting).toBe(1);
  });
  expect((await update)?.body["error"]).toBe("PermissionDenied");
});

test("limits a name to 200 characters", async () => {
  expect((await add({ name: "x".repeat(200) })).status).toBe(200);
  const { status, body } = await add({ name: "x".repeat(201) });
  expect([status, body["error"]]).toEqual([400, "InvalidArgument"]);
});
