import {
  createPublicClient,
  createTestClient,
  custom,
  erc20Abi,
  http,
} from "viem";
import { expect, test } from "vitest";

import { UnavailableError } from "../../../generated/errors.js";
import { Batch } from "../../network/batch.js";
import { openChainClient } from "../../network/chain-client.js";
import { createNetworks, type Network } from "../../network/networks.js";
import { openTestChain, silentNetworks } from "../support/start-chain.js";

const chain = await openTestChain();
const network = open("hardhat");

function open(handle: string): Network {
  const all = [chain.network, ...silentNetworks];
  const found = createNetworks(all, openChainClient).find(handle);
  if (found === null) throw new Error(`no network ${handle}`);
  return found;
}

const decimals = [erc20Abi, "decimals"] as const;

test("makes more calls than fit in one request", async () => {
  const { dollar, gold, owner, user } = chain.fixtures;
  const batch = new Batch(network);
  const asked = [dollar, gold].map((coin) => batch.ask(coin, ...decimals));
  const balances = Array.from({ length: 120 }, (_, index) =>
    batch.ask(dollar, erc20Abi, "balanceOf", [
      index % 2 === 0
        ? user
        : `0x${(index + 1000).toString(16).padStart(40, "0")}`,
    ]),
  );
  // There are no results before the batch runs.
  expect(asked[0]?.()).toBeNull();
  // The owner's address has no contract.
  const none = batch.ask(owner, ...decimals);
  const refused = batch.ask(dollar, erc20Abi, "symbol");
  const time = await batch.run();
  const block = await network.client().getBlock();
  expect(time).toBe(block.timestamp);
  expect(asked.map((answer) => answer())).toEqual([6, 18]);
  expect(balances.map((answer) => answer())).toEqual(
    balances.map((_, index) => (index % 2 === 0 ? 10_000_000_000n : 0n)),
  );
  expect(none()).toBeNull();
  expect(refused()).toBe("FUSD");
});

test("isolates each contract's response from the others", async () => {
  const client = createTestClient({
    mode: "anvil",
    transport: http(chain.rpcUrl),
  });
  const bad = {
    // Loops until it runs out of gas.
    "0x00000000000000000000000000000000000000b1": "0x5b5f56",
    // Returns as many bytes as its gas pays for.
    "0x00000000000000000000000000000000000000b2": "0x6140005ff3",
    // Reverts with as many bytes as its gas pays for.
    "0x00000000000000000000000000000000000000b3": "0x6140005ffd",
  } as const;
  const batch = new Batch(network);
  const answers = [];
  const addresses = Object.keys(bad) as (keyof typeof bad)[];
  for (const address of addresses) {
    await client.setCode({ address, bytecode: bad[address] });
    for (let time = 0; time < 15; time += 1) {
      const args = [`0x${String(time).padStart(40, "0")}`] as const;
      answers.push(batch.ask(address, erc20Abi, "balanceOf", args));
    }
  }
  const good = batch.ask(chain.fixtures.dollar, ...decimals);
  await batch.run();
  expect(good()).toBe(6);
  expect(answers.map((answer) => answer()).filter((each) => each)).toEqual([]);
});

test.each(["unreachable", "unknown-address"])(
  "fails if the chain does not respond, even without calls: %s",
  async (handle) => {
    const batch = new Batch(open(handle));
    await expect(batch.run()).rejects.toBeInstanceOf(UnavailableError);
  },
);

test("fails if the node's answer is not one of the batch reader", async () => {
  const request = () => Promise.resolve("0x0102");
  const [lying] = createNetworks([chain.network], () =>
    createPublicClient({ transport: custom({ request }, { retryCount: 0 }) }),
  ).all;
  if (lying === undefined) throw new Error("there is no network");
  const run = new Batch(lying).run();
  await expect(run).rejects.toBeInstanceOf(UnavailableError);
});
