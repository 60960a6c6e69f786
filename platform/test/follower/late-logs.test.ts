import { expect, test, vi } from "vitest";

import type { FollowerOptions } from "../../follower/follower.js";
import { readProgress } from "../../follower/metrics.js";
import type { Network } from "../../network/networks.js";
import { openTestDatabase } from "../support/test-database.js";
import {
  createRecord,
  follow,
  replaceAnswers,
  startChain,
} from "./follow-chain.js";

const database = await openTestDatabase();
const often = { interval: 20 };

/** Follows a chain whose node can know blocks but not their logs. */
async function setUp(
  createNetwork: (network: Network, isLate: () => boolean) => Network,
  isFiltered = false,
  options: Partial<FollowerOptions> = {},
) {
  const chain = await startChain();
  const record = createRecord(chain.contract);
  const name = crypto.randomUUID();
  const state = { isLate: false };
  const network = createNetwork(chain.network, () => state.isLate);
  const { consumer } = record;
  follow(database, name, network, consumer, {
    ...options,
    ...(isFiltered && { addresses: [chain.contract] }),
  });
  await chain.mine(1);
  await expect.poll(() => record.history, often).toEqual(["+2"]);
  return { chain, record, state, name };
}

/** Makes the only node return no logs while it is late. */
const withLateLogs = (network: Network, isLate: () => boolean): Network =>
  replaceAnswers(network, (ask, question) =>
    isLate() && question.includes("eth_getLogs") ? Promise.resolve([]) : ask(),
  );

const readIncomplete = async (name: string): Promise<unknown> => {
  const all = await readProgress(database);
  return all.find(({ follower }) => follower === name)?.incomplete;
};

test.for([false, true])(
  "waits for logs that the node does not have yet, filtered: %s",
  async (isFiltered) => {
    const asked = vi.fn<() => void>();
    const { chain, record, state } = await setUp((network, isLate) => {
      const late = withLateLogs(network, isLate);
      return replaceAnswers(late, (_, question) => {
        if (question.includes("eth_getLogs") && isLate()) asked();
        return late.client().request(JSON.parse(question));
      });
    }, isFiltered);
    state.isLate = true;
    await chain.mine(1);
    await expect
      .poll(() => asked.mock.calls.length, often)
      .toBeGreaterThanOrEqual(3);
    state.isLate = false;
    await expect.poll(() => record.history, often).toEqual(["+2", "+3"]);
  },
);

test("asks the other nodes for missing logs", async () => {
  const { chain, record, state } = await setUp((network, isLate) => {
    const [url = ""] = network.rpcUrls;
    const late = withLateLogs(network, isLate);
    // The first node is late, and the others are not.
    const clients = [late.client(), ...network.nodes(), ...network.nodes()];
    return { ...late, nodes: () => clients, rpcUrls: [url, url, url] };
  });
  state.isLate = true;
  await chain.mine(1);
  await expect.poll(() => record.history, often).toEqual(["+2", "+3"]);
});

test("adds a block without its logs after a while, and the logs when they arrive", async () => {
  const { chain, name, record, state } = await setUp(withLateLogs, false, {
    ...{ patienceMs: 100, repairMs: 50 },
  });
  state.isLate = true;
  await chain.mine(1);
  await expect.poll(() => readIncomplete(name), often).toBe(1);
  expect(record.history).toEqual(["+2"]);
  state.isLate = false;
  await expect.poll(() => record.history, often).toEqual(["+2", "+3"]);
  await expect.poll(() => readIncomplete(name), often).toBe(0);
  await chain.mine(1);
  await expect.poll(() => record.history, often).toEqual(["+2", "+3", "+4"]);
});

test("reads only blocks with logs while it catches up with a filter", async () => {
  const chain = await startChain();
  await chain.client.mine({ blocks: 120 });
  await chain.mine(2);
  await chain.client.mine({ blocks: 80 });
  const onBlocks = vi.fn(() => Promise.resolve());
  const consumer = { onBlocks, onBlocksRemoved: onBlocks };
  const name = crypto.randomUUID();
  const { network } = chain;
  const addresses = [chain.contract];
  follow(database, name, network, consumer, { addresses });
  const head = Number(await chain.client.getBlockNumber());
  const read = async () =>
    (await readProgress(database)).find(({ follower }) => follower === name);
  await expect.poll(read, often).toMatchObject({
    ...{ firstNumber: 0, nextNumber: head + 1, headNumber: head },
    ...{ incomplete: 0, isRunning: true },
  });
  const blocks = onBlocks.mock.calls.flatMap((call: readonly unknown[]) =>
    Object(call[1]).map(({ number, logs }: { number: number; logs: [] }) => ({
      ...{ number, logs: logs.length },
    })),
  );
  // Besides the last 32 blocks, only the ends of ranges are read.
  expect(blocks.length).toBeLessThan(32 + 10);
  expect(blocks.filter(({ logs }: { logs: number }) => logs > 0)).toEqual([
    { number: 122, logs: 2 },
    { number: 123, logs: 2 },
  ]);
});
