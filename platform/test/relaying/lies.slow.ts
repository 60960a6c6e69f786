import { sql } from "kysely";
import {
  type Hex,
  isHex,
  keccak256,
  numberToHex,
  parseEther,
  parseGwei,
  parseTransaction,
  RpcRequestError,
} from "viem";
import {
  generatePrivateKey,
  privateKeyToAccount,
  privateKeyToAddress,
} from "viem/accounts";
import { pino } from "pino";
import { Registry } from "prom-client";
import { expect, onTestFinished, test, vi } from "vitest";

import type { Networks } from "../../network/networks.js";
import { tooExpensive } from "../../relaying/evidence/price.js";
import type { Relay } from "../../relaying/generated/types.js";
import { measureRelays } from "../../relaying/metrics.js";
import { readNodeFaults } from "../../network/agreement/node-faults.js";
import { checkAccount } from "../../relaying/reconcile.js";
import { settleRelay } from "../../relaying/settle-relay.js";
import { saveGasSponsor } from "../../services/relayer/gas-sponsors.js";
import { costOf, openRelaying, relayOf } from "../support/open-relaying.js";
import { callOf } from "../support/relaying.js";
import { defaultSettings, servePlatform } from "../support/serve-platform.js";
import { testChainId } from "../support/start-chain.js";
import { silent } from "../support/test-database.js";

const opened = await openRelaying();
const { answering, anvil, database, openSponsor, owner } = opened;
const { networks } = opened.platform.platform;

// The clock of the embedded chain can be set, so this is a network of its own.
const relayKey = generatePrivateKey();
const account = privateKeyToAccount(relayKey);
await anvil.setBalance({ address: account.address, value: parseEther("9") });
const settings = { ...defaultSettings, embeddedChain: null, relayKey };
const on = servePlatform(database, {
  networks: networks.all,
  ...{ embeddedChain: null, relayKey },
});

type Changes = Partial<
  Pick<typeof settings, "fillersPerDay"> & { readonly oldRelayKey: Hex }
>;

const settle = async (
  { all }: Networks,
  { id }: Relay,
  changes: Changes = {},
): Promise<string | null | undefined> => {
  const parts = {
    ...{ database, log: silent },
    settings: { ...settings, ...changes },
  };
  const [network] = all;
  return network && settleRelay(parts, network, id);
};

const transactionsOf = async ({ id }: Pick<Relay, "id"> | { id: null }) =>
  database
    .selectFrom("relay_transactions")
    .selectAll()
    .where("account", "=", account.address.toLowerCase())
    .where("relay_id", "is not distinct from", id)
    .orderBy("created_at")
    .execute();

/** Settles a relay until a condition holds, and mines what it sends. */
const settleUntil = async (
  isReached: () => Promise<boolean>,
  ...parameters: Parameters<typeof settle>
): Promise<void> => {
  for (let round = 0; round < 60; round += 1) {
    await settle(...parameters);
    await anvil.mine({ blocks: 1 });
    if (await isReached()) return;
  }
  throw new Error(`pending: ${await settle(...parameters)}`);
};

/** Opens a sponsor and a relay of its wallet's call. */
async function openRelay(deadline?: bigint) {
  const sponsor = await openSponsor();
  const { getRelay, readTank, wallet } = sponsor;
  const call = callOf(wallet, deadline === undefined ? {} : { deadline });
  const sent = await relayOf(sponsor.relay(call, { on }));
  const isDone = async (): Promise<boolean> =>
    (await getRelay(sent.id)).status === "done";
  const paid = async () => parseEther("1") - (await readTank());
  return { ...sponsor, sent, isDone, paid };
}

async function checkLoss() {
  await anvil.mine({ blocks: 64 });
  const [network] = networks.all;
  const check = network && (await checkAccount(database, settings, network));
  if (!check) throw new Error("there is no relaying account");
  return check;
}

test("one false count signs nothing and sends no filler", async () => {
  const { isDone, sent } = await openRelay();
  let lies = 1;
  const lying = answering("eth_getTransactionCount", async (ask) => {
    const count = Number(await ask());
    lies -= 1;
    return numberToHex(lies < 0 ? count : count + 1_000_000);
  });
  expect(await settle(lying, sent)).toMatch(
    /^RPC URL 1 reports 1000000 transactions of 0x\w+, but the platform has signed 0/u,
  );
  expect(await transactionsOf(sent)).toEqual([]);
  for (let check = 0; check < 25; check += 1) await settle(lying, sent);
  expect(await isDone()).toBe(true);
  const signed = await transactionsOf(sent);
  expect(signed.map((each) => each.account_nonce)).toEqual([0]);
  expect(await transactionsOf({ id: null })).toEqual([]);
});

test("fills a gap of 20 nonces within the limit of a day, and books it as a loss", async () => {
  const nonce = await anvil.getTransactionCount({ address: account.address });
  const before = await checkLoss();
  await sql`
    insert into relay_account_checks
      (chain_id, account, block_number, nonce, balance, paid, difference)
    values (${testChainId}, ${account.address.toLowerCase()},
      ${before.blockNumber}, ${before.nonce}, ${String(before.balance)}, 0, 0)
  `.execute(database);
  // The account has signed a later nonce, and the chain has lost the others.
  const fields = {
    ...{ chainId: testChainId, to: account.address, gas: 21_000n },
    ...{ nonce: nonce + 19, maxFeePerGas: parseGwei("9") },
  };
  const lost = await account.signTransaction({ ...fields, type: "eip1559" });
  await sql`
    insert into relay_transactions
      (hash, chain_id, account, account_nonce, transaction)
    values (${keccak256(lost)}, ${testChainId}, ${account.address.toLowerCase()},
      ${nonce + 19}, ${lost})`.execute(database);
  const { isDone, paid, sent } = await openRelay();
  const later = answering("eth_getTransactionCount", () =>
    numberToHex(nonce + 20),
  );
  await settle(later, sent);
  expect(await transactionsOf(sent)).toMatchObject([
    { account_nonce: nonce + 20 },
  ]);
  for (let check = 0; check < 25; check += 1) {
    await settle(networks, sent, { fillersPerDay: 5 });
    await anvil.mine({ blocks: 1 });
  }
  // The one that was lost is the fifth.
  const fillers = async () =>
    (await transactionsOf({ id: null })).map((each) => each.account_nonce);
  expect(await fillers()).toHaveLength(5);
  expect(await settle(networks, sent, { fillersPerDay: 5 })).toMatch(
    /^the account has filled 5 nonces in 24 hours/u,
  );
  await settleUntil(isDone, networks, sent);
  expect(new Set(await fillers()).size).toBe(20);
  const registry = new Registry();
  measureRelays(registry, database, networks);
  const metrics = await registry.metrics();
  // The transaction that was lost is no filler of the platform.
  expect(metrics).toMatch(/^relay_filled_nonces\{network="\w+"\} 20$/mu);
  expect(metrics).toMatch(/^relay_fillers_wei\{network="\w+"\} [1-9]/mu);
  const check = await checkLoss();
  expect(check.unknown).toBe(0);
  expect(check.lost).toBeGreaterThan(0n);
  expect(check).toMatchObject({ paid: await paid(), lost: -check.difference });
});

test("a sponsor pays no more than its daily limit when the price rises", async () => {
  const { isDone, paid, project, sent, wallet } = await openRelay();
  const { max_cost: reserved } = await database
    .selectFrom("relays")
    .select("max_cost")
    .where("id", "=", sent.id)
    .executeTakeFirstOrThrow();
  await saveGasSponsor(
    database,
    {
      ...{ projectId: project.id, chainId: testChainId, address: wallet },
      ...{ name: "", active: true, dailyLimit: reserved },
    },
    10,
  );
  await anvil.setAutomine(false);
  onTestFinished(async () => {
    await anvil.setNextBlockBaseFeePerGas({ baseFeePerGas: 1n });
    await anvil.mine({ blocks: 1 });
    await anvil.setAutomine(true);
  });
  const setBaseFee = async (baseFeePerGas: bigint): Promise<void> => {
    await anvil.setNextBlockBaseFeePerGas({ baseFeePerGas });
    await anvil.mine({ blocks: 1 });
    await anvil.setNextBlockBaseFeePerGas({ baseFeePerGas });
  };
  await settle(networks, sent);
  const [first] = await transactionsOf(sent);
  const { maxFeePerGas = 0n } = parseTransaction(first?.transaction ?? "0x");
  await setBaseFee(maxFeePerGas + 1n);
  // The account pays for what the sponsor may not, and the call waits.
  const isCanceled = async (): Promise<boolean> =>
    (await transactionsOf(sent)).length > 1 && (await paid()) > 0n;
  await settleUntil(isCanceled, networks, sent);
  expect(await paid()).toBeLessThanOrEqual(BigInt(reserved));
  await setBaseFee(maxFeePerGas + 1n);
  expect(await settle(networks, sent)).toBe(
    "the sponsor has reached its limit for 24 hours",
  );
  await saveGasSponsor(
    database,
    {
      ...{ projectId: project.id, chainId: testChainId, address: wallet },
      ...{ name: "", active: true, dailyLimit: null },
    },
    10,
  );
  await setBaseFee(1n);
  await settleUntil(isDone, networks, sent);
});

test("a receipt that costs more than was signed charges nothing and is never final", async () => {
  const { getRelay, paid, sent } = await openRelay();
  const lying = answering("eth_getTransactionReceipt", async (ask) => {
    const receipt = Object(await ask());
    return { ...receipt, effectiveGasPrice: numberToHex(parseEther("100")) };
  });
  for (let check = 0; check < 5; check += 1) await settle(lying, sent);
  expect(await settle(lying, sent)).toMatch(/costs more than was signed$/u);
  const wrong = { chainId: testChainId, node: 0 };
  expect(await readNodeFaults(database, networks, 1)).toMatchObject([wrong]);
  await sql`
    update relay_transactions set created_at = now() - interval '2 days'
    where relay_id = ${sent.id}`.execute(database);
  await anvil.mine({ blocks: 600 });
  expect(await settle(lying, sent)).toMatch(/costs more than was signed$/u);
  expect((await getRelay(sent.id)).status).toBe("pending");
  expect(await paid()).toBe(0n);
  await settle(networks, sent);
  const done = await getRelay(sent.id);
  expect(done.status).toBe("done");
  expect(await paid()).toBe(await costOf(owner, done));
});

test("a base fee of 1 wei of the only node does not block the relay", async () => {
  const { isDone, sent } = await openRelay();
  await anvil.setNextBlockBaseFeePerGas({ baseFeePerGas: parseGwei("3") });
  await anvil.mine({ blocks: 1 });
  const lying = answering(null, async (ask, _, method) => {
    if (method === "eth_maxPriorityFeePerGas") return "0x0";
    const answer = await ask();
    return method === "eth_getBlockByNumber"
      ? { ...Object(answer), baseFeePerGas: "0x1" }
      : answer;
  });
  await anvil.setAutomine(false);
  onTestFinished(() => anvil.setAutomine(true));
  const mineAtThree = async (): Promise<boolean> => {
    for (let block = 0; block < 3; block += 1) {
      await anvil.setNextBlockBaseFeePerGas({ baseFeePerGas: parseGwei("3") });
      await anvil.mine({ blocks: 1 });
    }
    await sql`
      update relay_transactions set created_at = now() - interval '61 seconds'
      where relay_id = ${sent.id}
        and created_at > now() - interval '60 seconds'`.execute(database);
    return isDone();
  };
  await settleUntil(mineAtThree, lying, sent);
  expect((await transactionsOf(sent)).length).toBeGreaterThan(1);
});

/** Answers like a node that drops the transactions that it accepts. */
const drop = (_: unknown, transaction: unknown): string | null =>
  isHex(transaction) ? keccak256(transaction) : null;

test.each([0, 1])(
  "a node that drops transactions does not delay a relay (node %i of 2)",
  async (liar) => {
    const { isDone, sent } = await openRelay();
    const options = { nodes: 2, liar };
    const dropping = answering("eth_sendRawTransaction", drop, options);
    await settleUntil(isDone, dropping, sent);
    expect(await transactionsOf(sent)).toHaveLength(1);
  },
);

test("sends a lost transaction again while the price exceeds the limit", async () => {
  const { isDone, sent } = await openRelay();
  await settle(answering("eth_sendRawTransaction", drop), sent);
  const expensive = answering("eth_getBlockByNumber", async (ask) => ({
    ...Object(await ask()),
    baseFeePerGas: numberToHex(parseGwei("1000000")),
  }));
  expect(await settle(expensive, sent)).toBe(tooExpensive);
  const [signed, ...others] = await transactionsOf(sent);
  expect(others).toEqual([]);
  const { hash = "0x" } = signed ?? {};
  await expect
    .poll(() => anvil.getTransactionReceipt({ hash }).catch(() => null))
    .toMatchObject({ status: "success" });
  await settleUntil(isDone, networks, sent);
});

test("sends a lost transaction again while a node shows a receipt of it", async () => {
  const { isDone, sent } = await openRelay();
  await settle(answering("eth_sendRawTransaction", drop), sent);
  const { number, hash: blockHash } = await owner.getBlock();
  const lying = answering(
    "eth_getTransactionReceipt",
    async (ask, hash) =>
      (await ask()) ?? {
        ...{ transactionHash: hash, blockHash, status: "0x1", type: "0x2" },
        ...{ blockNumber: numberToHex(number), transactionIndex: "0x0" },
        ...{ gasUsed: "0x5208", effectiveGasPrice: "0x1", logs: [] },
        cumulativeGasUsed: "0x5208",
      },
    { nodes: 2 },
  );
  expect(await settle(lying, sent)).toMatch(
    /^RPC URL 2 has reached block \d+ without the receipt of/u,
  );
  const [{ hash = "0x" } = {}, ...others] = await transactionsOf(sent);
  expect(others).toEqual([]);
  await expect
    .poll(() => anvil.getTransactionReceipt({ hash }).catch(() => null))
    .toMatchObject({ status: "success" });
  await settleUntil(isDone, networks, sent);
});

const lieAboutGas = async (ask: () => Promise<unknown>): Promise<unknown> => {
  const receipt = Object(await ask());
  return { ...receipt, gasUsed: numberToHex(21_000) };
};

test.each([2, 3])(
  "a node that responds first does not decide what a relay costs (of %i)",
  async (nodes) => {
    const { getRelay, paid, sent } = await openRelay();
    let isLying = true;
    const method = "eth_getTransactionReceipt";
    const lying = answering(
      method,
      (ask) => (isLying ? lieAboutGas(ask) : ask()),
      {
        ...{ nodes, slowMs: 700 },
      },
    );
    await settle(lying, sent);
    if (nodes === 2) {
      await expect
        .poll(() => settle(lying, sent))
        .toMatch(/^RPC URLs 1 and 2 report different receipts of/u);
      expect(await paid()).toBe(0n);
      isLying = false;
    }
    const settleAndRead = async () => {
      await settle(lying, sent);
      return getRelay(sent.id);
    };
    await expect.poll(settleAndRead).toMatchObject({ status: "done" });
    const done = await getRelay(sent.id);
    expect(await paid()).toBe(await costOf(owner, done));
  },
);

test("neither signs nor books while most nodes do not respond", async () => {
  const { getRelay, isDone, sent } = await openRelay();
  const silent = answering(
    null,
    () => Promise.reject(new Error("no response")),
    { nodes: 2 },
  );
  expect(await settle(silent, sent)).toBe(
    "most nodes do not report a gas price",
  );
  expect(await transactionsOf(sent)).toEqual([]);
  await settle(
    answering("eth_getTransactionReceipt", () => null),
    sent,
  );
  expect(await transactionsOf(sent)).toHaveLength(1);
  await anvil.mine({ blocks: 1 });
  expect(await settle(silent, sent)).toMatch(
    /^too few nodes have the receipt of/u,
  );
  expect((await getRelay(sent.id)).status).toBe("pending");
  await settleUntil(isDone, networks, sent);
});

test("a doubt about an account that a relay does not use does not stop it", async () => {
  const { isDone, sent } = await openRelay();
  const oldRelayKey = generatePrivateKey();
  const old = privateKeyToAddress(oldRelayKey);
  const lying = answering("eth_getTransactionCount", (ask, address) =>
    String(address).toLowerCase() === old.toLowerCase() ? "0x9" : ask(),
  );
  await settleUntil(isDone, lying, sent, { oldRelayKey });
});

test("fills the nonces after one whose filler no node accepts", async () => {
  const nonce = await anvil.getTransactionCount({ address: account.address });
  const { isDone, sent } = await openRelay();
  const count = numberToHex(nonce + 3);
  const later = answering("eth_getTransactionCount", () => count);
  await sql`
    insert into relay_transactions
      (hash, chain_id, account, account_nonce, transaction)
    select 'lost', chain_id, account, ${nonce + 2}, transaction
    from relay_transactions limit 1`.execute(database);
  await settle(later, sent);
  await sql`delete from relay_transactions where hash = 'lost'`.execute(
    database,
  );
  const rejecting = answering("eth_sendRawTransaction", (ask, transaction) => {
    const raw = isHex(transaction) ? transaction : "0x";
    if (parseTransaction(raw).nonce !== nonce) return ask();
    const error = { code: -32_000, message: "not allowed" };
    throw new RpcRequestError({ body: {}, error, url: "http://localhost" });
  });
  const lines: string[] = [];
  const log = pino({}, { write: (line) => void lines.push(line) });
  const [network] = rejecting.all;
  const parts = { database, log, settings };
  expect(network && (await settleRelay(parts, network, sent.id))).toBe(
    `the nonce ${nonce} before it is not filled: no node accepts its transaction: not allowed`,
  );
  const fillers = await transactionsOf({ id: null });
  expect(fillers.map((each) => each.account_nonce)).toEqual(
    expect.arrayContaining([nonce, nonce + 1, nonce + 2]),
  );
  // This error means that the platform must not fill more nonces.
  expect(lines.join("")).not.toContain("cannot fill nonces");
  await settleUntil(isDone, networks, sent);
});

test("raises the price of a filler that stays unmined", async () => {
  const nonce = await anvil.getTransactionCount({ address: account.address });
  const { isDone, sent } = await openRelay();
  const ahead = {
    ...{ chainId: testChainId, to: account.address },
    gas: 21_000n,
  };
  const filler = await account.signTransaction({
    ...{ ...ahead, type: "eip1559", nonce, maxFeePerGas: parseGwei("3") },
  });
  await sql`
    insert into relay_transactions
      (hash, chain_id, account, account_nonce, transaction, max_cost,
        max_charge, signed_at_block, created_at)
    values (${keccak256(filler)}, ${testChainId},
      ${account.address.toLowerCase()}, ${nonce}, ${filler},
      ${String(parseGwei("3") * 21_000n)}, 0, 0, now() - interval '1 minute')
    `.execute(database);
  await settle(networks, sent, { fillersPerDay: 0 });
  expect(await transactionsOf(sent)).toMatchObject([
    { account_nonce: nonce + 1 },
  ]);
  const fillersOf = async () =>
    (await transactionsOf({ id: null })).filter(
      (each) => each.account_nonce === nonce,
    );
  expect(await fillersOf()).toHaveLength(1);
  await settle(networks, sent);
  const [first, second, ...others] = await fillersOf();
  expect(others).toEqual([]);
  const priceOfFiller = (each: typeof first): bigint =>
    parseTransaction(each?.transaction ?? "0x").maxFeePerGas ?? 0n;
  expect(priceOfFiller(second)).toBeGreaterThanOrEqual(
    2n * priceOfFiller(first),
  );
  await settleUntil(isDone, networks, sent);
});

test("neither the clock of an instance nor that of a node expires a relay", async () => {
  const { timestamp } = await owner.getBlock();
  const now = BigInt(Math.floor(Date.now() / 1000));
  const deadline = (timestamp > now ? timestamp : now) + 600n;
  const { getRelay, isDone, sent } = await openRelay(deadline);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 3_600_000 });
  onTestFinished(() => void vi.useRealTimers());
  const lying = answering("eth_getBlockByNumber", async (ask) => ({
    ...Object(await ask()),
    timestamp: numberToHex(deadline + 3000n),
  }));
  expect(await settle(lying, sent)).toBe(
    "the deadline has passed on one of two clocks",
  );
  expect((await getRelay(sent.id)).status).toBe("pending");
  await settleUntil(isDone, networks, sent);
});
