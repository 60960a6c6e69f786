import { sql } from "kysely";
import { beforeEach, expect, onTestFinished, test } from "vitest";

import { createBuilderClient } from "../../../generated/api/client.js";
import { storeNodeFault } from "../../network/agreement/node-faults.js";
import { startAt } from "../../follower/progress.js";
import { findSecret } from "../../keys/key-store.js";
import { openTestDatabase } from "../support/test-database.js";
import { openConsole } from "./open-console.js";

const database = await openTestDatabase();
const { client, platform } = openConsole(database);
const baseUrl = "http://platform.test";
const largest = 2n ** 64n - 1n;

let projectId: number;
beforeEach(async () => {
  const { project } = await client.projects.createProject({ name: "A game" });
  projectId = project.id;
});

/** Creates a client of the public service with one of the project's keys. */
async function openBuilder(key: string) {
  return createBuilderClient({
    baseUrl,
    credentials: { accessKey: key },
    fetch: platform.fetch,
  });
}

test("finds projects by name or ID, and lists them in pages", async () => {
  for (const name of ["50%_x", "50%_y", "other"]) {
    await client.projects.createProject({ name });
  }
  const list = async (search: string) => {
    const { projects } = await client.projects.listProjects({ search });
    return projects.map(({ name }) => name);
  };
  expect(await list("50%_")).toEqual(["50%_y", "50%_x"]);
  expect(await list("%_O")).toEqual([]);
  expect(await list(String(projectId))).toContain("A game");
  const names: string[] = [];
  let after: string | undefined;
  do {
    const page = { size: 2, ...(after !== undefined && { after }) };
    const part = await client.projects.listProjects({ page });
    expect(part.projects.length).toBeLessThanOrEqual(2);
    names.push(...part.projects.map(({ name }) => name));
    after = part.next;
  } while (after !== undefined);
  expect(names.slice(0, 3)).toEqual(["other", "50%_y", "50%_x"]);
  expect(new Set(names).size).toBeGreaterThan(3);
  const { project } = await client.projects.renameProject({
    projectId,
    name: "B",
  });
  expect(project.name).toBe("B");
  expect(
    await client.projects.listProjects.result({ page: { after: "x" } }),
  ).toMatchObject({ error: { name: "InvalidArgument" } });
  expect(
    await client.projects.getProject.result({ projectId: 2 ** 52 }),
  ).toMatchObject({ error: { name: "NotFound" } });
});

test("creates working keys, shows their use, and revokes them", async () => {
  const { keys } = client;
  const made = await keys.createAccessKey({ projectId, name: "Web" });
  const builder = await openBuilder(made.key);
  expect(made.accessKey.ending).toBe(made.key.slice(-4));
  expect(await builder.listAudiences({ projectId })).toEqual({ audiences: [] });
  await platform.counters.flush();
  const { accessKeys } = await keys.listAccessKeys({ projectId });
  expect(accessKeys).toEqual([
    { ...made.accessKey, lastUsedAt: expect.any(String) },
  ]);
  expect(JSON.stringify(accessKeys)).not.toContain(made.key);
  const today = new Date().toISOString().slice(0, 10);
  const days = { from: today, to: today };
  const { usage } = await client.activity.getUsage({ projectId, ...days });
  expect(usage).toEqual([
    {
      ...{ day: today, service: "Builder", method: "ListAudiences" },
      ...{ calls: 1, failures: 0 },
    },
  ]);
  const { id } = made.accessKey;
  const { accessKey } = await keys.revokeAccessKey({ projectId, id });
  expect(await builder.listAudiences.result({ projectId })).toMatchObject({
    error: { name: "AccessKeyNotFound" },
  });
  // A second call reports the time of the first revocation.
  expect(await keys.revokeAccessKey({ projectId, id })).toEqual({
    accessKey: { ...accessKey, lastUsedAt: expect.any(String) },
  });
});

test("lists a project's calls without keys and bodies, and finds one by its request", async () => {
  const { activity, keys } = client;
  const { key: accessKey } = await keys.createAccessKey({ projectId });
  const call = (method: string, message: object) => {
    const requestId = method.replace("/", ".");
    const headers = { "x-access-key": accessKey, "x-request-id": requestId };
    return platform.call(`/rpc/${method}`, headers, message);
  };
  await call("Builder/ListAudiences", { projectId });
  await call("API/GetSwapPrices", { sellerSecret: "hidden", chainId: "x" });
  await call("Builder/DeleteAudience", { projectId, audienceId: 77 });
  await platform.counters.flush();
  const { calls } = await activity.listCalls({ projectId });
  expect(calls).toMatchObject([
    {
      ...{ service: "Builder", method: "DeleteAudience", status: 400 },
      ...{ error: "NotFound", cause: "audienceId: no audience 77" },
    },
    {
      ...{ service: "API", method: "GetSwapPrices", status: 400 },
      ...{ error: "InvalidArgument", requestId: "API.GetSwapPrices" },
      invalidFields: expect.arrayContaining(["/chainId"]),
      cause: expect.stringContaining("/chainId: expected "),
    },
    {
      ...{ service: "Builder", method: "ListAudiences", status: 200 },
      ...{ requestId: "Builder.ListAudiences", invalidFields: [] },
    },
  ]);
  expect(JSON.stringify(calls)).not.toMatch(/hidden/u);
  expect(JSON.stringify(calls)).not.toContain(accessKey);
  const find = async (choice: object) =>
    (await activity.listCalls({ projectId, ...choice })).calls.map(
      ({ method }) => method,
    );
  expect(await find({ isFailed: true })).toEqual([
    "DeleteAudience",
    "GetSwapPrices",
  ]);
  expect(await find({ isFailed: false })).toEqual(["ListAudiences"]);
  expect(await find({ requestId: "Builder.ListAudiences" })).toEqual([
    "ListAudiences",
  ]);
  const { calls: found } = await activity.listCalls({
    requestId: "Builder.ListAudiences",
  });
  expect(found).toMatchObject([{ projectId, method: "ListAudiences" }]);
  const first = await activity.listCalls({ projectId, page: { size: 1 } });
  const page = { after: first.next ?? "" };
  expect(await find({ page })).toEqual(["GetSwapPrices", "ListAudiences"]);
  const all = await activity.listCalls({ page: { size: 200 } });
  expect(all.calls).toEqual(expect.arrayContaining([...calls]));
  const ids = all.calls.map(({ id }) => id);
  expect(ids).toEqual(ids.toSorted((one, other) => other - one));
});

test("links a call to its trace if the settings say where traces are", async () => {
  const requestId = "the-traced-one";
  platform.counters.noteCall({
    ...{ projectId, service: "API", method: "GetSwapPrice", requestId },
    ...{ network: "polygon", status: 200, error: "Unavailable", cause: null },
    ...{ traceId: "1f", invalidFields: [], durationMs: 1 },
  });
  await platform.counters.flush();
  const linkFrom = async (traceUrl: string | null) => {
    const { activity } = openConsole(database, { traceUrl }).client;
    const { calls } = await activity.listCalls({ requestId });
    return calls.map((call) => call.traceUrl);
  };
  const place = "https://traces.example.com/{traceId}";
  expect(await linkFrom(place)).toEqual(["https://traces.example.com/1f"]);
  expect(await linkFrom(null)).toEqual([undefined]);
});

test("stores only some of many calls, and failed ones beside successful ones", async () => {
  const note = (count: number, error: string | null): void => {
    for (let index = 0; index < count; index += 1) {
      platform.counters.noteCall({
        ...{ projectId, service: "API", method: "GetSwapPrice", error },
        ...{ requestId: `${index}`, network: "polygon", status: 200 },
        ...{ cause: null, traceId: null, invalidFields: [], durationMs: 1 },
      });
    }
  };
  note(300, null);
  note(2, "Unavailable");
  await platform.counters.flush();
  const count = async (isFailed: boolean): Promise<number> =>
    (
      await client.activity.listCalls({
        projectId,
        isFailed,
        page: { size: 200 },
      })
    ).calls.length;
  expect([await count(false), await count(true)]).toEqual([100, 2]);
});

test("creates secret keys with an expiration, lists them in pages, and revokes them", async () => {
  const { keys } = client;
  const wanted = { projectId, scopes: ["read" as const], days: 30 };
  const made = await Promise.all(
    ["a", "b", "c"].map((name) => keys.createSecretKey({ ...wanted, name })),
  );
  const first = await keys.listSecretKeys({ projectId, page: { size: 2 } });
  const rest = await keys.listSecretKeys({
    projectId,
    page: { size: 2, after: first.next ?? "" },
  });
  const listed = [...first.secretKeys, ...rest.secretKeys];
  expect(listed.map(({ name }) => name).sort()).toEqual(["a", "b", "c"]);
  expect(rest.next).toBeUndefined();
  const days =
    (Date.parse(listed[0]?.expiresAt ?? "") - Date.now()) / 86_400_000;
  expect(days).toBeCloseTo(30, 0);
  await keys.revokeKey({ key: made[0]?.key ?? "" });
  expect(await keys.revokeKey.result({ key: "none" })).toMatchObject({
    error: { name: "NotFound" },
  });
  const after = await keys.listSecretKeys({ projectId });
  expect(after.secretKeys.filter((key) => key.revokedAt)).toHaveLength(1);
});

const toCsv = (lines: readonly unknown[]): Blob =>
  new Blob([lines.join("\r\n")], { type: "text/csv" });

test("imports contacts from a CSV file and exports them again", async () => {
  const { audiences } = client;
  const { audience } = await audiences.createAudience({ projectId, name: "A" });
  const place = { projectId, audienceId: audience.id };
  const ids = Array.from({ length: 999 }, (_, index) => BigInt(index + 1));
  const rows = [...ids, largest].map((id) => `"Smith, ""Jo""",${id}`);
  const csv = toCsv(["\uFEFFname,contactId", ...rows]);
  const imported = await audiences.importContacts({ ...place, csv });
  expect(imported).toMatchObject({
    ...{ added: 1000, known: 0, faultCount: 0, faults: [] },
    audience: { contactCount: 1000 },
  });
  expect(await audiences.importContacts({ ...place, csv })).toMatchObject({
    ...{ added: 0, known: 1000 },
  });
  const { file } = await audiences.exportContacts(place);
  const text = await new Response(file.stream()).text();
  expect(text).toBe(`${["contactId", ...ids, largest].join("\n")}\n`);
  const page = { size: 200, after: "990" };
  expect(await audiences.listContacts({ ...place, page })).toEqual({
    contactIds: [...ids.slice(990), largest],
  });
  for (const [contactId, contactIds] of [
    [largest, [largest]],
    [largest - 1n, []],
  ] as const) {
    expect(await audiences.listContacts({ ...place, contactId })).toEqual({
      contactIds,
    });
  }
  const key = await client.keys.createAccessKey({ projectId });
  const builder = await openBuilder(key.key);
  expect(await builder.listAudiences({ projectId })).toMatchObject({
    audiences: [{ id: audience.id, contactCount: 1000 }],
  });
});

test.each([";", "\t"])(
  "imports a CSV file whose columns are separated by %j",
  async (separator) => {
    const { audiences } = client;
    const { audience } = await audiences.createAudience({
      ...{ projectId, name: "B" },
    });
    const lines = [
      ["name", "contactId"],
      ["1,5", 7],
      ["x", 8],
    ];
    const csv = toCsv(lines.map((line) => line.join(separator)));
    const place = { projectId, audienceId: audience.id };
    const imported = await audiences.importContacts({ ...place, csv });
    expect(imported).toMatchObject({ added: 2, faults: [] });
  },
);

test("replaces keys, and the old ones are valid until the overlap ends", async () => {
  const { keys } = client;
  const { id: own } = (await client.projects.createProject({ name: "Roll" }))
    .project;
  const old = await keys.createAccessKey({ projectId: own, name: "Web" });
  const place = { projectId: own, id: old.accessKey.id };
  const rolled = await keys.rollAccessKey({ ...place, overlapHours: 1 });
  expect(rolled.accessKey.name).toBe("Web");
  const works = async (key: string): Promise<boolean> => {
    const builder = await openBuilder(key);
    return (await builder.listAudiences.result({ projectId: own })).ok;
  };
  expect([await works(old.key), await works(rolled.key)]).toEqual([true, true]);
  await keys.rollAccessKey({ ...place, overlapHours: 0 });
  expect([await works(old.key), await works(rolled.key)]).toEqual([
    false,
    true,
  ]);

  const secret = await keys.createSecretKey({
    ...{ projectId: own, name: "Server", scopes: ["write"], days: 30 },
  });
  const { id } = secret.secretKey;
  const next = await keys.rollSecretKey({
    ...{ projectId: own, id, overlapHours: 1 },
  });
  expect(next.secretKey).toMatchObject({ name: "Server", scopes: ["write"] });
  const lifetime =
    Date.parse(next.secretKey.expiresAt) - Date.parse(next.secretKey.createdAt);
  expect(Math.round(lifetime / 86_400_000)).toBe(30);
  const { store } = platform;
  expect(await findSecret(store, secret.key)).not.toBeNull();
  expect(await findSecret(store, next.key)).not.toBeNull();
  await keys.rollSecretKey({ projectId: own, id, overlapHours: 0 });
  expect(await findSecret(store, secret.key)).toBeNull();
  await keys.revokeSecretKey({ projectId: own, id });
  const again = { projectId: own, id, overlapHours: 1 };
  expect(await keys.rollSecretKey.result(again)).toMatchObject({
    error: { name: "NotFound" },
  });
});

test("lists the nodes of all networks, and which of them are wrong", async () => {
  const wrong = "reports too much";
  const network =
    platform.platform.networks.find("137") ?? expect.unreachable();
  await storeNodeFault(database, network, { node: 0, what: "before" });
  await storeNodeFault(database, network, { node: 0, what: wrong });
  const { nodes } = await client.operators.listNodes();
  expect(nodes.length).toBeGreaterThan(0);
  expect(nodes[0]).toMatchObject({ chainId: 137, rpcUrl: 1, wrong });
  expect(nodes.filter((each) => each.wrong !== undefined)).toHaveLength(1);
  await sql`update wrong_nodes set reported_at = now() - interval '8 days'`.execute(
    database,
  );
  expect((await client.operators.listNodes()).nodes).not.toMatchObject(
    expect.arrayContaining([expect.objectContaining({ wrong })]),
  );
});

test("lists the progress of followers", async () => {
  await startAt({ database, follower: "indexer", chainId: 137 }, 7);
  const { followers } = await client.operators.listFollowers();
  expect(followers).toEqual([
    {
      ...{ name: "indexer", chainId: 137, firstBlock: 7, nextBlock: 7 },
      ...{ isRunning: false, incompleteBlocks: 0 },
    },
  ]);
});

test("reports the line of each error in a CSV file, and adds nothing", async () => {
  const { audiences } = client;
  const { audience } = await audiences.createAudience({ projectId, name: "A" });
  const place = { projectId, audienceId: audience.id };
  const faultsOf = async (lines: readonly unknown[]) => {
    const csv = toCsv(lines);
    const { added, faults } = await audiences.importContacts({ ...place, csv });
    expect(added).toBe(0);
    return faults.map(({ line, problem }) => `${line}: ${problem}`);
  };
  expect(
    await faultsOf(["contactId", 1, "x", 3, largest + 1n, "-1", '""']),
  ).toEqual([
    '3: expected an unsigned 64-bit integer, got "x"',
    '5: expected an unsigned 64-bit integer, got "18446744073709551616"',
    '6: expected an unsigned 64-bit integer, got "-1"',
    "7: `contactId` is empty",
  ]);
  expect(await faultsOf([])).toEqual(["1: the file is empty"]);
  expect(await faultsOf(["id", 1])).toEqual([
    "1: the first line has no column named `contactId`",
  ]);
  expect(await faultsOf(["contactId", 1, '"open'])).toEqual([
    expect.stringMatching(/^3: /u),
  ]);
  const many = Array.from({ length: 10_000 }, () => "x");
  const csv = toCsv(["contactId", ...many]);
  const { faultCount, faults } = await audiences.importContacts({
    ...place,
    csv,
  });
  expect([faultCount, faults.length]).toEqual([10_000, 100]);
  expect(await audiences.listAudiences({ projectId })).toMatchObject({
    audiences: [{ contactCount: 0 }],
  });
});

test("changes only the project's audiences", async () => {
  const { audiences, projects } = client;
  const { audience } = await audiences.createAudience({ projectId, name: "A" });
  const { project } = await projects.createProject({ name: "Other" });
  const foreign = { projectId: project.id, audienceId: audience.id };
  const refused = [
    audiences.renameAudience.result({ ...foreign, name: "B" }),
    audiences.deleteAudience.result(foreign),
    audiences.addContacts.result({ ...foreign, contactIds: [1n] }),
    audiences.exportContacts.result(foreign),
  ];
  for (const result of await Promise.all(refused)) {
    expect(result).toMatchObject({ error: { name: "NotFound" } });
  }
  const place = { projectId, audienceId: audience.id };
  await audiences.addContacts({ ...place, contactIds: [1n, 2n, 2n] });
  await audiences.removeContacts({ ...place, contactIds: [2n, 3n] });
  const renamed = await audiences.renameAudience({ ...place, name: "B" });
  expect(renamed.audience).toMatchObject({ name: "B", contactCount: 1 });
  await audiences.deleteAudience(place);
  expect(await audiences.listAudiences({ projectId })).toEqual({
    audiences: [],
  });
});

test("links wallets and removes links", async () => {
  const [walletAddress, linkedWalletAddress] = ["a", "b"].map(
    (digit) => `0x${digit.repeat(40)}`,
  ) as [string, string];
  const { wallets } = client;
  const link = { walletAddress, linkedWalletAddress, walletType: "EOA" };
  const { walletLink } = await wallets.addWalletLink(link);
  expect(await wallets.addWalletLink(link)).toEqual({ walletLink });
  const list = () =>
    wallets.listWalletLinks({ walletAddress: `0x${"B".repeat(40)}` });
  expect(await list()).toEqual({ walletLinks: [walletLink] });
  await wallets.removeWalletLink({ id: walletLink.id });
  expect(await list()).toEqual({ walletLinks: [] });
});

test("fills tanks, records each change, and sponsors addresses", async () => {
  const { gasTanks } = client;
  const place = { projectId, chainId: 31337 };
  const { gasTank } = await gasTanks.fillGasTank({ ...place, amount: "7" });
  expect(gasTank).toMatchObject({ balance: "7", reserved: "0" });
  await gasTanks.fillGasTank({ ...place, amount: "100" });
  const first = await gasTanks.listGasTankEntries({
    ...place,
    page: { size: 1 },
  });
  expect(first.entries).toMatchObject([
    { kind: "fill", amount: "100", operator: "owner" },
  ]);
  const rest = await gasTanks.listGasTankEntries({
    ...place,
    page: { after: first.next ?? "" },
  });
  expect(rest.entries).toMatchObject([{ amount: "7" }]);
  const sponsor = { ...place, address: `0x${"a".repeat(40)}` };
  const { gasSponsor } = await gasTanks.saveGasSponsor(sponsor);
  const same = await gasTanks.saveGasSponsor({ ...sponsor, active: false });
  expect(same.gasSponsor).toMatchObject({ id: gasSponsor.id, active: false });
  const limitTo = async (dailyLimit: string) =>
    (await gasTanks.saveGasSponsor({ ...sponsor, dailyLimit })).gasSponsor;
  expect(await limitTo("0")).toMatchObject({ dailyLimit: "0" });
  expect(await limitTo("none")).not.toHaveProperty("dailyLimit");
  await gasTanks.deleteGasSponsor({ projectId, id: gasSponsor.id });
  expect(await gasTanks.listGasSponsors({ projectId })).toEqual({
    gasSponsors: [],
  });
  const unknown = { projectId, chainId: 4, amount: "1" };
  expect(await gasTanks.fillGasTank.result(unknown)).toMatchObject({
    error: { name: "NotFound" },
  });
});

test("changes a tank once for each key, and takes back mistakes", async () => {
  const { activity, gasTanks } = client;
  const place = { projectId, chainId: 31337 };
  const fill = { ...place, amount: "100", key: "a-key-of-this-test" };
  await gasTanks.fillGasTank(fill);
  const { gasTank } = await gasTanks.fillGasTank(fill);
  expect(gasTank.balance).toBe("100");
  const other = { ...fill, amount: "5" };
  expect(await gasTanks.fillGasTank.result(other)).toMatchObject({
    error: { name: "InvalidArgument", cause: /another change/u },
  });
  const reason = "filled twice";
  const taken = { ...place, reason, amount: "40" };
  const corrected = await gasTanks.correctGasTank(taken);
  expect(corrected.gasTank.balance).toBe("60");
  const tooMuch = { ...taken, amount: "61" };
  expect(await gasTanks.correctGasTank.result(tooMuch)).toMatchObject({
    error: { name: "InvalidArgument" },
  });
  const { entries } = await gasTanks.listGasTankEntries(place);
  expect(entries).toMatchObject([
    { kind: "correction", amount: "-40", operator: "owner", reason },
    { kind: "fill", amount: "100" },
  ]);
  const { actions } = await activity.listActions({ page: { size: 2 } });
  expect(actions).toMatchObject([
    { method: "GasTanks/CorrectGasTank", outcome: "failed" },
    { method: "GasTanks/CorrectGasTank", outcome: "done", details: taken },
  ]);
});

test("fills a tank and answers, even if the audit log then fails", async () => {
  const { gasTanks } = client;
  // Only the transaction that fills the tank can record its result.
  await sql`
    create function fail_second_write() returns trigger language plpgsql as $$
    begin
      if old.is_done then raise exception 'the second write fails'; end if;
      return new;
    end $$;
    create trigger fail_second before update on operator_actions
      for each row execute function fail_second_write()`.execute(database);
  onTestFinished(async () => {
    await sql`drop function fail_second_write cascade`.execute(database);
  });
  const place = { projectId, chainId: 31337 };
  const { gasTank } = await gasTanks.fillGasTank({ ...place, amount: "7" });
  expect(gasTank.balance).toBe("7");
  const { actions } = await client.activity.listActions({ page: { size: 1 } });
  expect(actions).toMatchObject([{ outcome: "done" }]);
});

test.each([
  ['postgres://me:hid"den@db.test/main', "postgres://db.test/…"],
  ["postgres://me:12/hidden@db.test/main", "postgres://…"],
  ["https://me:hid@den@db.test/main", "https://db.test/…"],
])("records no part of the password in %s", async (name, recorded) => {
  await client.keys.createAccessKey({ projectId, name });
  const { actions } = await client.activity.listActions({});
  expect(actions[0]?.details).toMatchObject({ name: recorded });
});

test("logs operators' actions without secrets", async () => {
  const { activity, audiences, keys } = client;
  const name = "postgres://me:hid/hidden@db.test/main";
  const { key } = await keys.createAccessKey({ projectId, name });
  await keys.revokeKey({ key });
  await audiences.deleteAudience.result({ projectId, audienceId: 2 ** 50 });
  await client.webhooks.revealWebhookSecret({ projectId });
  const { actions } = await activity.listActions({ page: { size: 4 } });
  expect(actions).toMatchObject([
    { method: "Webhooks/RevealWebhookSecret", projectId, outcome: "done" },
    {
      ...{ method: "Audiences/DeleteAudience", projectId },
      ...{ outcome: "failed", error: "NotFound" },
    },
    { method: "Keys/RevokeKey", details: {}, operator: "owner" },
    {
      method: "Keys/CreateAccessKey",
      details: { name: "postgres://…" },
    },
  ]);
  expect(JSON.stringify(actions)).not.toContain(key);
  const ofProject = await activity.listActions({
    projectId,
    operator: "owner",
  });
  expect(ofProject.actions.map(({ method }) => method)).toEqual([
    "Webhooks/RevealWebhookSecret",
    "Audiences/DeleteAudience",
    "Keys/RevokeKey",
    "Keys/CreateAccessKey",
  ]);
  const ofOther = await activity.listActions({ projectId, operator: "other" });
  expect(ofOther.actions).toEqual([]);
});

test("rejects invalid days and ranges of more than 92 days", async () => {
  const ask = (from: string, to: string) =>
    client.activity.getUsage.result({ projectId, from, to });
  const refused = { error: { name: "InvalidArgument" } };
  expect(await ask("2026-02-30", "2026-03-01")).toMatchObject(refused);
  expect(await ask("2026-03-02", "2026-03-01")).toMatchObject(refused);
  expect(await ask("2026-01-01", "2026-04-03")).toMatchObject(refused);
  expect(await ask("2026-01-01", "2026-04-02")).toMatchObject({ ok: true });
});
