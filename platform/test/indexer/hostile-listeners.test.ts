import { sql } from "kysely";
import { concatHex, encodeAbiParameters, type Hex, padHex, toHex } from "viem";
import { expect, test } from "vitest";

import { TokenEvent } from "../../../generated/indexer/types.js";
import type { BlockLog, FollowedBlock } from "../../follower/block.js";
import { startAt } from "../../follower/progress.js";
import { parseEventSignature } from "../../services/indexer/event-signature.js";
import {
  createBlockIndexer,
  type Delivery,
  indexerFollower,
} from "../../services/indexer/index-blocks.js";
import { createListenerIndex } from "../../services/indexer/listener-index.js";
import {
  changeListener,
  resumeListener,
} from "../../services/indexer/listeners.js";
import type { ListenerNotice } from "../../services/indexer/set-aside.js";
import {
  createTestProject,
  defaultSettings,
  servePlatform,
} from "../support/serve-platform.js";
import { openTestDatabase } from "../support/test-database.js";
import { blockOf, indexBlock, word } from "./index-block.js";

const database = await openTestDatabase();
const { store } = servePlatform(database);
const chainId = 137;
await startAt({ database, follower: indexerFollower, chainId }, 1);
const maxListeners = 10;
const budget = 5000;

const coin = padHex("0xc0", { size: 20 });

/** Forty arguments, of which any could be indexed. */
const costly = (name: string) =>
  `Costly((uint256 ${name}) pair, ${Array(39).fill("uint256").join(", ")})`;

const logOf = (logIndex: number, event: string, words: number): BlockLog => ({
  topics: [
    parseEventSignature(event).topicHash,
    ...[1, 2].map((value) => word(value)),
  ],
  data: concatHex([...Array<Hex>(words).fill(word(logIndex)), "0xff"]),
  ...{ address: coin, transactionHash: word(1), transactionIndex: 0, logIndex },
});

async function addListeners(filters: readonly object[]): Promise<number> {
  const { id } = await createTestProject(store);
  const none = { contractAddresses: [], events: [] };
  await sql`
    insert into webhook_listeners (project_id, chain_id, url, filters)
    select ${id}, ${chainId}, 'https://receiver.test', filters::json
    from unnest(${filters.map((each) =>
      JSON.stringify({ ...none, ...each }),
    )}::text[]) as given (filters)`.execute(database);
  return id;
}

const told: ListenerNotice[] = [];
const indexer = createBlockIndexer({
  ...{ chainId, maxPerProject: 100_000 },
  work: { perProject: budget, maxItems: maxListeners, total: 4 * budget },
  index: createListenerIndex(chainId),
  findStandards: () => Promise.resolve(new Map()),
  onRejected: () => undefined,
  onNotices: (notices) => told.push(...notices),
});

const index = (block: FollowedBlock): Promise<void> =>
  indexBlock(database, chainId, indexer, block);

async function deliveriesOf(projectId: number): Promise<readonly Delivery[]> {
  const jobs = await database
    .selectFrom("jobs")
    .select("payload")
    .where("lane", "=", String(projectId))
    .orderBy("id")
    .execute();
  // Only the indexer enqueues jobs.
  return jobs.map(({ payload }) => payload as Delivery);
}

async function listenersOf(projectId: number) {
  return database
    .selectFrom("webhook_listeners")
    .select([
      ...(["id", "set_aside_reason as reason"] as const),
      ...(["skipped_logs as count", "skipped_reason as skipped"] as const),
    ])
    .where("project_id", "=", projectId)
    .orderBy("id")
    .execute();
}

test("sets aside the listeners that cause too much work, tells their owner, and spares all other projects", async () => {
  const transfers = {
    contractAddresses: [coin],
    events: [TokenEvent.ERC20_TRANSFER],
  };
  const hostile = await addListeners([
    transfers,
    ...Array.from({ length: maxListeners - 1 }, (_, at) => ({
      events: Array.from({ length: 100 }, (__, nth) => costly(`a${at}x${nth}`)),
    })),
  ]);
  const quiet = await addListeners([transfers]);
  const transfer: BlockLog = {
    ...logOf(9, TokenEvent.ERC20_TRANSFER, 0),
    data: word(7),
  };
  const costlyLog = logOf(1, costly("a"), 38);
  await index(blockOf(1, [costlyLog, transfer]));

  const [useful, ...rest] = await listenersOf(hostile);
  expect(useful?.reason).toBeNull();
  expect(rest.filter(({ reason }) => reason !== null)).toEqual(rest);
  expect(rest[0]?.reason).toMatch(
    /^the listeners of the project needed too much work in block 1, \d+ units of it for this one; name contracts or select fewer events; some events of blocks 1 to 16 are not sent, first those of the contracts with most work$/u,
  );
  expect(told.map(({ listenerId }) => listenerId).sort()).toEqual(
    rest.map(({ id }) => id).sort(),
  );

  const notices = (await deliveriesOf(hostile)).filter(
    ({ notification: { type } }) => type === "LISTENER_SET_ASIDE",
  );
  expect(notices.map(({ notification }) => notification.reason).sort()).toEqual(
    rest.map(({ reason }) => reason).sort(),
  );
  for (const project of [hostile, quiet]) {
    const sent = (await deliveriesOf(project)).map(
      ({ notification: { blockNumber, event, type } }) => [
        ...[blockNumber, type, event.names],
      ],
    );
    expect(sent).toContainEqual([1, "BLOCK_ADDED", ["from", "to", "value"]]);
  }
  expect((await listenersOf(quiet))[0]?.reason).toBeNull();

  // Their owner already knows about the next block.
  told.length = 0;
  await index(blockOf(2, [costlyLog]));
  expect(told).toEqual([]);

  const resumed = await resumeListener(
    database,
    hostile,
    rest[0]?.id ?? 0,
    defaultSettings,
  );
  expect(resumed).toMatchObject({ active: true, set_aside_reason: null });
});

/** Transfers of one unit from contracts, as many as given for each. */
function transfersOf(counts: Readonly<Record<Hex, number>>): BlockLog[] {
  const logs = Object.entries(counts).flatMap(([address, count]) =>
    Array<string>(count).fill(address),
  );
  return logs.map((address, at) => ({
    ...logOf(at, TokenEvent.ERC20_TRANSFER, 0),
    ...{
      address: padHex(`0x${address.slice(2)}`, { size: 20 }),
      data: word(1),
    },
  }));
}

async function sentBy(projectId: number, number: number) {
  const contracts = (await deliveriesOf(projectId)).flatMap(
    ({ notification: { blockNumber, contractAddress, type } }) =>
      type === "BLOCK_ADDED" && blockNumber === number ? [contractAddress] : [],
  );
  return (contract: Hex) =>
    contracts.filter((each) => each === padHex(contract, { size: 20 })).length;
}

test("sends the events of other contracts while somebody emits many logs, and tells the owner once", async () => {
  const events = [TokenEvent.ERC20_TRANSFER];
  const project = await addListeners([{ events }]);
  const other = await addListeners([{ events, contractAddresses: [coin] }]);
  const fillers = Object.fromEntries(
    Array.from({ length: 20 }, (_, at) => [toHex(0xf00 + at), 30]),
  );
  const block = (number: number) =>
    blockOf(
      number,
      transfersOf({ "0xf": 1000, ...fillers, "0xc0": 12, "0xc1": 1 }),
    );
  told.length = 0;
  for (const number of [20, 21, 35, 36]) {
    await database.deleteFrom("jobs").execute();
    await index(block(number));
    const sent = await sentBy(project, number);
    // A transfer takes 15 units, and 22 contracts share 5000.
    expect([sent("0xc0"), sent("0xc1")]).toEqual([12, 1]);
    expect(sent("0xf")).toBeGreaterThan(10);
    expect(sent("0xf")).toBeLessThan(30);
    expect((await sentBy(other, number))("0xc0")).toBe(12);
  }
  expect(
    told.map(({ notification, projectId }) => [
      projectId,
      notification.blockNumber,
    ]),
  ).toEqual([
    [project, 20],
    [project, 36],
  ]);
  // The reason is forgotten when it is too old.
  await index(blockOf(51, []));
  expect((await listenersOf(project))[0]?.reason).not.toBeNull();
  await index(blockOf(52, []));
  expect((await listenersOf(project))[0]?.reason).toBeNull();
});

test("sends a contract's event although others have events that take long to decode", async () => {
  const project = await addListeners([
    { events: [costly("a"), TokenEvent.ERC20_TRANSFER] },
  ]);
  // Each one would take all of the budget.
  const fillers = Array.from({ length: 30 }, (_, at) => ({
    ...logOf(at, costly("a"), 38),
    address: padHex(toHex(0xf00 + at), { size: 20 }),
  }));
  const [honest] = transfersOf({ "0xc1": 1 });
  if (honest === undefined) throw new Error("there is a log");
  await index(blockOf(60, [...fillers, { ...honest, logIndex: 99 }]));
  expect((await sentBy(project, 60))("0xc1")).toBe(1);
  expect((await listenersOf(project))[0]?.reason).not.toBeNull();
});

test("shares the work of a block among the projects that have any, not among idle ones", async () => {
  const events = [TokenEvent.ERC20_TRANSFER];
  const idle = { contractAddresses: ["0x1".padEnd(42, "9")], events };
  await Promise.all(Array.from({ length: 40 }, () => addListeners([idle])));
  const flooded: number[] = [];
  for (let at = 0; at < 10; at += 1) {
    flooded.push(await addListeners([{ events }]));
  }
  const modest = await addListeners([
    { events, contractAddresses: [padHex("0xc1", { size: 20 })] },
  ]);
  // The listeners of the tests above are flooded, too.
  const number = 70;
  await index(blockOf(number, transfersOf({ "0xf": 400, "0xc1": 100 })));
  expect((await sentBy(modest, number))("0xc1")).toBe(100);
  const counts = await Promise.all(
    flooded.map(async (each) => {
      const sent = await sentBy(each, number);
      return sent("0xf") + sent("0xc1");
    }),
  );
  expect(Math.max(...counts) - Math.min(...counts)).toBeLessThan(10);
  const reasons = await Promise.all(
    flooded.map(async (each) => (await listenersOf(each))[0]?.reason),
  );
  expect(new Set(reasons)).toEqual(
    new Set([
      "the listeners of all projects needed too much work in block 70; some events of blocks 70 to 85 are not sent, first those of the contracts with most work",
    ]),
  );
});

test("skips a log that is too large to decode, counts it, and tells the owner, while the listener goes on", async () => {
  const events = ["Large(bytes)"];
  const project = await addListeners([{ events }]);
  const { topics, ...log } = logOf(0, "Large(bytes)", 5001);
  const large = { ...log, topics: topics.slice(0, 1) };
  const data = encodeAbiParameters([{ type: "bytes" }], ["0x01"]);
  const small = { ...large, data, logIndex: 2 };
  const number = 200;
  await index(blockOf(number, [large, { ...large, logIndex: 1 }, small]));
  const [listener] = await listenersOf(project);
  const reason = `2 logs of block ${number} were too large to decode and skipped, the first one in transaction ${word(1)} (log 0)`;
  expect(listener).toMatchObject({ reason: null, count: 2, skipped: reason });
  const sent = await deliveriesOf(project);
  expect(
    sent.map(({ notification: each }) => [each.type, each.reason]),
  ).toEqual([
    ["BLOCK_ADDED", undefined],
    ["LOGS_SKIPPED", reason],
  ]);
});

test("skips a log whose arguments refer to the same data, as if it contained the data many times", async () => {
  const event = `Copies(uint256 indexed id, ${Array(60).fill("bytes").join(", ")})`;
  const project = await addListeners([{ events: [event] }]);
  const { topics, ...log } = logOf(0, event, 0);
  const offset = word(60 * 32);
  const data = concatHex([
    ...Array<Hex>(60).fill(offset),
    word(40 * 32),
    ...Array<Hex>(40).fill(word(7)),
  ]);
  await index(blockOf(201, [{ ...log, topics: topics.slice(0, 2), data }]));
  const sent = await deliveriesOf(project);
  expect(sent.map(({ notification: { type } }) => type)).toEqual([
    "LOGS_SKIPPED",
  ]);
});

test.each([
  ["dimensions", `uint8${"[1]".repeat(100)}[30]`, 202],
  ["tuples", `${"(".repeat(100)}uint8${")".repeat(100)}[300]`, 203],
])("skips a log whose values have many %s", async (_, type, number) => {
  const event = `Deep(uint256 indexed id, ${type} values)`;
  const project = await addListeners([{ events: [event] }]);
  const { topics, ...log } = logOf(0, event, 300);
  await index(blockOf(number, [{ ...log, topics: topics.slice(0, 2) }]));
  const sent = await deliveriesOf(project);
  expect(sent.map(({ notification: { type: sort } }) => sort)).toEqual([
    "LOGS_SKIPPED",
  ]);
});

test("parses events without charging for it, so that a restart sets no listener aside", async () => {
  // 10 listeners with 9 events of about 200 characters.
  const events = (at: number) =>
    Array.from({ length: 9 }, (_, nth) => {
      const names = `${"n".repeat(190)}${at}x${nth}`;
      return `Plain(uint256 ${names})`;
    });
  const project = await addListeners(
    Array.from({ length: maxListeners }, (_, at) => ({ events: events(at) })),
  );
  const { topics } = logOf(0, "Plain(uint256)", 0);
  const log = { ...logOf(0, "Plain(uint256)", 0), data: word(7) };
  await index(blockOf(300, [{ ...log, topics: topics.slice(0, 1) }]));
  const reasons = (await listenersOf(project)).map(({ reason }) => reason);
  expect(new Set(reasons)).toEqual(new Set([null]));
  expect(await deliveriesOf(project)).toHaveLength(maxListeners);
});

test("does not deadlock when a listener is changed and resumed at once", async () => {
  const project = await addListeners([{ events: [] }]);
  const [{ id } = { id: 0 }] = await listenersOf(project);
  const change = {
    ...{ id, projectId: project, url: "https://receiver.test" },
    filters: { contractAddresses: [], events: [] },
  };
  for (let round = 0; round < 20; round += 1) {
    await database
      .updateTable("webhook_listeners")
      .set({ active: false })
      .where("id", "=", id)
      .execute();
    await Promise.all([
      changeListener(database, change, defaultSettings),
      resumeListener(database, project, id, defaultSettings),
    ]);
  }
});
