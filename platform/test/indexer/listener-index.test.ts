import { sql } from "kysely";
import { encodeAbiParameters, type Hex, padHex, toHex } from "viem";
import { expect, onTestFinished, test, vi } from "vitest";

import type { BlockLog } from "../../follower/block.js";
import { parseEventSignature } from "../../services/indexer/event-signature.js";
import { createMatchLog } from "../../services/indexer/listener.js";
import { createListenerIndex } from "../../services/indexer/listener-index.js";
import { createTestProject, servePlatform } from "../support/serve-platform.js";
import { openTestDatabase } from "../support/test-database.js";

const database = await openTestDatabase();
const { store } = servePlatform(database);
const project = await createTestProject(store);

const addressOf = (index: number): Hex => padHex(toHex(index), { size: 20 });
const transfer =
  "Transfer(address indexed from, address indexed to, uint256 indexed tokenId)";

/** The filters of the listener with a number. */
const kinds: readonly ((index: number) => object)[] = [
  (index) => ({ accounts: [addressOf(index)] }),
  (index) => ({ accounts: [addressOf(index)], events: [transfer] }),
  (index) => ({ tokenIDs: [String(index)] }),
  (index) => ({ tokenIDs: [String(index)], events: [transfer] }),
  (index) => ({ topicHashes: [padHex(toHex(index), { size: 32 })] }),
  (index) => ({ events: [`Event${index}(uint256 value)`] }),
  (index) => ({
    events: [`Event${index}(address a)`],
    accounts: [addressOf(7)],
  }),
  (index) => ({ contractAddresses: [addressOf(index)] }),
  (index) => ({
    contractAddresses: [addressOf(index)],
    accounts: [addressOf(7)],
  }),
];

/** Each kind of listener has this many. */
const count = 300;

const logOf = (
  address: number,
  topics: readonly Hex[],
  data: Hex = "0x",
): BlockLog => ({
  ...{ address: addressOf(address), topics, data },
  ...{ transactionHash: "0x", transactionIndex: 0, logIndex: 0 },
});
const word = (value: number): Hex => padHex(toHex(value), { size: 32 });
const topicOf = (event: string): Hex => parseEventSignature(event).topicHash;

const chainId = 5;
const rows = kinds.flatMap((filtersOf, kind) =>
  Array.from({ length: count }, (_, index) => {
    const none = { contractAddresses: [], events: [] };
    const filters = { ...none, ...filtersOf(1000 + index) };
    return { kind, index, filters: JSON.stringify(filters) };
  }),
);
await sql`
  insert into webhook_listeners (project_id, chain_id, url, filters)
  select ${project.id}, ${chainId}, url, filters::json
  from unnest(
    ${rows.map(({ index, kind }) => `${kind} ${index}`)}::text[],
    ${rows.map(({ filters }) => filters)}::text[]
  ) as given (url, filters)`.execute(database);
const index = createListenerIndex(chainId);
await index.refresh(database);

/** Returns the IDs of the listeners that match, and the work for each one. */
async function findWithWork(log: BlockLog, from = index, maxSteps = Infinity) {
  const work = new Map<number, number[]>();
  const groups = await from.find(log);
  const match = createMatchLog(log);
  const candidates = groups.flatMap((group) =>
    [...group.values()].flatMap((some) => [...some]),
  );
  const ids: number[] = [];
  for (const listener of new Set(candidates)) {
    const charged: number[] = [];
    const steps = match(listener);
    let next = steps.next();
    while (next.done !== true) {
      charged.push(next.value.work);
      next = steps.next(charged.length < maxSteps);
    }
    work.set(listener.id, charged);
    if (next.value !== null) ids.push(listener.id);
  }
  return { ids, work };
}

async function namesOf(ids: readonly number[]): Promise<readonly string[]> {
  const found = await database
    .selectFrom("webhook_listeners")
    .select("url")
    .where("id", "in", [...ids, 0])
    .orderBy("url")
    .execute();
  return found.map(({ url }) => url);
}

test.each([
  [
    "an account",
    logOf(1, [topicOf(transfer), word(1003), word(1), word(1)]),
    ["0 3", "1 3", "4 3"],
  ],
  [
    "a token ID",
    logOf(1, [topicOf(transfer), word(1), word(2), word(1004)]),
    ["2 4", "3 4", "4 4"],
  ],
  ["a topic", logOf(1, [topicOf("Other()"), word(1005)]), ["0 5", "4 5"]],
  [
    "an event",
    logOf(1, [topicOf("Event1006(uint256 value)")], word(9)),
    ["5 6"],
  ],
  [
    "an event and an account",
    logOf(
      1,
      [topicOf("Event1008(address a)")],
      encodeAbiParameters([{ type: "address" }], [addressOf(7)]),
    ),
    ["6 8"],
  ],
  ["a contract", logOf(1009, [topicOf("Other()"), word(1)]), ["7 9"]],
  [
    "a contract and an account",
    logOf(1010, [topicOf("Other()"), word(7)]),
    ["7 10", "8 10"],
  ],
  ["nothing", logOf(1, [topicOf("Other()"), word(1)]), []],
])(
  "compares a log only with listeners that it may match (%s)",
  async (_, log, expected) => {
    const { ids, work } = await findWithWork(log);
    const names = await namesOf(ids);
    expect([...names].sort()).toEqual([...expected].sort());
    expect(work.size).toBeLessThanOrEqual(expected.length + 2);
  },
);

test("matches the new filters of a listener that was changed", async () => {
  const log = logOf(1, [topicOf("Other()"), word(1299)]);
  const find = async (): Promise<readonly string[]> => {
    await index.refresh(database);
    return namesOf((await findWithWork(log)).ids);
  };
  expect(await find()).toEqual(["0 299", "4 299"]);
  const contractAddresses = [addressOf(77)];
  await sql`
    update webhook_listeners set updated_at = clock_timestamp(),
      filters = ${JSON.stringify({ contractAddresses, events: [] })}
    where url = '4 299'`.execute(database);
  expect(await find()).toEqual(["0 299"]);
});

/** Opens an index of a chain with one listener for each filter. */
async function openIndex(ownChain: number, filters: readonly object[]) {
  const none = { contractAddresses: [], events: [] };
  const stored = filters.map((each) => JSON.stringify({ ...none, ...each }));
  await sql`
    insert into webhook_listeners (project_id, chain_id, url, filters)
    select ${project.id}, ${ownChain}, '', filters::json
    from unnest(${stored}::text[]) as given (filters)`.execute(database);
  const own = createListenerIndex(ownChain);
  await own.refresh(database);
  return own;
}

test("finds a listener by a limited number of keys", async () => {
  const addresses = Array.from({ length: 50 }, (_, at) => addressOf(at + 9));
  const filters = {
    ...{ accounts: addresses, contractAddresses: addresses },
    events: addresses.map((_, at) => `Event${at}(address a)`),
  };
  const set = vi.spyOn(Map.prototype, "set");
  onTestFinished(() => set.mockRestore());
  await openIndex(65, [filters]);
  // Without a limit, there were 125,000 keys.
  expect(set.mock.calls.length).toBeLessThan(2000);
});

/** Signatures of one event that only differ in the names of members. */
const namesakes = Array.from(
  { length: 100 },
  (_, at) =>
    `Batch((uint256 a${at}, uint256 b${at}) pair, uint256 c, uint256 d)`,
);
const batchLog = (address: number) =>
  logOf(
    address,
    [topicOf(namesakes[0] ?? ""), word(1), word(2)],
    `0x${word(3).slice(2)}${word(4).slice(2)}ff`,
  );

test("does not decode the logs of other contracts", async () => {
  const contractAddresses = [addressOf(5)];
  const own = await openIndex(61, [
    { contractAddresses, events: namesakes },
    // Too many combinations of contracts and accounts are found by account only.
    {
      contractAddresses: Array.from({ length: 200 }, (_, at) =>
        addressOf(at + 9),
      ),
      accounts: [addressOf(1), addressOf(2)],
      events: namesakes,
    },
  ]);
  const { ids, work } = await findWithWork(batchLog(1), own);
  expect(ids).toEqual([]);
  expect([...work.values()]).toEqual([[1]]);
});

test("tries each layout once for events that only differ in names", async () => {
  const own = await openIndex(62, [{ events: namesakes }]);
  const { ids, work } = await findWithWork(batchLog(1), own);
  expect(ids).toEqual([]);
  // Two of three arguments are indexed, and an attempt reads five values in the
  // signature and six words of the log.
  expect([...work.values()]).toEqual([[1, 11, 11, 11]]);
});

test("charges each listener what it needs, although a log is decoded once", async () => {
  const own = await openIndex(63, [
    { events: [transfer] },
    { events: [transfer] },
  ]);
  const log = logOf(1, [topicOf(transfer), word(1), word(2), word(3)]);
  const { ids, work } = await findWithWork(log, own);
  expect(ids).toHaveLength(2);
  expect([...work.values()]).toEqual([
    [1, 7, 7],
    [1, 7, 7],
  ]);
});

test("stops decoding for a listener that may not do more work", async () => {
  const own = await openIndex(64, [{ events: namesakes }]);
  const { ids, work } = await findWithWork(batchLog(1), own, 2);
  expect(ids).toEqual([]);
  expect([...work.values()]).toEqual([[1, 11]]);
});
