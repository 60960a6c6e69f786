import { json as toJson } from "node:stream/consumers";

import { sql } from "kysely";
import { pino } from "pino";
import {
  isHex,
  keccak256,
  numberToHex,
  parseEther,
  parseTransaction,
  RpcRequestError,
  toHex,
} from "viem";
import { expect, test } from "vitest";

import { smartWallet } from "../../chain/artifacts/smart-wallet.js";
import { openChainWallet } from "../../chain/chain-wallet.js";
import {
  checkAccount,
  checkTanks,
  countLowTanks,
  storeDaily,
} from "../../relaying/reconcile.js";
import { isNews, settleRelay } from "../../relaying/settle-relay.js";
import { openConsole } from "../console/open-console.js";
import { startChain } from "../follower/follow-chain.js";
import { openSiteForTest } from "../support/local-site.js";
import { accounts, openRelaying, relayOf } from "../support/open-relaying.js";
import { callOf } from "../support/relaying.js";
import { defaultSettings } from "../support/serve-platform.js";
import { testChainId } from "../support/start-chain.js";
import { silent } from "../support/test-database.js";

const {
  answering,
  anvil,
  chain,
  database,
  openSponsor,
  owner,
  platform,
  startWorking,
} = await openRelaying();

// The embedded chain is checked at its last block.
const relayKey = toHex(accounts.relayer.getHdKey().privateKey ?? "");
const settings = { ...defaultSettings, embeddedChain: null, relayKey };

const toObject = (line: string): object => Object(JSON.parse(line));

async function check() {
  await anvil.mine({ blocks: 64 });
  const [network] = platform.platform.networks.all;
  if (network === undefined) throw new Error("the network is missing");
  const found = await checkAccount(database, settings, network);
  if (found === null) throw new Error("there is no relaying account");
  return found;
}

test("checks the relaying account of a chain that is still short", async () => {
  // Unlike this one, a chain that was loaded from a file has no first block.
  const short = await startChain();
  expect(await short.client.getBlockNumber()).toBeLessThan(64n);
  expect(await checkAccount(database, settings, short.network)).toMatchObject({
    ...{ blockNumber: 0, lost: 0n },
  });
});

test("checks the account of an embedded chain that was loaded from a file", async () => {
  const head = await anvil.getBlockNumber();
  const [network] = platform.platform.networks.all;
  if (network === undefined) throw new Error("the network is missing");
  // Such a chain has no states of older blocks.
  expect(await checkAccount(database, defaultSettings, network)).toMatchObject({
    ...{ blockNumber: Number(head), lost: 0n },
  });
});

test("reconciles tanks to the smallest unit, and finds one that is wrong", async () => {
  const { wallet, project, relay, settled } = await openSponsor();
  startWorking();
  const done = await settled(await relayOf(relay(callOf(wallet))));
  const find = async () =>
    (await checkTanks(database)).find((each) => each.projectId === project.id);
  expect(await find()).toMatchObject({
    ...{ filled: parseEther("1"), paid: BigInt(done.cost ?? 0) },
    ...{ reserved: 0n, difference: 0n },
  });
  await sql`
    update gas_tanks set balance = balance - 1
    where project_id = ${project.id}`.execute(database);
  expect((await find())?.difference).toBe(-1n);
});

test("counts tanks that would be empty after another day", async () => {
  const { wallet, project, relay, settled } = await openSponsor();
  startWorking();
  const { cost = "0" } = await settled(await relayOf(relay(callOf(wallet))));
  const setBalance = (balance: bigint) =>
    database
      .updateTable("gas_tanks")
      .set({ balance: String(balance) })
      .where("project_id", "=", project.id)
      .execute();
  await setBalance(BigInt(cost));
  const before = await countLowTanks(database);
  await setBalance(BigInt(cost) - 1n);
  expect(await countLowTanks(database)).toBe(before + 1);
  await database
    .updateTable("relays")
    .set({ settled_at: new Date(Date.now() - 25 * 60 * 60 * 1000) })
    .where("project_id", "=", project.id)
    .execute();
  expect(await countLowTanks(database)).toBe(before);
  await setBalance(0n);
  expect(await countLowTanks(database)).toBe(before + 1);
});

test("reconciles the relaying account, and finds what it received and lost", async () => {
  const { wallet, relay, settled } = await openSponsor();
  await storeDaily(database, await check());
  startWorking();
  const { cost = "" } = await settled(await relayOf(relay(callOf(wallet))));
  const exact = {
    ...{ unknown: 0, foreign: 0, difference: 0n, lost: 0n },
    paid: BigInt(cost),
  };
  expect(await check()).toMatchObject(exact);
  const { address } = accounts.relayer;
  // A transaction that was replaced has cost nothing.
  await sql`
    insert into relay_transactions (hash, relay_id, chain_id, account,
      account_nonce, transaction, max_cost, max_charge)
    select hash || '0', relay_id, chain_id, account, account_nonce,
      transaction, max_cost, max_charge
    from relay_transactions
    where account = ${address.toLowerCase()} and cost is not null`.execute(
    database,
  );
  expect(await check()).toMatchObject(exact);
  await owner.sendTransactionSync({ to: address, value: 5n });
  expect(await check()).toMatchObject({ ...exact, difference: 5n });
  await anvil.setBalance({
    address,
    value: (await anvil.getBalance({ address })) - 8n,
  });
  expect(await check()).toMatchObject({ ...exact, difference: -3n, lost: 3n });
  // Another program uses the account.
  const stranger = openChainWallet(chain.rpcUrl, testChainId, accounts.relayer);
  const send = async (): Promise<bigint> => {
    const receipt = await stranger.sendTransactionSync({ to: address });
    return receipt.gasUsed * receipt.effectiveGasPrice;
  };
  const lost = 3n + (await send());
  const expected = { ...exact, difference: -lost, lost, foreign: 1 };
  expect(await check()).toMatchObject(expected);
  await owner.sendTransactionSync({ to: address, value: lost });
  // What the account receives hides the loss, but not the transaction.
  const hidden = { difference: 0n, lost: 0n, foreign: 1 };
  expect(await check()).toMatchObject({ ...exact, ...hidden });
  await anvil.setBalance({
    address,
    value: (await anvil.getBalance({ address })) - lost,
  });
  // It uses a nonce that the platform has filled.
  const nonce = await anvil.getTransactionCount({ address });
  const filler = await accounts.relayer.signTransaction({
    ...{ type: "eip1559", chainId: testChainId, nonce, to: address },
    ...{ gas: 21_000n, maxFeePerGas: 1n },
  });
  await sql`
    insert into relay_transactions
      (hash, chain_id, account, account_nonce, transaction)
    values (${keccak256(filler)}, ${testChainId}, ${address.toLowerCase()},
      ${nonce}, ${filler})`.execute(database);
  const all = lost + (await send());
  expect(await check()).toMatchObject({
    ...{ ...exact, difference: -all, lost: all, foreign: 1 },
  });
  // The next day's check does not hide what happened in the week.
  const age = (time: string) =>
    sql`
      update relay_account_checks
      set created_at = now() - ${time}::interval`.execute(database);
  const storeNext = async (time: string) => {
    await age(time);
    await storeDaily(database, await check());
    return check();
  };
  const stored = { paid: 0n, difference: 0n, lost: all, foreign: 1 };
  expect(await storeNext("25 hours")).toMatchObject(stored);
  expect(await storeNext("25 hours")).toMatchObject(stored);
  await age("8 days");
  const past = { difference: 0n, lost: 0n, foreign: 0 };
  expect(await check()).toMatchObject(past);
});

test("waits with a check until most nodes agree about the account", async () => {
  const wrong = answering("eth_getBalance", () => "0x1", { nodes: 2 });
  const right = answering("eth_getBalance", () => "0x1", { nodes: 3 });
  const checkOn = ({ all: [network] }: typeof right) =>
    network && checkAccount(database, defaultSettings, network);
  await expect(checkOn(wrong)).rejects.toMatchObject({
    cause: expect.stringMatching(/do not agree about the account/u),
  });
  const balance = await anvil.getBalance(accounts.relayer);
  // A node that responds late does not count.
  await expect
    .poll(() => checkOn(right)?.catch(() => null))
    .toMatchObject({ current: balance });
});

test("operators see why a relay is pending or failed, and all balances", async () => {
  const { wallet, project, relay, settled } = await openSponsor();
  const { client } = openConsole(database, { networks: [chain.network] });
  const { gasTanks } = client;
  await owner.sendTransactionSync({ to: wallet, value: 5n });
  const to = "0x00000000000000000000000000000000000000a4";
  const requestId = "the-request-of-the-relay";
  const pending = await relayOf(
    relay(callOf(wallet, { to, value: 5n }), { requestId }),
  );
  // The rest lasts for less than a year.
  const place = { projectId: project.id, chainId: testChainId };
  const amount = String(parseEther("0.99"));
  await gasTanks.correctGasTank({ ...place, amount, reason: "for another" });
  // Meanwhile, the wallet transfers its balance.
  const user = openChainWallet(chain.rpcUrl, testChainId, accounts.user);
  await user.writeContractSync({
    ...{ address: wallet, abi: smartWallet.abi, functionName: "execute" },
    args: [accounts.user.address, 5n, "0x"],
  });
  await database
    .updateTable("jobs")
    .set({ reason: "a reason" })
    .where("key", "=", String(pending.id))
    .execute();
  const projectId = project.id;
  const { id } = pending;
  expect(await gasTanks.listRelays({ projectId })).toMatchObject({
    relays: [{ id, status: "pending", reason: "a reason", cost: "0" }],
  });
  const lines: string[] = [];
  const log = pino({}, { write: (line) => void lines.push(line) });
  startWorking(undefined, log);
  const { cost, transactionHash } = await settled(pending);
  // The call that was accepted leads to the failure that came later.
  const named = await gasTanks.listRelays({ projectId, requestId });
  expect(named.relays).toMatchObject([{ id, requestId, status: "reverted" }]);
  const other = await gasTanks.listRelays({ projectId, requestId: "another" });
  expect(other.relays).toEqual([]);
  // The line is written once the status is stored.
  const logged = () =>
    lines.filter((line) => line.includes(requestId)).map(toObject);
  const facts = { relay: id, project: projectId, state: "reverted" };
  await expect.poll(logged).toMatchObject([{ msg: "relayed", ...facts }]);
  // It also shows what the sponsor spends, as its list does.
  const { gasSponsors } = await gasTanks.listGasSponsors({ projectId });
  const [sponsor] = gasSponsors;
  expect(sponsor).toMatchObject({ spent: cost });
  expect(logged()).toMatchObject([
    {
      ...{ sponsor: sponsor?.id, spent: sponsor?.spent, left: sponsor?.left },
      emptyAt: expect.stringMatching(/^\d{4}-/u),
    },
  ]);
  const { relays } = await gasTanks.listRelays({ projectId });
  expect(relays).toMatchObject([
    { id, status: "reverted", cost, transactionHash },
  ]);
  expect(relays[0]).not.toHaveProperty("reason");
  const status = "done" as const;
  expect((await gasTanks.listRelays({ projectId, status })).relays).toEqual([]);
  const { reason } = await gasTanks.getRevertReason({ projectId, id });
  expect(reason).toMatch(/revert/iu);
  // A node can say anything, also its key.
  const node = await openSiteForTest((request, response) => {
    void toJson(request).then((question) => {
      const { id: number, method } = Object(question);
      const message = `execution reverted\0\nat ${request.url}`;
      const answer =
        method === "eth_chainId"
          ? { result: numberToHex(testChainId) }
          : { error: { code: 3, message } };
      response.end(JSON.stringify({ jsonrpc: "2.0", id: number, ...answer }));
    });
  });
  const rpcUrls = [`${node.url}/the-key-of-the-node`];
  const lying = openConsole(database, {
    networks: [{ ...chain.network, rpcUrls }],
  });
  expect(
    await lying.client.gasTanks.getRevertReason({ projectId, id }),
  ).toEqual({ reason: "execution reverted at /…" });
  const { accounts: checks, tanks } = await gasTanks.getReconciliation();
  expect(checks).toMatchObject([{ chainId: testChainId }]);
  const tank = tanks.find((each) => each.projectId === projectId);
  expect(tank).toMatchObject({ paid: cost, difference: "0" });
});

test("operators see why no node accepted a call, also after it has expired", async () => {
  const { wallet, project, relay, settled } = await openSponsor();
  const { gasTanks } = openConsole(database).client;
  const lines: string[] = [];
  const log = pino({}, { write: (line) => void lines.push(line) });
  // The transaction that cancels the call has no data.
  const reject = (ask: () => Promise<unknown>, sent: unknown): unknown => {
    const { data } = parseTransaction(isHex(sent) ? sent : "0x");
    if (data === undefined) return ask();
    const message = `the sender is\u0000not allowed by ${chain.rpcUrl}`;
    const error = { code: -32_000, message };
    throw new RpcRequestError({ body: {}, error, url: chain.rpcUrl });
  };
  const { timestamp } = await owner.getBlock();
  const deadline = timestamp + 600n;
  const requestId = "the-request-that-no-node-accepts";
  const sent = await relayOf(
    relay(callOf(wallet, { deadline }), { requestId }),
  );
  await sql`
    update relays set created_at = now() - interval '6 minutes'
    where id = ${sent.id}`.execute(database);
  startWorking(answering("eth_sendRawTransaction", reject), log);
  const list = () => gasTanks.listRelays({ projectId: project.id, requestId });
  const reason =
    "no node accepts its transaction: the sender is not allowed by …";
  await expect
    .poll(list)
    .toMatchObject({ relays: [{ status: "pending", reason }] });
  await anvil.setNextBlockTimestamp({ timestamp: deadline });
  await anvil.mine({ blocks: 1 });
  expect((await settled(sent)).status).toBe("expired");
  expect(await list()).toMatchObject({
    relays: [{ id: sent.id, status: "expired", reason }],
  });
  const logged = () =>
    lines.filter((line) => line.includes(requestId)).map(toObject);
  const facts = { relay: sent.id, project: project.id, requestId, reason };
  const line = (fields: object): unknown =>
    expect.objectContaining({ ...facts, ...fields });
  const alarm = { msg: "a relay has been pending for too long" };
  await expect
    .poll(logged)
    .toEqual(
      expect.arrayContaining([
        line(alarm),
        line({ msg: "a relay has to wait" }),
        line({ msg: "relayed", state: "expired" }),
      ]),
    );
  // Nothing that fails later can prevent the alarm.
  expect(logged()[0]).toMatchObject(alarm);
});

test("says why no node accepts a transaction that is sent again", async () => {
  const { wallet, relay, settled } = await openSponsor();
  const sent = await relayOf(relay(callOf(wallet)));
  const settle = ({ all: [network] }: ReturnType<typeof answering>) => {
    const parts = { database, log: silent, settings };
    return network && settleRelay(parts, network, sent.id);
  };
  // The node accepts it, and drops it.
  const drop = (_: unknown, raw: unknown) => isHex(raw) && keccak256(raw);
  await settle(answering("eth_sendRawTransaction", drop));
  const error = { code: -32_000, message: "not allowed" };
  const rejecting = answering("eth_sendRawTransaction", () => {
    throw new RpcRequestError({ body: {}, error, url: chain.rpcUrl });
  });
  const reason = "no node accepts its transaction: not allowed";
  expect(await settle(rejecting)).toBe(reason);
  startWorking();
  expect((await settled(sent)).status).toBe("done");
});

test("the reason why a call expires is not replaced by a usual one", async () => {
  const { wallet, project, relay } = await openSponsor();
  const { gasTanks } = openConsole(database).client;
  const { timestamp } = await owner.getBlock();
  const deadline = timestamp + 600n;
  const sent = await relayOf(relay(callOf(wallet, { deadline })));
  const poor = answering("eth_getBalance", () => "0x0");
  startWorking(poor, undefined, settings);
  const list = () => gasTanks.listRelays({ projectId: project.id });
  const reason = "the account's balance is too low";
  await expect.poll(list).toMatchObject({ relays: [{ reason }] });
  await anvil.setNextBlockTimestamp({ timestamp: deadline });
  await anvil.mine({ blocks: 1 });
  const usual = "the deadline has passed on one of two clocks";
  await expect.poll(list).toMatchObject({ relays: [{ reason: usual }] });
  const stored = await database
    .selectFrom("relays")
    .select("wait_reason")
    .where("id", "=", sent.id)
    .executeTakeFirst();
  expect(stored).toEqual({ wait_reason: reason });
});

test("logs once which node is wrong, and what it reports", async () => {
  const { wallet, relay, settled } = await openSponsor();
  const sent = await relayOf(relay(callOf(wallet)));
  const { all } = answering("eth_getTransactionCount", async (ask) =>
    numberToHex(Number(await ask()) + 1_000_000),
  );
  const lines: string[] = [];
  const log = pino({}, { write: (line) => void lines.push(line) });
  for (let round = 0; round < 2; round += 1) {
    // No other test has a node of this network.
    for (const each of all) {
      const network = { ...each, handle: "with-a-wrong-node" };
      await settleRelay({ database, log, settings }, network, sent.id);
    }
  }
  expect(lines.map(toObject)).toMatchObject([
    {
      ...{ level: 50, msg: "a node is wrong", network: "with-a-wrong-node" },
      ...{ rpcUrl: 1, what: expect.stringContaining("transactions") },
    },
  ]);
  startWorking();
  expect((await settled(sent)).status).toBe("done");
});

test.each([
  ["have 123 want 456", "have 99 want 456", false],
  ["unknown sender 0xa1", "unknown sender 0xb", false],
  ["have 123 want 456", "not allowed", true],
  ["have 123 want 456", null, true],
  ["a receipt is missing", null, false],
  ["most nodes do not respond", "not allowed", false],
])(
  "decides whether a reason is news (%s after %s)",
  (reason, last, expected) => {
    expect(isNews(reason, last)).toBe(expected);
  },
);
