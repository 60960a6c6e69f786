import { pino } from "pino";
import { expect, onTestFinished, test, vi } from "vitest";

import type { BlockConsumer } from "../../follower/block.js";
import { readProgress } from "../../follower/metrics.js";
import { openNodes } from "../../follower/nodes.js";
import { readHeaders, readLogsOfRange } from "../../follower/read-blocks.js";
import { createVoters } from "../../follower/voters.js";
import { readNodeFaults } from "../../network/agreement/node-faults.js";
import { openTestDatabase } from "../support/test-database.js";
import {
  extend,
  extendBy,
  type FakeChain,
  type FakeNode,
  forge,
  networkOf,
  openFakeNode,
  token,
} from "./fake-nodes.js";
import { follow } from "./follow-chain.js";

const database = await openTestDatabase();
const often = { interval: 20 };

/** Two blocks, the second of which has a log. */
const start = extend(extend([]), [1]);

/**
 * Follows the chains that several nodes report. Records the number of each block
 * that has a log, with the log's data, and what is logged.
 */
async function setUp(
  chains: readonly FakeChain[],
  { isFiltered = false, patienceMs = 60_000 } = {},
) {
  const nodes = await Promise.all(chains.map(openFakeNode));
  const network = networkOf(nodes);
  const history: string[] = [];
  const consumer: BlockConsumer = {
    onBlocks: (_, blocks) => {
      for (const { logs, number, processed } of blocks) {
        const found = logs.filter(({ logIndex }) => !processed?.has(logIndex));
        history.push(...found.map((log) => `+${number}: ${Number(log.data)}`));
      }
      return Promise.resolve();
    },
    onBlocksRemoved: (_, blocks) => {
      history.push(...blocks.map(({ number }) => `-${number}`));
      return Promise.resolve();
    },
  };
  const lines: string[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(line) });
  const name = crypto.randomUUID();
  follow(database, name, network, consumer, {
    ...{ log, patienceMs, repairMs: 20 },
    ...(isFiltered && { addresses: [token] }),
  });
  const readOwn = async () => {
    const all = await readProgress(database);
    return all.find(({ follower }) => follower === name);
  };
  return {
    history,
    readLog: () => lines.join(""),
    readNext: async () => (await readOwn())?.nextNumber,
    readIncomplete: async () => (await readOwn())?.incomplete,
    readWrong: async () => {
      const faults = await readNodeFaults(database, { all: [network] }, 1);
      return faults.map(({ node, what }) => `${node}: ${what}`);
    },
    /** Changes a node, or all of them. */
    change: (index: number | null, changes: Partial<FakeNode>): void => {
      for (const [position, node] of nodes.entries()) {
        if ((index ?? position) === position) Object.assign(node, changes);
      }
    },
    /** Waits until a node has been asked some times more. */
    waitForRequests: async (index: number, count = 20): Promise<void> => {
      const before = nodes[index]?.asked.length ?? 0;
      await expect
        .poll(() => nodes[index]?.asked.length, often)
        .toBeGreaterThan(before + count);
    },
    askedOf: (index: number) => nodes[index]?.asked ?? [],
  };
}

/** Returns a chain as a node without Bloom filters reports it. */
function withoutBloom(chain: FakeChain): FakeChain {
  return chain.map((block) => ({ ...block, logsBloom: "0x" }));
}

/** Blocks after the last one with logs, and whether logs are filtered. */
const distances = [0, 100].flatMap((after) =>
  [false, true].map((isFiltered) => ({ after, isFiltered })),
);

test.for(distances)(
  "a log that one of three nodes invents is not believed: %o",
  async ({ after, isFiltered }) => {
    const honest = extendBy(start, after);
    const lying = forge(forge(honest, 0, [665]), 1, [1, 666]);
    const { history, readNext, readWrong } = await setUp(
      [lying, honest, honest],
      { isFiltered },
    );
    await expect.poll(readNext, often).toBe(honest.length);
    expect(history).toEqual(["+1: 1"]);
    await expect
      .poll(readWrong, often)
      .toEqual([expect.stringMatching(/^0: reports other logs of block 0x/u)]);
  },
);

test.for(distances)(
  "logs that one of three nodes omits are not lost: %o",
  async ({ after, isFiltered }) => {
    const honest = extendBy(extend(extend(start, [2]), [3, 4]), after);
    const lying = forge(forge(honest, 2, []), 3, [3]);
    const { history, readNext } = await setUp([lying, honest, honest], {
      isFiltered,
    });
    await expect.poll(readNext, often).toBe(honest.length);
    expect(history).toEqual(["+1: 1", "+2: 2", "+3: 3", "+3: 4"]);
  },
);

test("two nodes with different logs delay only these, and the block lacks them", async () => {
  const honest = extend(extend(start, [2, 3]), [4]);
  // Both logs set the same bits of the filter.
  const { change, history, readIncomplete, readLog } = await setUp(
    [forge(honest, 2, [2]), honest],
    { patienceMs: 100 },
  );
  await expect.poll(() => history, often).toEqual(["+1: 1", "+2: 2", "+3: 4"]);
  await expect.poll(readIncomplete, often).toBe(1);
  expect(readLog()).toContain("the nodes report different logs");
  change(0, { chain: honest });
  await expect.poll(readIncomplete, often).toBe(0);
  expect(history).toEqual(["+1: 1", "+2: 2", "+3: 4", "+2: 3"]);
});

test.for([false, true])(
  "logs that two nodes dispute far below the head arrive in the end, filtered: %s",
  async (isFiltered) => {
    const honest = extendBy(extend(start, [2, 3]), 1200);
    // Both logs set the same bits of the filter.
    const { change, history, readIncomplete, readNext } = await setUp(
      [forge(honest, 2, [2]), honest],
      { isFiltered, patienceMs: 100 },
    );
    await expect.poll(readNext, often).toBe(honest.length);
    expect(history).toEqual(["+1: 1", "+2: 2"]);
    expect(await readIncomplete()).toBe(1);
    change(0, { chain: honest });
    await expect.poll(readIncomplete, often).toBe(0);
    expect(history).toEqual(["+1: 1", "+2: 2", "+2: 3"]);
  },
);

test("a block that lacks logs and that one of two nodes lacks stops no other", async () => {
  const honest = extend(extend(start, [2, 3]), [4, 5]);
  const { change, history, readIncomplete, readLog, waitForRequests } =
    await setUp([forge(forge(honest, 2, [2]), 3, [4]), honest], {
      patienceMs: 100,
    });
  await expect.poll(readIncomplete, often).toBe(2);
  change(0, { lacks: [2] });
  await waitForRequests(0);
  change(0, { chain: honest });
  await expect.poll(readIncomplete, often).toBe(1);
  await waitForRequests(0);
  expect(history).toEqual(["+1: 1", "+2: 2", "+3: 4", "+3: 5"]);
  expect(readLog()).not.toContain("cannot follow the chain");
  change(0, { lacks: [] });
  await expect.poll(readIncomplete, often).toBe(0);
});

test("one of three nodes on a wrong fork neither adds nor removes blocks", async () => {
  const honest = extendBy(extend(start, [2]), 20);
  const { change, history, readNext, readWrong } = await setUp(
    [honest, honest, honest],
    { patienceMs: 100 },
  );
  await expect.poll(readNext, often).toBe(honest.length);
  const longer = extend(honest, [3]);
  change(null, { chain: longer });
  const fork = extendBy(extend(start, [666], "fork"), 60, "fork");
  change(0, { chain: fork });
  await expect.poll(readNext, often).toBe(longer.length);
  await expect
    .poll(readWrong, often)
    .toEqual(["0: reports another block 23 than most nodes"]);
  // The others need not have the same last block.
  const longest = extend(longer, [4]);
  change(1, { chain: extend(longest, [5]) });
  change(2, { chain: longest });
  await expect.poll(readNext, often).toBe(longest.length);
  expect(history).toEqual(["+1: 1", "+2: 2", "+23: 3", "+24: 4"]);
});

test("a reorganization that most nodes report removes blocks", async () => {
  const before = extend(start, [2]);
  const { change, history, readNext } = await setUp([before, before, before]);
  await expect.poll(readNext, often).toBe(before.length);
  const fork = extend(extend(start, [3], "fork"), [4]);
  change(0, { chain: fork });
  change(2, { chain: fork });
  await expect
    .poll(() => history, often)
    .toEqual(["+1: 1", "+2: 2", "-2", "+2: 3", "+3: 4"]);
});

test.for(["down", "silent"] as const)(
  "one of three nodes that is %s does not stop the others",
  async (state) => {
    const { change, history } = await setUp([start, start, start]);
    await expect.poll(() => history, often).toEqual(["+1: 1"]);
    change(0, { state });
    change(null, { chain: extend(start, [2]) });
    await expect.poll(() => history, often).toEqual(["+1: 1", "+2: 2"]);
  },
);

test("one of three nodes that lags behind does not stop the others", async () => {
  const { change, history } = await setUp([start, start, start]);
  await expect.poll(() => history, often).toEqual(["+1: 1"]);
  change(1, { chain: extend(start, [2]) });
  change(2, { chain: extend(start, [2]) });
  await expect.poll(() => history, often).toEqual(["+1: 1", "+2: 2"]);
});

test("two nodes with different blocks stop until they agree", async () => {
  const honest = extend(extend(start, [2]), [3]);
  const fork = extend(extend(start, [666], "fork"), [667]);
  const { change, history, readLog } = await setUp([start, start], {
    patienceMs: 100,
  });
  await expect.poll(() => history, often).toEqual(["+1: 1"]);
  change(0, { chain: fork });
  change(1, { chain: honest });
  await expect
    .poll(readLog, often)
    .toContain("RPC URLs 1 and 2 report different blocks");
  expect(history).toEqual(["+1: 1"]);
  change(0, { chain: honest });
  await expect.poll(() => history, often).toEqual(["+1: 1", "+2: 2", "+3: 3"]);
});

test("one of two nodes that lags behind removes no blocks", async () => {
  const honest = extend(extend(start, [2]), [3]);
  const { change, history, waitForRequests } = await setUp([honest, honest], {
    patienceMs: 50,
  });
  const all = ["+1: 1", "+2: 2", "+3: 3"];
  await expect.poll(() => history, often).toEqual(all);
  change(0, { chain: start });
  await waitForRequests(0, 3);
  change(null, { chain: extend(honest, [4]) });
  await expect.poll(() => history, often).toEqual([...all, "+4: 4"]);
});

test("one of two nodes that lags behind for long stops the other one", async () => {
  const honest = extend(extend(start, [2]), [3]);
  const { change, history, readLog, waitForRequests } = await setUp(
    [honest, honest],
    { patienceMs: 100 },
  );
  const all = ["+1: 1", "+2: 2", "+3: 3"];
  await expect.poll(() => history, often).toEqual(all);
  const longer = extend(honest, [4]);
  change(0, { chain: extend([]) });
  change(1, { chain: longer });
  await expect.poll(readLog, often).toContain("RPC URL 1 lags behind");
  // A single failure of the other one changes nothing.
  change(1, { state: "down" });
  await expect.poll(readLog, often).toContain("most nodes do not respond");
  change(1, { state: "up" });
  await waitForRequests(1, 3);
  expect(history).toEqual(all);
  change(0, { chain: longer });
  await expect.poll(() => history, often).toEqual([...all, "+4: 4"]);
  expect(readLog()).toContain("follows the chain again");
});

test("one of three nodes that decides alone removes no blocks while it lags behind", async () => {
  const honest = extend(extend(start, [2]), [3]);
  const { change, history, readLog } = await setUp([honest, honest, honest], {
    patienceMs: 100,
  });
  const all = ["+1: 1", "+2: 2", "+3: 3"];
  await expect.poll(() => history, often).toEqual(all);
  change(0, { state: "down" });
  change(1, { state: "down" });
  change(2, { chain: start });
  await expect.poll(readLog, often).toContain("others decide");
  await expect.poll(readLog, often).toContain("RPC URL 3 lags behind");
  expect(history).toEqual(all);
  change(2, { chain: extend(honest, [4]) });
  await expect.poll(() => history, often).toEqual([...all, "+4: 4"]);
});

test("one of two nodes that ran ahead alone waits for the other one", async () => {
  const { change, history, readLog, waitForRequests } = await setUp(
    [start, start],
    { patienceMs: 100 },
  );
  await expect.poll(() => history, often).toEqual(["+1: 1"]);
  change(1, { state: "down" });
  const lying = extendBy(extend(start, [666]), 5);
  change(0, { chain: lying });
  const alone = ["+1: 1", "+2: 666"];
  await expect.poll(() => history, often).toEqual(alone);
  await expect.poll(readLog, often).toContain("others decide");
  change(1, { state: "up" });
  await expect.poll(readLog, often).toContain("RPC URL 2 lags behind");
  change(0, { chain: extend(lying, [667]) });
  await waitForRequests(0, 3);
  expect(history).toEqual(alone);
});

test("one of two nodes decides once the other one has failed for long", async () => {
  const { change, history, readLog, waitForRequests } = await setUp(
    [start, start],
    { patienceMs: 300 },
  );
  await expect.poll(() => history, often).toEqual(["+1: 1"]);
  change(0, { state: "down" });
  const longer = extend(start, [2]);
  change(null, { chain: longer });
  await expect.poll(readLog, often).toContain("most nodes do not respond");
  expect(history).toEqual(["+1: 1"]);
  await expect.poll(() => history, often).toEqual(["+1: 1", "+2: 2"]);
  expect(readLog()).toContain("others decide");
  // When it is back, both decide again.
  change(0, { state: "up" });
  await waitForRequests(0);
  change(1, { chain: extend(longer, [666]) });
  await waitForRequests(1);
  expect(history).toEqual(["+1: 1", "+2: 2"]);
});

test.for(distances)(
  "logs that one of two nodes refuses are believed after a while: %o",
  async ({ after, isFiltered }) => {
    const { change, history } = await setUp([start, start], {
      ...{ isFiltered, patienceMs: 100 },
    });
    await expect.poll(() => history, often).toEqual(["+1: 1"]);
    change(0, { refused: ["eth_getLogs"] });
    change(null, { chain: extendBy(extend(start, [2]), after) });
    await expect.poll(() => history, often).toEqual(["+1: 1", "+2: 2"]);
  },
);

test.for(distances)(
  "one of two nodes that refuses batches does not stop the other: %o",
  async ({ after, isFiltered }) => {
    const { change, history, readNext, readWrong } = await setUp(
      [start, start],
      { isFiltered },
    );
    await expect.poll(() => history, often).toEqual(["+1: 1"]);
    const honest = extendBy(extend(extend(start, [2]), [3]), after);
    change(1, { refusesBatches: true });
    change(null, { chain: honest });
    await expect.poll(readNext, often).toBe(honest.length);
    expect(history).toEqual(["+1: 1", "+2: 2", "+3: 3"]);
    expect(await readWrong()).toEqual([]);
  },
);

test("blocks that one of two nodes lacks are believed after a while", async () => {
  const { change, history, readLog } = await setUp([start, start], {
    patienceMs: 100,
  });
  await expect.poll(() => history, often).toEqual(["+1: 1"]);
  change(1, { lacks: [2] });
  change(null, { chain: extend(extend(start, [2]), [3]) });
  await expect.poll(() => history, often).toEqual(["+1: 1", "+2: 2", "+3: 3"]);
  expect(readLog()).toContain("others decide");
});

test.for(distances)(
  "one of two nodes that reports no Bloom filters is not wrong: %o",
  async ({ after, isFiltered }) => {
    const honest = extendBy(start, after);
    const { history, readNext, readWrong } = await setUp(
      [withoutBloom(honest), honest],
      { isFiltered },
    );
    await expect.poll(readNext, often).toBe(honest.length);
    expect(history).toEqual(["+1: 1"]);
    expect(await readWrong()).toEqual([]);
  },
);

test.for(distances)(
  "a filter that one of three nodes invents is not believed: %o",
  async ({ after, isFiltered }) => {
    const honest = extendBy(extend(start), after);
    const bare = withoutBloom(honest);
    const lying = forge(honest, 2, [666]);
    const { history, readIncomplete, readNext, waitForRequests } = await setUp(
      [lying, bare, bare],
      { isFiltered, patienceMs: 100 },
    );
    await expect.poll(readNext, often).toBe(honest.length);
    await waitForRequests(0);
    expect(await readIncomplete()).toBe(0);
    expect(history).toEqual(["+1: 1"]);
  },
);

test("a node does not decide about blocks that the others lack in turns", async () => {
  let now = 0;
  const clock = vi.spyOn(performance, "now").mockImplementation(() => now);
  onTestFinished(() => clock.mockRestore());
  const lying = extend(start, [666], "fork");
  const chains = [lying, extend(start, [2]), extend(start, [2])];
  const fakes = await Promise.all(chains.map(openFakeNode));
  const source = {
    nodes: openNodes(networkOf(fakes)),
    voters: createVoters(3, 10),
  };
  /** Asks for a block that only one of the nodes has. */
  const ask = (at: number, having: number) => {
    now = at;
    for (const [node, fake] of fakes.entries()) {
      fake.lacks = node === having ? [] : [2];
    }
    return readHeaders(source, 2, 2);
  };
  for (const at of [0, 4, 8, 12]) {
    expect(await ask(at, 1)).toBeNull();
    expect(await ask(at + 2, 2)).toBeNull();
  }
  expect(await ask(16, 0)).toBeNull();
  expect(await ask(27, 0)).toHaveLength(1);
});

test("a range of one node whose chain has changed is no error", async () => {
  const node = await openFakeNode(extendBy(start, 2));
  const nodes = openNodes(networkOf([node]));
  const headers = await readHeaders({ nodes }, 0, 3);
  if (headers === null) throw new Error("the chain has no such blocks");
  node.chain = extendBy(start, 2, "fork");
  expect(await readLogsOfRange({ nodes }, headers)).toBeNull();
});

test("a new block costs each node one request for its logs", async () => {
  const { askedOf, change, history } = await setUp([start, start, start]);
  await expect.poll(() => history, often).toEqual(["+1: 1"]);
  change(null, { chain: extend(start, [2]) });
  await expect.poll(() => history, often).toEqual(["+1: 1", "+2: 2"]);
  for (const node of [0, 1, 2]) {
    const asked = askedOf(node);
    expect(asked.filter((each) => each === "eth_getLogs")).toHaveLength(3);
    expect(new Set(asked).size).toBe(3);
  }
});
