import { sql } from "kysely";
import { getAddress, type Hash, parseEther, parseGwei, zeroHash } from "viem";
import { expect, onTestFinished, test } from "vitest";

import type { Relay } from "../../relaying/generated/types.js";
import {
  accounts,
  costOf,
  openRelaying,
  relayOf,
} from "../support/open-relaying.js";
import { callOf, entryOf } from "../support/relaying.js";

const opened = await openRelaying();
const { answering, anvil, chain, database, openSponsor, owner, settle } =
  opened;
const { networks } = opened.platform.platform;

/** Sends a relay's call, as anyone can who has seen it. */
async function makeCall({ id }: Relay): Promise<Hash> {
  const row = await database
    .selectFrom("relays")
    .selectAll()
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  return owner.sendTransaction({
    to: getAddress(row.forwarder ?? row.wallet),
    ...{ data: row.data, gas: 300_000n, maxPriorityFeePerGas: parseGwei("90") },
    maxFeePerGas: parseGwei("900"),
  });
}

async function holdBlocks(): Promise<void> {
  await anvil.setAutomine(false);
  onTestFinished(() => anvil.setAutomine(true));
}

const later = (timestamp: bigint) =>
  anvil
    .setNextBlockTimestamp({ timestamp })
    .then(() => anvil.mine({ blocks: 1 }));

test.each(["the wallet", "the forwarder"])(
  "a relay that reverts because anyone else made its call says so (%s)",
  async (place) => {
    const { getRelay, readTank, relay, sponsor, wallet } = await openSponsor();
    const { guestbook } = chain.fixtures;
    await sponsor(accounts.user.address);
    const call =
      place === "the wallet"
        ? callOf(wallet)
        : entryOf(accounts.user, guestbook);
    const sent = await relayOf(relay(call));
    await holdBlocks();
    await settle(networks, sent);
    await makeCall(sent);
    await anvil.mine({ blocks: 1 });
    await settle(networks, sent);
    const reverted = await getRelay(sent.id);
    expect(reverted).toMatchObject({ status: "reverted", nonceUsed: true });
    expect(await readTank()).toBe(
      parseEther("1") - (await costOf(owner, reverted)),
    );
  },
);

/** Opens a relay whose deadline passes after anyone else made its call. */
async function openMissed() {
  const { getRelay, readTank, relay, wallet } = await openSponsor();
  const { timestamp } = await owner.getBlock();
  const deadline = timestamp + 60n;
  const sent = await relayOf(relay(callOf(wallet, { deadline })));
  const hash = await makeCall(sent);
  // A node may mine it after its response, so it could miss the deadline, too.
  await owner.waitForTransactionReceipt({ hash });
  await later(deadline + 1n);
  return { sent, readTank, read: () => getRelay(sent.id) };
}

const silenced = answering("eth_call", () =>
  Promise.reject(new Error("no response")),
);

test("a relay that expires after anyone else made its call says so", async () => {
  const { read, readTank, sent } = await openMissed();
  await expect(settle(silenced, sent)).rejects.toThrow();
  expect((await read()).status).toBe("pending");
  await settle(networks, sent);
  expect(await read()).toMatchObject({ status: "expired", nonceUsed: true });
  expect(await readTank()).toBe(parseEther("1"));
});

test("an old relay expires although most nodes do not report the nonce", async () => {
  const { read, readTank, sent } = await openMissed();
  await sql`
    update relays set created_at = now() - interval '61 minutes'
    where id = ${sent.id}`.execute(database);
  await settle(silenced, sent);
  expect(await read()).toMatchObject({ status: "expired", nonceUsed: true });
  expect(await readTank()).toBe(parseEther("1"));
});

test("a relay that was accepted long ago is not old when its deadline has just passed", async () => {
  const { read, sent } = await openMissed();
  const setDeadline = (age: number) =>
    sql`
    update relays set created_at = now() - interval '1 day',
      deadline = floor(extract(epoch from now())) - ${age}
    where id = ${sent.id}`.execute(database);
  await setDeadline(3540);
  await expect(settle(silenced, sent)).rejects.toThrow();
  expect((await read()).status).toBe("pending");
  await setDeadline(3660);
  await settle(silenced, sent);
  expect(await read()).toMatchObject({ status: "expired", nonceUsed: true });
});

test("a relay that waited for long until it was sent is not old when it reverts", async () => {
  const { getRelay, relay, wallet } = await openSponsor();
  const sent = await relayOf(relay(callOf(wallet)));
  await sql`
    update relays set created_at = now() - interval '1 day'
    where id = ${sent.id}`.execute(database);
  await holdBlocks();
  await settle(networks, sent);
  await makeCall(sent);
  await anvil.mine({ blocks: 1 });
  await expect(settle(silenced, sent)).rejects.toThrow();
  expect((await getRelay(sent.id)).status).toBe("pending");
  await sql`
    update relay_transactions set created_at = now() - interval '61 minutes'
    where relay_id = ${sent.id}`.execute(database);
  await settle(silenced, sent);
  expect(await getRelay(sent.id)).toMatchObject({
    ...{ status: "reverted", nonceUsed: true },
  });
});

test.each([
  ["lags behind", () => zeroHash],
  ["fails", () => Promise.reject(new Error("no response"))],
])(
  "one of three nodes that %s does not hide that a nonce was used",
  async (_, answer) => {
    const { read, sent } = await openMissed();
    await settle(answering("eth_call", answer, { nodes: 3 }), sent);
    expect(await read()).toMatchObject({ status: "expired", nonceUsed: true });
  },
);

test("a relay whose call fails leaves the nonce unused", async () => {
  const { getRelay, relay, wallet } = await openSponsor();
  await anvil.setBalance({ address: wallet, value: 1n });
  const sent = await relayOf(relay(callOf(wallet, { to: wallet, value: 1n })));
  await anvil.setBalance({ address: wallet, value: 0n });
  const settled = async (): Promise<Relay> => {
    await settle(networks, sent);
    return getRelay(sent.id);
  };
  await expect.poll(settled).toMatchObject({ status: "reverted" });
  expect(await getRelay(sent.id)).not.toHaveProperty("nonceUsed");
});
