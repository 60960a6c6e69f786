import { sql } from "kysely";
import { numberToHex, parseEther } from "viem";
import { expect, onTestFinished, test } from "vitest";

import { smartWallet } from "../../chain/artifacts/smart-wallet.js";
import { openChainWallet } from "../../chain/chain-wallet.js";
import {
  accounts,
  costOf,
  errorOf,
  openRelaying,
  relayOf,
} from "../support/open-relaying.js";
import { callOf } from "../support/relaying.js";
import { servePlatform } from "../support/serve-platform.js";
import { testChainId as chainId } from "../support/start-chain.js";

const {
  anvil,
  answering,
  database,
  chain,
  owner,
  platform,
  second,
  createWallet,
  startWorking,
  openProject,
  openSponsor,
} = await openRelaying();

test("makes a sponsored wallet's call, and the tank pays exactly its cost", async () => {
  const { wallet, relay, readTank, settled } = await openSponsor();
  startWorking();
  await owner.sendTransactionSync({ to: wallet, value: 1000n });
  const to = "0x00000000000000000000000000000000000000A1";
  const before = await owner.getBalance({ address: to });
  const pending = await relayOf(relay(callOf(wallet, { to, value: 300n })));
  expect(pending.status).toBe("pending");
  const done = await settled(pending);
  const cost = await costOf(owner, done);
  expect(done).toMatchObject({ status: "done", cost: cost.toString() });
  expect(await readTank()).toBe(parseEther("1") - cost);
  expect(await owner.getBalance({ address: to })).toBe(before + 300n);
  expect(await owner.getBalance({ address: wallet })).toBe(700n);
});

test("a tank pays at most what was reserved, however much a rollup charges", async () => {
  const { wallet, relay, readTank, settled } = await openSponsor();
  const withFee = async (ask: () => Promise<unknown>): Promise<unknown> => {
    const receipt = await ask();
    return (
      receipt && { ...Object(receipt), l1Fee: numberToHex(parseEther("2")) }
    );
  };
  startWorking(answering("eth_getTransactionReceipt", withFee));
  const done = await settled(await relayOf(relay(callOf(wallet))));
  const { max_cost: reserved } = await database
    .selectFrom("relays")
    .select("max_cost")
    .where("id", "=", done.id)
    .executeTakeFirstOrThrow();
  expect(done).toMatchObject({ status: "done", cost: reserved });
  expect(await readTank()).toBe(parseEther("1") - BigInt(reserved));
});

test("reserves the data fee and the operator fee that a rollup announces", async () => {
  const { wallet, sponsor, fill, relay } = await openProject();
  const address = "0x420000000000000000000000000000000000000F";
  // Answers every call with 0.3 ether. Twice the fees are reserved.
  const fee = numberToHex(parseEther("0.3"), { size: 32 }).slice(2);
  await anvil.setCode({ address, bytecode: `0x7f${fee}60005260206000f3` });
  onTestFinished(() => anvil.setCode({ address, bytecode: "0x" }));
  await sponsor(wallet);
  await fill(parseEther("1"));
  expect(await errorOf(relay(callOf(wallet)))).toMatch(
    /^Unavailable: .*gas tank/u,
  );
  await fill(parseEther("1"));
  expect((await relayOf(relay(callOf(wallet)))).status).toBe("pending");
});

test("relays on a network that charges nothing", async () => {
  const { wallet, relay, readTank, settled } = await openSponsor();
  const handles = answering(null, async (ask, _, method) => {
    if (method === "eth_maxPriorityFeePerGas") return "0x0";
    const answer = await ask();
    const isBlock = method === "eth_getBlockByNumber";
    return isBlock ? { ...Object(answer), baseFeePerGas: "0x0" } : answer;
  });
  const [network] = handles.all;
  if (network === undefined) throw new Error("the network is missing");
  const changes = { networks: [chain.network] };
  const on = servePlatform(database, changes, () => network.client());
  const { id } = await relayOf(relay(callOf(wallet), { on }));
  const { max_cost: maxCost } = await database
    .selectFrom("relays")
    .select("max_cost")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  expect(maxCost).toBe("0");
  startWorking();
  const done = await settled({ id, status: "pending" });
  expect(await readTank()).toBe(parseEther("1") - (await costOf(owner, done)));
});

test("an empty or fully reserved tank pays nothing", async () => {
  const { wallet, sponsor, fill, relay, countRelays } = await openProject();
  await sponsor(wallet);
  const poor = /^Unavailable: the project's gas tank has insufficient/u;
  expect(await errorOf(relay(callOf(wallet)))).toMatch(poor);
  await fill(1n);
  expect(await errorOf(relay(callOf(wallet)))).toMatch(poor);
  expect(await countRelays()).toBe(0);
  await fill(parseEther("1"));
  const { id } = await relayOf(relay(callOf(wallet)));
  // Almost the whole balance is reserved for this relay.
  await database
    .updateTable("gas_tanks")
    .set({ balance: sql<string>`max_cost + 1` })
    .from("relays")
    .where("relays.id", "=", id)
    .whereRef("gas_tanks.id", "=", "relays.gas_tank_id")
    .execute();
  const other = await createWallet();
  await sponsor(other);
  expect(await errorOf(relay(callOf(other)))).toMatch(poor);
});

test("completes each relay only once, even if the worker is killed before it sends relays or records their receipts", async () => {
  const { wallet, sponsor, relay, getRelay, readTank, settled } =
    await openSponsor();
  const others = [await createWallet(), await createWallet()];
  for (const each of others) await sponsor(each);
  const relays = await Promise.all(
    // No worker is running, as if it had been killed.
    [wallet, ...others].map((each, index) =>
      relayOf(relay(callOf(each), { on: index % 2 ? second : platform })),
    ),
  );
  const [first] = relays;
  if (first === undefined) throw new Error("there are no relays");
  // Some relays are sent, but their receipts are not recorded.
  const before = await owner.getTransactionCount(accounts.relayer);
  const stop = startWorking(answering("eth_getTransactionReceipt", () => null));
  await expect
    .poll(() => owner.getTransactionCount(accounts.relayer))
    .toBeGreaterThan(before);
  await stop();
  expect((await getRelay(first.id)).status).toBe("pending");
  startWorking();
  startWorking();
  const done = await Promise.all(relays.map(settled));
  const costs = await Promise.all(done.map((each) => costOf(owner, each)));
  const total = costs.reduce((sum, cost) => sum + cost, 0n);
  expect(done.map(({ status }) => status)).toEqual(["done", "done", "done"]);
  expect(await readTank()).toBe(parseEther("1") - total);
});

test("charges for a call that fails later, and frees its nonce", async () => {
  const { wallet, relay, readTank, settled } = await openSponsor();
  await owner.sendTransactionSync({ to: wallet, value: 5n });
  const to = "0x00000000000000000000000000000000000000a3";
  const pending = await relayOf(relay(callOf(wallet, { to, value: 5n })));
  // Meanwhile, the wallet transfers its balance.
  const user = openChainWallet(chain.rpcUrl, chainId, accounts.user);
  await user.writeContractSync({
    ...{ address: wallet, abi: smartWallet.abi, functionName: "execute" },
    args: [accounts.user.address, 5n, "0x"],
  });
  startWorking();
  const reverted = await settled(pending);
  const cost = await costOf(owner, reverted);
  expect(reverted).toMatchObject({ status: "reverted", cost: String(cost) });
  expect(await readTank()).toBe(parseEther("1") - cost);
  const again = await relayOf(relay(callOf(wallet)));
  expect((await settled(again)).status).toBe("done");
});
