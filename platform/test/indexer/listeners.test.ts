import { expect, test } from "vitest";

import { createIndexerClient } from "../../../generated/indexer/client.js";
import { TokenEvent } from "../../../generated/indexer/types.js";
import { updateListener } from "../../services/indexer/add-listener.js";
import {
  createTestProject,
  servePlatform,
  type TestProject,
} from "../support/serve-platform.js";
import { silentNetworks } from "../support/start-chain.js";
import { receiveWebhooks } from "./receive-webhooks.js";
import { setUpIndexer } from "./run-indexer.js";

const { chain, database, open, run } = await setUpIndexer();
const platform = servePlatform(database, {
  networks: [chain.network, ...silentNetworks],
});

/**
 * Creates a client for a network, which is the default network unless another
 * is given.
 */
function openClient({ accessKey, secret }: TestProject, network = "") {
  return createIndexerClient({
    baseUrl: `http://platform.test${network}`,
    credentials: { accessKey, secret },
    fetch: platform.fetch,
  });
}

const url = "https://198.41.0.4/hook";
const filters = {
  contractAddresses: [chain.coin.address],
  events: [TokenEvent.ERC20_TRANSFER],
};

test("limits the size of the filters that a project has on a network", async () => {
  const filters = {
    contractAddresses: [],
    events: ["Paid(uint256 amount)"],
  };
  const { length } = JSON.stringify(filters);
  const few = servePlatform(database, {
    networks: [chain.network],
    listenerFiltersPerProject: 2 * length,
  });
  const project = await createTestProject(few.store);
  const client = createIndexerClient({
    baseUrl: "http://platform.test",
    credentials: project,
    fetch: few.fetch,
  });
  const add = (wanted = filters) =>
    client.addWebhookListener.result({ url, filters: wanted });
  const cause = `the filters of the project's webhook listeners on chain ${chain.network.chainId} would exceed ${2 * length} characters`;
  const refused = { ok: false, error: { name: "PermissionDenied", cause } };
  const added = await add();
  expect(
    await add({ ...filters, events: ["Sent(uint256 theAmount)"] }),
  ).toMatchObject(refused);
  const second = await add();
  if (!added.ok || !second.ok) throw new Error("not added");
  const change = (events: readonly string[]) =>
    updateListener(few.platform, {
      ...{ url, projectId: project.id, id: Number(added.value.listener.id) },
      filters: { contractAddresses: [], events: [...events] },
    });
  await expect(change(["Sent(uint256 theAmount)"])).rejects.toMatchObject({
    cause,
  });
  expect(await change(["Paid(uint256 dollar)"])).toMatchObject({
    active: true,
  });
  // A disabled listener keeps its filters, because it can be resumed.
  await database
    .updateTable("webhook_listeners")
    .set({ active: false })
    .where("id", "=", Number(added.value.listener.id))
    .execute();
  expect(await add()).toMatchObject(refused);
});

test("limits the number of listeners that a project has on a network", async () => {
  const few = servePlatform(database, {
    networks: [chain.network],
    listenersPerProject: 2,
  });
  const project = await createTestProject(few.store);
  const { accessKey, secret } = project;
  const client = createIndexerClient({
    baseUrl: "http://platform.test",
    credentials: { accessKey, secret },
    fetch: few.fetch,
  });
  const add = () => client.addWebhookListener.result({ url, filters });
  // The limit also applies to concurrent calls.
  const added = await Promise.all([add(), add(), add(), add()]);
  expect(added.filter(({ ok }) => ok)).toHaveLength(2);
  expect(await add()).toMatchObject({
    ok: false,
    error: { name: "PermissionDenied" },
  });
  const remove = async (answer: Awaited<ReturnType<typeof add>>) => {
    if (!answer.ok) return;
    const { id } = answer.value.listener;
    const projectId = String(project.id);
    await client.removeWebhookListener({ id, projectId });
  };
  await Promise.all(added.map(remove));
  const again = await add();
  expect(again.ok).toBe(true);
  await remove(again);
});

test("returns the stored listener, without leading zeros in token IDs", async () => {
  const project = await createTestProject(platform.store);
  const all = {
    ...filters,
    tokenIDs: ["7", "0115792089237316195423570985008687907853269984665640564"],
    accounts: [chain.fixtures.user],
    topicHashes: [`0x${"ab".repeat(32)}`],
  };
  const { listener, status } = await openClient(project).addWebhookListener({
    url,
    filters: all,
  });
  expect(status).toBe(true);
  expect(listener).toEqual({
    id: expect.stringMatching(/^[0-9]+$/u),
    projectID: project.id,
    url,
    filters: {
      ...all,
      tokenIDs: ["7", "115792089237316195423570985008687907853269984665640564"],
    },
    name: "",
    updatedAt: expect.any(String),
    active: true,
  });
});

test.each([
  [
    "filters.events[1]: expected at most 3 indexed arguments, got 4",
    {
      events: [
        TokenEvent.ERC20_TRANSFER,
        "E(address indexed a,address indexed b,address indexed c,address indexed d)",
      ],
    },
  ],
  [
    "filters.events[0]: expected the signature of an event",
    { events: ["E(number)"] },
  ],
  [
    "filters.events[0]: expected the signature of an event",
    { events: ["E(address,)"] },
  ],
  [
    "filters.events[0]: expected the signature of an event",
    { events: ["E(bool[0][])"] },
  ],
  [
    "filters.tokenIDs[1]: expected a number of at most 256 bits",
    { tokenIDs: [2n ** 256n - 1n, 2n ** 256n].map(String) },
  ],
])("rejects a filter that cannot match: %s", async (cause, impossible) => {
  const project = await createTestProject(platform.store);
  const { addWebhookListener } = openClient(project);
  const result = await addWebhookListener.result({
    url,
    filters: { ...filters, ...impossible },
  });
  expect(result).toMatchObject({
    ok: false,
    error: { name: "InvalidArgument" },
  });
  expect(!result.ok && String(result.error.cause)).toContain(cause);
});

test.each([
  "http://127.0.0.1:4242/hook",
  "http://[::1]/hook",
  "http://169.254.169.254/latest",
  "http://0x7f.1/hook",
  "http://localhost/hook",
  "http://a.localhost/hook",
  "http://a.localhost./hook",
])("rejects a private target: %s", async (target) => {
  const project = await createTestProject(platform.store);
  const result = await openClient(project).addWebhookListener.result({
    url: target,
    filters,
  });
  expect(result).toMatchObject({
    ok: false,
    error: {
      name: "InvalidArgument",
      cause: expect.stringMatching(
        /^url: .* is not a public address, and the platform's setting allowPrivateTargets is false$/u,
      ),
    },
  });
});

test("does not connect to a target that has become private", async () => {
  const project = await open();
  const schedule = {
    ...{ firstPauseMs: 50, factor: 1, maxPauseMs: 50 },
    giveUpAfterMs: 0,
  };
  run({
    allowPrivateTargets: false,
    schedule,
  });
  const receiver = await receiveWebhooks(project.webhookSecret);
  // Register the listener as if its host name had been public at the time.
  await project.listen(`http://localhost:${receiver.port}/hook`, {});
  await chain.pay(1n);
  const readDead = () =>
    database
      .selectFrom("jobs")
      .select("reason")
      .where("dead_at", "is not", null)
      .execute();
  await expect
    .poll(readDead)
    .toEqual([{ reason: "localhost is not a public address" }]);
  expect(receiver.attempts).toEqual([]);
});

test("removes only listeners of the same project and chain", async () => {
  const project = await createTestProject(platform.store);
  const other = await createTestProject(platform.store);
  const { addWebhookListener, removeWebhookListener: remove } =
    openClient(project);
  const { listener } = await addWebhookListener({ url, filters });
  const { id } = listener;
  const projectId = String(project.id);
  const error = async (
    result: ReturnType<typeof remove.result>,
  ): Promise<unknown> => {
    const answer = await result;
    return answer.ok ? "removed" : answer.error.name;
  };
  const removeOther = openClient(other).removeWebhookListener;
  const otherId = String(other.id);
  expect(await error(removeOther.result({ id, projectId: otherId }))).toBe(
    "PermissionDenied",
  );
  expect(await error(remove.result({ id, projectId: otherId }))).toBe(
    "PermissionDenied",
  );
  expect(await error(remove.result({ id: "9".repeat(20), projectId }))).toBe(
    "NotFound",
  );
  const elsewhere = openClient(project, "/unreachable").removeWebhookListener;
  expect(await error(elsewhere.result({ id, projectId }))).toBe("NotFound");
  expect(await remove({ id, projectId })).toEqual({ status: true });
  expect(await remove({ id, projectId })).toEqual({ status: true });
  // Filters are large, and the limit does not count those of removed listeners.
  const row = await database
    .selectFrom("webhook_listeners")
    .select("filters")
    .where("id", "=", Number(id))
    .executeTakeFirst();
  expect(row?.filters).toEqual({ contractAddresses: [], events: [] });
});

test("rejects a listener on a chain that does not respond", async () => {
  const project = await createTestProject(platform.store);
  for (const network of ["/unreachable", "/unknown-address"]) {
    const { addWebhookListener } = openClient(project, network);
    const result = await addWebhookListener.result({ url, filters });
    expect(result).toMatchObject({ ok: false, error: { name: "Unavailable" } });
  }
});
