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

test("a sponsored wallet's call is made, and the tank pays exactly what it cost", async () => {
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

test("a rollup's fee for data is paid by the tank, too, even if it then owes", async () => {
  const { wallet, relay, readTank, settled } = await openSponsor();
  const l1Fee = parseEther("2");
  const withFee = async (ask: () => Promise<unknown>): Promise<unknown> => {
    const receipt = await ask();
    return receipt && { ...Object(receipt), l1Fee: numberToHex(l1Fee) };
  };
  startWorking(answering("eth_getTransactionReceipt", withFee));
  const done = await settled(await relayOf(relay(callOf(wallet))));
  const cost = (await costOf(owner, done)) + l1Fee;
  expect(done).toMatchObject({ status: "done", cost: cost.toString() });
  expect(await readTank()).toBe(parseEther("1") - cost);
  expect(await errorOf(relay(callOf(wallet, { nonce: 1n })))).toMatch(
    /^Unavailable: .*gas tank/u,
  );
});

test("what a rollup says that it will charge for data is kept back", async () => {
  const { wallet, sponsor, fill, relay } = await openProject();
  const address = "0x420000000000000000000000000000000000000F";
  // Answers 0.6 ether, whatever it is asked.
  const fee = numberToHex(parseEther("0.6"), { size: 32 }).slice(2);
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

test("a tank that is empty, or kept for others, pays nothing", async () => {
  const { wallet, sponsor, fill, relay, countRelays } = await openProject();
  await sponsor(wallet);
  const poor = /^Unavailable: there is too little in the gas tank/u;
  expect(await errorOf(relay(callOf(wallet)))).toMatch(poor);
  await fill(1n);
  expect(await errorOf(relay(callOf(wallet)))).toMatch(poor);
  expect(await countRelays()).toBe(0);
  await fill(parseEther("1"));
  const { id } = await relayOf(relay(callOf(wallet)));
  // All but a little is kept for that one.
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

test("killed before it sends or before it books, it does each once afterwards", async () => {
  const { wallet, sponsor, relay, getRelay, readTank, settled } =
    await openSponsor();
  const others = [await createWallet(), await createWallet()];
  for (const each of others) await sponsor(each);
  const relays = await Promise.all(
    // Nobody works yet: this is what a kill leaves behind.
    [wallet, ...others].map((each, index) =>
      relayOf(relay(callOf(each), { on: index % 2 ? second : platform })),
    ),
  );
  const [first] = relays;
  if (first === undefined) throw new Error("there are three");
  // Some are sent, and their receipts are not booked.
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

test("a call that fails after all is paid for, and its nonce is free again", async () => {
  const { wallet, relay, readTank, settled } = await openSponsor();
  await owner.sendTransactionSync({ to: wallet, value: 5n });
  const to = "0x00000000000000000000000000000000000000a3";
  const pending = await relayOf(relay(callOf(wallet, { to, value: 5n })));
  // Meanwhile the wallet has given away what it had.
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
