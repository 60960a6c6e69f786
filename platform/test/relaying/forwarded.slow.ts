import {
  type Address,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  parseEther,
} from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { expect, onTestFinished, test } from "vitest";

import { fixtureGuestbook } from "../../chain/artifacts/fixture-guestbook.js";
import { openChainWallet } from "../../chain/chain-wallet.js";
import { forwarderAddress } from "../../chain/forwarder.js";
import type { ForwardedCall } from "../../relaying/forwarded-call.js";
import type { Relay } from "../../relaying/generated/types.js";
import {
  accounts,
  costOf,
  errorOf,
  openRelaying,
  relayOf,
} from "../support/open-relaying.js";
import { entryOf, signCall } from "../support/relaying.js";
import { headersOf, servePlatform } from "../support/serve-platform.js";
import { testChainId as chainId } from "../support/start-chain.js";

const {
  anvil,
  answering,
  chain,
  database,
  openProject,
  owner,
  platform,
  second,
  startWorking,
} = await openRelaying();
const { fixtures } = chain;
const path = "/rpc/Relaying/Relay";

/**
 * Creates a project that sponsors a plain account and has one ether in its
 * tank.
 */
async function openGuest() {
  const guest = privateKeyToAccount(generatePrivateKey());
  const project = await openProject();
  await project.sponsor(guest.address);
  await project.fill(parseEther("1"));
  const sign = (change: Partial<ForwardedCall> = {}): ForwardedCall =>
    entryOf(guest, fixtures.guestbook, change);
  const relay = (call = sign(), on = platform) =>
    project.relay(call, { signer: guest, on });
  const readEntry = (): Promise<string> =>
    owner.readContract({
      ...{ address: fixtures.guestbook, abi: fixtureGuestbook.abi },
      ...{ functionName: "entryOf", args: [guest.address] },
    });
  return { ...project, guest, sign, relay, readEntry };
}

type Guest = Awaited<ReturnType<typeof openGuest>>;

/** Checks that the tank has paid exactly what the relays cost on the chain. */
async function expectPaid(
  { readTank }: Pick<Guest, "readTank">,
  ...relays: readonly Relay[]
): Promise<void> {
  const costs = await Promise.all(relays.map((each) => costOf(owner, each)));
  expect(relays.map(({ cost }) => cost)).toEqual(costs.map(String));
  const total = costs.reduce((sum, cost) => sum + cost, 0n);
  expect(await readTank()).toBe(parseEther("1") - total);
}

test("makes a sponsored account's call, and the tank pays exactly its cost", async () => {
  const opened = await openGuest();
  const { guest, readEntry, relay, settled } = opened;
  startWorking();
  const done = await settled(await relayOf(relay()));
  expect(done.status).toBe("done");
  expect(await readEntry()).toBe("Hello");
  await expectPaid(opened, done);
  expect(await owner.getBalance(guest)).toBe(0n);
  expect(await owner.getTransactionCount(guest)).toBe(0);
});

test("makes any account's call to a sponsored contract, but rejects one that sends value", async () => {
  const opened = await openGuest();
  const { project, relay, settled, sponsor, sign } = opened;
  await sponsor(opened.guest.address, false);
  expect(await errorOf(relay())).toMatch(/^PermissionDenied: the project/u);
  await sponsor(fixtures.guestbook);
  startWorking();
  const done = await settled(await relayOf(relay()));
  await expectPaid(opened, done);
  const signed = await signCall(chainId, sign({ value: 1n }), opened.guest);
  expect(
    await errorOf(platform.call(path, headersOf(project), signed)),
  ).toMatch(/^InvalidArgument: value: expected 0/u);
});

test("rejects calls that are invalid or not signed by the account, and states why", async () => {
  const { countRelays, guest, project, readTank, relay, sign } =
    await openGuest();
  const send = (message: object): Promise<string> =>
    errorOf(platform.call(path, headersOf(project), message));
  const unsigned =
    "InvalidArgument: signature: the wallet has not signed this call for this chain";
  const message = await signCall(chainId, sign(), guest);
  const forged = await signCall(chainId, sign(), accounts.other);
  expect(await send(forged)).toBe(unsigned);
  expect(await send(await signCall(1, sign(), guest))).toBe(unsigned);
  expect(await send({ ...message, gas: "100001" })).toBe(unsigned);
  expect(await send({ ...message, data: "0x" })).toBe(unsigned);
  expect(await send({ ...message, signature: "0x" })).toBe(unsigned);
  expect(await send({ ...message, deadline: 1 })).toMatch(
    /^InvalidArgument: deadline: it has passed$/u,
  );
  expect(await send({ ...message, deadline: 2 ** 48 })).toMatch(
    /^InvalidArgument: deadline: expected seconds since 1970, below 2\^48/u,
  );
  expect(await send({ ...message, gas: -1 })).toMatch(
    /^InvalidArgument: gas: expected /u,
  );
  expect(await errorOf(relay(sign({ nonce: 1n })))).toBe(
    `InvalidArgument: nonce: the next nonce of ${guest.address} is 0`,
  );
  expect([await countRelays(), await readTank()]).toEqual([0, parseEther("1")]);
});

test("rejects a call that fails, or whose contract does not trust the forwarder", async () => {
  const { countRelays, guest, relay, sign } = await openGuest();
  const args = [guest.address, 0n] as const;
  const approve = { abi: erc20Abi, functionName: "approve", args } as const;
  const data = encodeFunctionData(approve);
  expect(await errorOf(relay(sign({ to: fixtures.gold, data })))).toBe(
    `InvalidArgument: to: it does not trust the forwarder ${forwarderAddress}`,
  );
  expect(await errorOf(relay(sign({ to: guest.address })))).toMatch(
    /^InvalidArgument: to: it does not trust/u,
  );
  const failing = /^InvalidArgument: the wallet rejects the call, or the call/u;
  expect(await errorOf(relay(sign({ data })))).toMatch(failing);
  expect(await errorOf(relay(sign({ gas: 1000n })))).toMatch(failing);
  expect(await errorOf(relay(sign({ gas: 2n ** 256n - 1n })))).toMatch(failing);
  expect(await countRelays()).toBe(0);
});

test("answers a replay with the same relay, and makes the call only once", async () => {
  const opened = await openGuest();
  const { guest, relay, settled, sign } = opened;
  const answers = [platform, second, platform].map((on) =>
    relayOf(relay(sign(), on)),
  );
  const [first, ...others] = await Promise.all(answers);
  if (first === undefined) throw new Error("there is no answer");
  expect(others.map(({ id }) => id)).toEqual([first.id, first.id]);
  startWorking();
  const done = await settled(first);
  expect(await relayOf(relay())).toMatchObject({ id: first.id });
  // Another project that sponsors the account cannot repeat the call.
  const other = await openProject();
  await other.sponsor(guest.address);
  expect(await errorOf(other.relay(sign(), { signer: guest }))).toBe(
    `InvalidArgument: nonce: the next nonce of ${guest.address} is 1`,
  );
  await expectPaid(opened, done);
});

/** Returns a function that runs another one once. */
function once<Result>(run: () => Promise<Result>): () => Promise<Result> {
  let result: Promise<Result> | null = null;
  return () => (result ??= run());
}

test.each([
  { mined: true, key: null },
  { mined: false, key: null },
  { mined: true, key: "pay" },
  { mined: false, key: "pay" },
])(
  "a repetition that is examined while the call is stored gets its relay: %j",
  async ({ key, mined }) => {
    const { guest, project, settled, sign } = await openGuest();
    const message = await signCall(chainId, sign(), guest);
    const headers = {
      ...headersOf(project),
      ...(key !== null && { "idempotency-key": `"${key}"` }),
    };
    const send = (on = platform) => on.call(path, headers, message);
    if (mined) startWorking();
    const sendFirst = once(async () => {
      const stored = await relayOf(send());
      if (mined) await settled(stored);
      return stored;
    });
    const [slow] = answering("eth_getCode", async (ask) => {
      await sendFirst();
      return ask();
    }).all;
    if (slow === undefined) throw new Error("the network is missing");
    const { settings } = platform.platform;
    const repeated = await relayOf(
      send(servePlatform(database, settings, () => slow.client())),
    );
    const stored = await sendFirst();
    expect(repeated.id).toBe(stored.id);
    if (key !== null) expect(repeated).toEqual(stored);
  },
);

test("rejects a call if the tank has too little", async () => {
  const guest = privateKeyToAccount(generatePrivateKey());
  const { countRelays, fill, relay, sponsor } = await openProject();
  await sponsor(guest.address);
  await fill(1n);
  const call = entryOf(guest, fixtures.guestbook);
  expect(await errorOf(relay(call, { signer: guest }))).toMatch(
    /^Unavailable: the project's gas tank has insufficient/u,
  );
  expect(await countRelays()).toBe(0);
});

test("charges for a call that reverts later, and leaves its nonce unused", async () => {
  const opened = await openGuest();
  const { guest, relay, settled, sign } = opened;
  const pending = await relayOf(relay());
  // Meanwhile, the guest signs without the forwarder.
  const value = parseEther("1");
  await owner.sendTransactionSync({ to: guest.address, value });
  await openChainWallet(chain.rpcUrl, chainId, guest).writeContractSync({
    ...{ address: fixtures.guestbook, abi: fixtureGuestbook.abi },
    ...{ functionName: "sign", args: ["First"] },
    throwOnReceiptRevert: true,
  });
  startWorking();
  const reverted = await settled(pending);
  expect(reverted.status).toBe("reverted");
  await expectPaid(opened, reverted);
  const to = await placeContract(agreeing);
  const next = await settled(await relayOf(relay(sign({ to }))));
  expect(next.status).toBe("done");
  await expectPaid(opened, reverted, next);
});

test("pays at most the reserved amount for a call that uses all its gas", async () => {
  const opened = await openGuest();
  const { project, relay, settled, sign } = opened;
  const to = await placeContract(agreeing);
  const pending = await relayOf(relay(sign({ to })));
  // The call is harmless when it is accepted, but not when it runs.
  await placeContract(greedy, to);
  const other = await openGuest();
  startWorking();
  const reverted = await settled(pending);
  expect(reverted.status).toBe("reverted");
  await expectPaid(opened, reverted);
  const { gas, max_cost: maxCost } = await database
    .selectFrom("relays")
    .select(["gas", "max_cost"])
    .where("project_id", "=", project.id)
    .executeTakeFirstOrThrow();
  expect(reverted.gasUsed).toBe(gas);
  expect(BigInt(reverted.cost ?? 0)).toBeLessThanOrEqual(BigInt(maxCost));
  expect(await errorOf(relay(sign({ to })))).toMatch(/^InvalidArgument: the/u);
  const done = await other.settled(await relayOf(other.relay()));
  await expectPaid(other, done);
});

test("charges for each call only once, even if the worker is killed before it reads the receipt", async () => {
  const opened = await openGuest();
  const { getRelay, readEntry, relay, settled } = opened;
  const pending = await relayOf(relay());
  const stop = startWorking(answering("eth_getTransactionReceipt", () => null));
  await expect.poll(readEntry).toBe("Hello");
  await stop();
  expect((await getRelay(pending.id)).status).toBe("pending");
  startWorking();
  startWorking();
  await expectPaid(opened, await settled(pending));
});

test("reports that the forwarder is not deployed", async () => {
  const { countRelays, relay } = await openGuest();
  const code = await anvil.getCode({ address: forwarderAddress });
  if (code === undefined) throw new Error("the forwarder is not deployed");
  await anvil.setCode({ address: forwarderAddress, bytecode: "0x" });
  onTestFinished(() =>
    anvil.setCode({ address: forwarderAddress, bytecode: code }),
  );
  expect(await errorOf(relay())).toBe(
    `Unavailable: the forwarder ${forwarderAddress} is not deployed on hardhat`,
  );
  expect(await countRelays()).toBe(0);
});

/**
 * Answers all calls with 1, so it trusts every forwarder and does nothing else.
 */
const agreeing = "0x600160005260206000f3";

/** Trusts every forwarder, and uses all gas in any other call. */
const greedy = "0x36602414600b575b6007565b600160005260206000f3";

/** Deploys a contract that exists until the test ends. */
async function placeContract(
  bytecode: Hex,
  address = privateKeyToAccount(generatePrivateKey()).address,
): Promise<Address> {
  await anvil.setCode({ address, bytecode });
  onTestFinished(() => anvil.setCode({ address, bytecode: "0x" }));
  return address;
}
