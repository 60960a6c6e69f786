import { concatHex, type Hex, padHex, toHex } from "viem";
import { expect, test, vi } from "vitest";

import { TokenEvent } from "../../../generated/indexer/types.js";
import type { BlockLog } from "../../follower/block.js";
import { giveWay } from "../../process/concurrency/give-way.js";
import {
  createEventParser,
  parseEventSignature,
} from "../../services/indexer/event-signature.js";
import { type Listener, toListener } from "../../services/indexer/listener.js";
import type {
  ListenerGroup,
  ListenerIndex,
} from "../../services/indexer/listener-index.js";
import { matchLogs } from "../../services/indexer/match-logs.js";
import { longestStep } from "../support/longest-step.js";

vi.mock("../../process/concurrency/give-way.js", { spy: true });

const projects = 40;
const contracts = 200;
const total = 2000;

const word = (value: number): Hex => padHex(toHex(value), { size: 32 });

/** A transfer of each contract. */
const logs = Array.from({ length: contracts }, (_, logIndex): BlockLog => ({
  address: padHex(toHex(logIndex + 1), { size: 20 }),
  topics: [
    parseEventSignature(TokenEvent.ERC20_TRANSFER).topicHash,
    ...[word(1), word(2)],
  ],
  ...{ data: word(7), transactionHash: word(1), transactionIndex: 0, logIndex },
}));

/** A listener of each project. */
const listeners = Array.from({ length: projects }, (_, id) =>
  toListener(
    {
      ...{ id, project_id: id },
      filters: { contractAddresses: [], events: [TokenEvent.ERC20_TRANSFER] },
    },
    createEventParser(),
  ),
);

/** An index that finds each listener for each log, in several groups. */
function createIndex(groupCount: number, some = listeners) {
  let lookUps = 0;
  class Group extends Map<number, Set<Listener>> {
    override get(projectId: number) {
      lookUps += 1;
      return super.get(projectId);
    }

    override *keys() {
      for (const projectId of super.keys()) {
        lookUps += 1;
        yield projectId;
      }
      return undefined;
    }
  }
  const groups = Array.from(
    { length: groupCount },
    () => new Group(some.map((each) => [each.id, new Set([each])])),
  );
  const index: ListenerIndex = {
    refresh: () => Promise.resolve(true),
    find: (): Promise<readonly ListenerGroup[]> => Promise.resolve(groups),
    remove: ({ projectId }) => {
      for (const group of groups) group.delete(projectId);
    },
    restore: () => Promise.resolve(),
  };
  return { index, lookUps: () => lookUps };
}

test.each([1, 5])(
  "finds the contracts of each project within the budget, with %i groups",
  async (groups) => {
    const { index, lookUps } = createIndex(groups);
    const limits = { perProject: total, maxItems: 1, total };
    vi.mocked(giveWay).mockClear();
    const { matches, setAside } = await matchLogs(index, logs, limits);
    const steps = vi.mocked(giveWay).mock.calls.length;
    expect(setAside.length).toBe(projects);
    expect(matches.length).toBeGreaterThan(projects);
    // Without a budget, each project would look at each contract: 8000 times.
    const each = projects * groups;
    expect(lookUps()).toBeLessThan(total + 2 * each);
    expect(steps).toBeLessThan(total + logs.length + 2 * each);
  },
);

test("compares a log once with a listener that is in several groups", async () => {
  const { index } = createIndex(5);
  const some = logs.slice(0, 20);
  const limits = { perProject: 1e9, maxItems: 1, total: 1e9 };
  const { matches } = await matchLogs(index, some, limits);
  expect(matches.length).toBe(projects * some.length);
  const order = matches.map(({ log }) => log.logIndex);
  expect(order).toEqual(order.toSorted((one, other) => one - other));
});

/** An event of which two of 60 arguments are indexed, at other places each. */
function costly(nth: number): string {
  const at = nth % 58;
  const other = at + 1 + (Math.floor(nth / 58) % (59 - at));
  const types = Array.from({ length: 60 }, (_, index) =>
    index === at || index === other ? "uint256 indexed" : "uint256",
  );
  return `Costly(${types.join(", ")})`;
}

test("lets other work run while the logs of a hostile block are matched", async () => {
  const parser = createEventParser();
  const hostile = Array.from({ length: projects }, (_, id) => {
    const events = Array.from({ length: 100 }, (__, nth) =>
      costly(id * 100 + nth),
    );
    const filters = { contractAddresses: [], events };
    return toListener({ ...{ id, project_id: id }, filters }, parser);
  });
  const { topicHash } = parseEventSignature(costly(0));
  const [log] = logs;
  if (log === undefined) throw new Error("there is a log");
  const data = concatHex([...Array<Hex>(58).fill(word(7)), "0xff"]);
  const block = Array.from({ length: 50 }, (_, logIndex) => ({
    ...{ ...log, data, logIndex, topics: [topicHash, word(1), word(2)] },
  }));
  const limits = { perProject: 20_000, maxItems: 100, total: 200_000 };
  const match = () => matchLogs(createIndex(1, hostile).index, block, limits);
  // The first runs also compile, and any run can collect garbage.
  await expect.poll(() => longestStep(match)).toBeLessThan(50);
});
