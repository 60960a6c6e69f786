import { sql } from "kysely";
import { beforeEach, expect, test } from "vitest";

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
/** Another instance on the same database. */
const second = servePlatform(database);
const address = "0xabcdef0123456789abcdef0123456789abcdef01";

let project: TestProject;
beforeEach(async () => {
  project = await createTestProject(platform.store);
});

/** Adds a sponsor with a key, or without one if it is null. */
function add(
  key: string | null,
  name: string,
  { host = "", on = platform, secret = project.secret } = {},
): Promise<Answer> {
  const headers = {
    ...headersOf({ ...project, secret }),
    ...(key !== null && { "idempotency-key": `"${key}"` }),
  };
  const message = { projectId: project.id, address, name };
  return on.call(`${host}/rpc/Relayer/AddGasSponsor`, headers, message);
}

function nameOf({ body }: Answer): unknown {
  return Object(body["gasSponsor"]).name;
}

async function storedName(): Promise<unknown> {
  const { rows } = await sql<{ readonly name: string }>`
    select name from gas_sponsors
    where project_id = ${project.id} and chain_id = 31337`.execute(database);
  return rows[0]?.name;
}

test("answers a repeated call on another instance without undoing later changes", async () => {
  const first = await add("k", "one");
  expect(first.status).toBe(200);
  await add(null, "two");
  const repeated = await add("k", "one", { on: second });
  expect(repeated.body).toEqual(first.body);
  expect(await storedName()).toBe("two");
  // Without a key, the same call is made again.
  expect(nameOf(await add(null, "one"))).toBe("one");
  expect(await storedName()).toBe("one");
});

test("refuses the key of another request", async () => {
  await add("k", "one");
  const { body, status } = await add("k", "two");
  expect([status, body["error"]]).toEqual([422, "WebrpcBadRequest"]);
  expect(await storedName()).toBe("one");
});

test("keeps networks apart", async () => {
  const here = await add("k", "one");
  const there = await add("k", "one", { host: "/polygon" });
  expect(Object(there.body["gasSponsor"]).chainId).toBe(137);
  expect(await add("k", "one", { host: "/hardhat" })).toMatchObject({
    body: here.body,
  });
});

test("does not repeat an answer to the secret of another project", async () => {
  await add("k", "one");
  const { secret } = await createTestProject(platform.store);
  const { body, status } = await add("k", "one", { secret });
  expect([status, body["error"]]).toEqual([403, "PermissionDenied"]);
});

test("stores answers with their project", async () => {
  await add("k", "one");
  const { rows } = await sql`
    select from idempotent_answers
    where project_id = ${project.id}`.execute(database);
  expect(rows).toHaveLength(1);
});
