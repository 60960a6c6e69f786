import { sql } from "kysely";
import { encodeAbiParameters, type Hex, padHex, toHex } from "viem";
import { expect, test, vi } from "vitest";

import type { BlockLog } from "../../follower/block.js";
import { parseEventSignature } from "../../services/indexer/event-signature.js";
import { createListenerIndex } from "../../services/indexer/listener-index.js";
import type * as listener from "../../services/indexer/listener.js";
import { createTestProject, servePlatform } from "../support/serve-platform.js";
import { openTestDatabase } from "../support/test-database.js";

const matched = vi.hoisted(() => ({ count: 0 }));

vi.mock("../../services/indexer/listener.js", async (load) => {
  const original = await load<typeof listener>();
  const matchLog: typeof original.matchLog = (...given) => {
    matched.count += 1;
    return original.matchLog(...given);
  };
  return { ...original, matchLog };
});

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
    matched.count = 0;
    const found = index.find(log).map(({ listenerId }) => listenerId);
    const names = await namesOf(found);
    expect([...names].sort()).toEqual([...expected].sort());
    expect(matched.count).toBeLessThanOrEqual(expected.length + 2);
  },
);

test("matches the new filters of a listener that was changed", async () => {
  const log = logOf(1, [topicOf("Other()"), word(1299)]);
  const find = async (): Promise<readonly string[]> => {
    await index.refresh(database);
    return namesOf(index.find(log).map(({ listenerId }) => listenerId));
  };
  expect(await find()).toEqual(["0 299", "4 299"]);
  const contractAddresses = [addressOf(77)];
  await sql`
    update webhook_listeners set updated_at = clock_timestamp(),
      filters = ${JSON.stringify({ contractAddresses, events: [] })}
    where url = '4 299'`.execute(database);
  expect(await find()).toEqual(["0 299"]);
});
