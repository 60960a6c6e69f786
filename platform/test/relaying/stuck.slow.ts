import { sql } from "kysely";
import {
  createPublicClient,
  custom,
  isHex,
  keccak256,
  parseEther,
  parseGwei,
  parseTransaction,
} from "viem";
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { pino } from "pino";
import { Registry } from "prom-client";
import { expect, onTestFinished, test } from "vitest";

import { openChainClient } from "../../network/chain-client.js";
import { createNetworks, type Networks } from "../../network/networks.js";
import { measureRelays } from "../../relaying/metrics.js";
import type { Relay } from "../../relaying/generated/types.js";
import { settleRelay } from "../../relaying/settle-relay.js";
import {
  accounts,
  costOf,
  errorOf,
  openRelaying,
  relayOf,
} from "../support/open-relaying.js";
import { watchQueries } from "../support/query-plans.js";
import { callOf } from "../support/relaying.js";
import { defaultSettings, servePlatform } from "../support/serve-platform.js";
import { silent } from "../support/test-database.js";

const opened = await openRelaying();
const { anvil, chain, database, owner, startWorking, openSponsor } = opened;

/** Makes the chain mine only on request, until the test ends. */
async function stopMining(): Promise<void> {
  await anvil.setAutomine(false);
  onTestFinished(async () => {
    await anvil.setNextBlockBaseFeePerGas({ baseFeePerGas: 1n });
    await anvil.mine({ blocks: 1 });
    await anvil.setAutomine(true);
  });
}

/** Reads the signed transactions of a relay, in order. */
const transactionsOf = async ({ id }: Relay) => {
  const rows = await database
    .selectFrom("relay_transactions")
    .selectAll()
    .where("relay_id", "=", id)
    .orderBy("created_at")
    .execute();
  return rows.map((row) => ({ ...row, ...parseTransaction(row.transaction) }));
};

const countTransactions = async (relay: Relay): Promise<number> =>
  (await transactionsOf(relay)).length;

const raiseBaseFee = async (baseFeePerGas: bigint): Promise<void> => {
  await anvil.setNextBlockBaseFeePerGas({ baseFeePerGas });
  await anvil.mine({ blocks: 1 });
  await anvil.setNextBlockBaseFeePerGas({ baseFeePerGas });
};

test("replaces a transaction whose price is too low, and pays once", async () => {
  const { wallet, sponsor, relay, readTank, settled } = await openSponsor();
  const other = await opened.createWallet();
  await sponsor(other);
  await stopMining();
  startWorking();
  const stuck = await relayOf(relay(callOf(wallet)));
  await expect.poll(() => countTransactions(stuck)).toBe(1);
  await raiseBaseFee(parseGwei("100"));
  await expect.poll(() => countTransactions(stuck)).toBeGreaterThan(1);
  const later = await relayOf(relay(callOf(other)));
  await expect.poll(() => countTransactions(later)).toBe(1);
  const [first, second] = await transactionsOf(stuck);
  expect(second?.account_nonce).toBe(first?.account_nonce);
  const price = (each: typeof first): bigint => each?.maxFeePerGas ?? 0n;
  expect(price(second) * 10n).toBeGreaterThanOrEqual(price(first) * 11n);
  // Wait until both transactions have been mined.
  await expect
    .poll(async () => {
      await anvil.mine({ blocks: 1 });
      return owner.getTransactionCount(accounts.relayer);
    })
    .toBe((second?.account_nonce ?? 0) + 2);
  const done = [await settled(stuck), await settled(later)];
  expect(done.map(({ status }) => status)).toEqual(["done", "done"]);
  const costs = await Promise.all(done.map((each) => costOf(owner, each)));
  const total = costs.reduce((sum, cost) => sum + cost, 0n);
  expect(await readTank()).toBe(parseEther("1") - total);
});

test("sends a call only once, even if a suspended instance resumes after another has taken over", async () => {
  const { wallet, relay, readTank, settled } = await openSponsor();
  const sent = await relayOf(relay(callOf(wallet)));
  const settle = ({ all }: Networks) =>
    Promise.all(
      all.map((network) =>
        settleRelay(
          { database, log: silent, settings: defaultSettings },
          network,
          sent.id,
        ),
      ),
    );
  const { networks } = opened.platform.platform;
  const suspended = opened.answering("eth_getBalance", async (ask) => {
    await settle(networks);
    return ask();
  });
  expect(await settle(suspended)).toEqual(["another instance has sent it"]);
  expect(await countTransactions(sent)).toBe(1);
  // The receipt may not exist yet.
  startWorking();
  const done = await settled(sent);
  expect(await readTank()).toBe(parseEther("1") - (await costOf(owner, done)));
});

test("postpones a relay if the tank cannot pay a higher price", async () => {
  const { wallet, relay, readTank, settled } = await openSponsor();
  await stopMining();
  startWorking();
  const stuck = await relayOf(relay(callOf(wallet)));
  await expect.poll(() => countTransactions(stuck)).toBe(1);
  await raiseBaseFee(parseEther("0.00001"));
  await expect.poll(() => countTransactions(stuck)).toBe(2);
  const [, cancel] = await transactionsOf(stuck);
  expect(cancel).toMatchObject({ to: accounts.relayer.address.toLowerCase() });
  const hash = cancel?.hash ?? "0x";
  await expect
    .poll(async () => {
      await anvil.mine({ blocks: 1 });
      return owner.getTransactionReceipt({ hash }).catch(() => null);
    })
    .not.toBeNull();
  await raiseBaseFee(1n);
  await expect.poll(() => countTransactions(stuck)).toBe(3);
  await anvil.mine({ blocks: 1 });
  const done = await settled(stuck);
  expect(done.status).toBe("done");
  const paid = await owner.getTransactionReceipt({ hash });
  const cost =
    (await costOf(owner, done)) + paid.gasUsed * paid.effectiveGasPrice;
  expect(done.cost).toBe(cost.toString());
  expect(await readTank()).toBe(parseEther("1") - cost);
});

test("a call that expires before it is sent costs nothing", async () => {
  const { wallet, relay, readTank, settled } = await openSponsor();
  const { timestamp } = await owner.getBlock();
  const deadline = timestamp + 60n;
  const call = callOf(wallet, { deadline });
  const pending = await relayOf(relay(call));
  await anvil.setNextBlockTimestamp({ timestamp: deadline });
  await anvil.mine({ blocks: 1 });
  startWorking();
  expect(await settled(pending)).toEqual({
    ...{ id: pending.id, status: "expired", gasUsed: "0", cost: "0" },
  });
  expect(await countTransactions(pending)).toBe(0);
  expect(await readTank()).toBe(parseEther("1"));
  // Its nonce is free again.
  const again = await relayOf(relay(callOf(wallet)));
  expect((await settled(again)).status).toBe("done");
});

test("cancels a call whose deadline passes while it waits for a block", async () => {
  const { wallet, relay, readTank, settled } = await openSponsor();
  const { timestamp } = await owner.getBlock();
  const deadline = timestamp + 60n;
  await stopMining();
  // The chain never receives the call.
  const drop = (ask: () => Promise<unknown>, sent: unknown): unknown => {
    if (!isHex(sent)) throw new Error(`sends ${String(sent)}`);
    return parseTransaction(sent).data === undefined ? ask() : keccak256(sent);
  };
  startWorking(opened.answering("eth_sendRawTransaction", drop));
  const pending = await relayOf(relay(callOf(wallet, { deadline })));
  await expect.poll(() => countTransactions(pending)).toBe(1);
  const [first] = await transactionsOf(pending);
  await anvil.setNextBlockTimestamp({ timestamp: deadline });
  await expect
    .poll(async () => {
      await anvil.mine({ blocks: 1 });
      return owner.getTransactionCount(accounts.relayer);
    })
    .toBe((first?.account_nonce ?? 0) + 1);
  const expired = await settled(pending);
  expect(expired.status).toBe("expired");
  expect(expired.cost).toBe(String(await costOf(owner, expired)));
  expect(await readTank()).toBe(parseEther("1") - BigInt(expired.cost ?? 0));
});

test("rejects a call without reserving funds if the account's balance is too low", async () => {
  const { wallet, relay, countRelays } = await openSponsor();
  const { address } = accounts.relayer;
  const value = await owner.getBalance({ address });
  await anvil.setBalance({ address, value: 1n });
  onTestFinished(() => anvil.setBalance({ address, value }));
  expect(await errorOf(relay(callOf(wallet)))).toMatch(
    /^Unavailable: the balance of the relaying account on hardhat is too low$/u,
  );
  expect(await countRelays()).toBe(0);
});

test("an account that runs out of funds sends nothing until it is refilled", async () => {
  const { wallet, relay, settled } = await openSponsor();
  const { address } = accounts.relayer;
  const value = await owner.getBalance({ address });
  const pending = await relayOf(relay(callOf(wallet)));
  await anvil.setBalance({ address, value: 1n });
  startWorking();
  const readReason = async (): Promise<string | null> => {
    const { reason } = await database
      .selectFrom("jobs")
      .select("reason")
      .where("key", "=", String(pending.id))
      .executeTakeFirstOrThrow();
    return reason;
  };
  await expect.poll(readReason).toBe("the account's balance is too low");
  expect(await countTransactions(pending)).toBe(0);
  const registry = new Registry();
  measureRelays(registry, database, opened.platform.platform.networks);
  expect(await registry.metrics()).toMatch(
    /^relays_oldest_pending_seconds\{network="hardhat"\} \d/mu,
  );
  await anvil.setBalance({ address, value });
  expect((await settled(pending)).status).toBe("done");
  expect(await registry.metrics()).not.toContain("hardhat");
});

/** Stores copies of a relay. */
async function copyRelay(
  id: number,
  chainId: number,
  lane: string,
  count: number,
): Promise<void> {
  await sql`
    with copies as (
      insert into relays (project_id, gas_sponsor_id, gas_tank_id, chain_id,
        wallet, wallet_nonce, call_hash, data, gas, deadline, max_data_fee,
        max_cost, state, settled_at)
      select project_id, gas_sponsor_id, gas_tank_id, ${chainId}, wallet,
        wallet_nonce, call_hash, data, gas, deadline, max_data_fee, 1, state,
        settled_at
      from relays, generate_series(1, ${count}::int) where id = ${id}
      returning id, chain_id
    ), transactions as (
      insert into relay_transactions
        (hash, relay_id, chain_id, account, account_nonce, transaction)
      select 'copy ' || id, id, chain_id, '', 0, '0x' from copies
    )
    insert into jobs (queue, lane, key, payload, run_at)
    select 'relays', ${lane}, id, to_json(id), now() - interval '1 minute'
    from copies`.execute(database);
}

const readLane = async (id: number): Promise<string> => {
  const { lane } = await database
    .selectFrom("jobs")
    .select("lane")
    .where("key", "=", String(id))
    .executeTakeFirstOrThrow();
  return lane;
};

/** Removes copies of relays and settles their requests when the test ends. */
function endCopies(respond: () => void): void {
  onTestFinished(async () => {
    await sql`delete from jobs where payload::text in (
      select relay_id::text from relay_transactions where hash like 'copy %'
    )`.execute(database);
    respond();
  });
}

test("relays that wait to become final do not delay new ones", async () => {
  const { wallet, relay, settled } = await openSponsor();
  const stop = startWorking();
  const { id } = await relayOf(relay(callOf(wallet)));
  const first = await settled({ id, status: "pending" });
  await expect.poll(() => readLane(id)).toMatch(/^31337 \d+ settled$/u);
  await stop();
  // A worker checks fewer relays at the same time.
  await copyRelay(id, 31337, await readLane(id), 40);
  let respond = (): void => undefined;
  const isReady = new Promise<void>((resolve) => (respond = resolve));
  startWorking(
    opened.answering("eth_getTransactionReceipt", (ask, hash) =>
      String(hash).startsWith("copy")
        ? isReady.then(() => Promise.reject(new Error("no response")))
        : ask(),
    ),
  );
  endCopies(respond);
  const other = await openSponsor();
  const next = await relayOf(other.relay(callOf(other.wallet)));
  expect((await other.settled(next)).status).toBe(first.status);
});

test("networks that do not respond do not delay relays on others", async () => {
  const mute = [1, 2, 3, 4, 5, 6, 7, 8].map((number) => ({
    ...chain.network,
    handle: `mute-${number}`,
    chainId: 5000 + number,
  }));
  const { wallet, relay, settled } = await openSponsor();
  const { id } = await relayOf(relay(callOf(wallet)));
  // Together, these networks have as many relays as a worker checks at once.
  for (const { chainId } of mute) {
    await copyRelay(id, chainId, String(chainId), 8);
  }
  let respond = (): void => undefined;
  const isReady = new Promise<void>((resolve) => (respond = resolve));
  const networks = createNetworks([chain.network, ...mute], (network) => {
    if (network.handle === chain.network.handle)
      return openChainClient(network);
    const request = () =>
      isReady.then(() => Promise.reject(new Error("no response")));
    return createPublicClient({ transport: custom({ request }) });
  });
  startWorking(networks);
  endCopies(respond);
  const done = await settled({ id, status: "pending" });
  expect(done.status).toBe("done");
  expect(await readLane(id)).toMatch(/^31337\b/u);
});

test("reports why a relay is stuck without revealing the URL of the node", async () => {
  const { wallet, relay } = await openSponsor();
  await stopMining();
  const pending = await relayOf(relay(callOf(wallet)));
  const stopSending = startWorking();
  await expect.poll(() => countTransactions(pending)).toBe(1);
  await stopSending();
  await sql`
    update relays set created_at = now() - interval '6 minutes'
    where id = ${pending.id}`.execute(database);
  const rpcUrls = ["http://127.0.0.1:9/provider-key"];
  const settings = [{ ...chain.network, rpcUrls }];
  const lines: string[] = [];
  const log = pino({}, { write: (line) => void lines.push(line) });
  startWorking(createNetworks(settings, openChainClient), log);
  const findError = (): string | undefined =>
    lines.find((line) => line.includes("pending for too long"));
  await expect.poll(findError).toBeDefined();
  expect(JSON.parse(findError() ?? "")).toMatchObject({
    ...{ level: 50, relay: pending.id },
    reason: "the chain of hardhat does not respond: HTTP request failed.",
  });
  expect(lines.join("")).not.toContain("provider-key");
});

test("instances with different keys answer the same call with the same relay", async () => {
  const { wallet, relay } = await openSponsor();
  const relayKey = generatePrivateKey();
  await anvil.setBalance({
    address: privateKeyToAddress(relayKey),
    value: parseEther("1"),
  });
  const changes = { networks: [chain.network], relayKey };
  const changed = servePlatform(database, changes);
  const call = callOf(wallet);
  const answers = await Promise.all(
    [changed, opened.platform, changed, opened.second].map((on) =>
      relayOf(relay(call, { on })),
    ),
  );
  expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
});

test("no query for relays reads a whole table", async () => {
  const findScans = watchQueries();
  const { wallet, relay, settled } = await openSponsor();
  startWorking();
  await settled(await relayOf(relay(callOf(wallet))));
  const registry = new Registry();
  measureRelays(registry, database, opened.platform.platform.networks);
  await registry.metrics();
  expect((await findScans(opened.url)).scans).toEqual([]);
});

test("a new account's key does not leave the old account's transaction stuck", async () => {
  const { wallet, relay, getRelay, readTank } = await openSponsor();
  const oldRelayKey = generatePrivateKey();
  const relayKey = generatePrivateKey();
  for (const key of [oldRelayKey, relayKey]) {
    const address = privateKeyToAddress(key);
    await anvil.setBalance({ address, value: parseEther("1") });
  }
  await stopMining();
  const [network] = opened.platform.platform.networks.all;
  if (network === undefined) throw new Error("the network is missing");
  const settings = { ...defaultSettings, relayKey: oldRelayKey };
  const sent = await relayOf(relay(callOf(wallet)));
  const settle = (changes: Partial<typeof settings>) =>
    settleRelay(
      { database, log: silent, settings: { ...settings, ...changes } },
      network,
      sent.id,
    );
  await settle({});
  await raiseBaseFee(parseGwei("100"));
  expect(await settle({ relayKey })).toMatch(
    /^OLD_RELAY_KEY is not the key of 0x/u,
  );
  await settle({ relayKey, oldRelayKey });
  const rows = await transactionsOf(sent);
  const account = privateKeyToAddress(oldRelayKey).toLowerCase();
  expect(rows.map((row) => [row.account, row.account_nonce])).toEqual([
    [account, 0],
    [account, 0],
  ]);
  await anvil.mine({ blocks: 1 });
  await settle({ relayKey, oldRelayKey });
  const done = await getRelay(sent.id);
  expect(done.status).toBe("done");
  expect(await readTank()).toBe(parseEther("1") - (await costOf(owner, done)));
});

test("stops replacing a transaction at the network's limit, and sends no expired call again", async () => {
  const { wallet, relay } = await openSponsor();
  const { timestamp } = await owner.getBlock();
  const deadline = timestamp + 60n;
  await stopMining();
  let sends = 0;
  const { all } = createNetworks(
    [{ ...chain.network, maxGasPriceGwei: 50 }],
    (settings) => {
      const client = openChainClient(settings);
      const request = (question: { readonly method: string }) => {
        if (question.method === "eth_sendRawTransaction") sends += 1;
        return client.request(Object(question));
      };
      return createPublicClient({
        transport: custom({ request }, { retryCount: 0 }),
      });
    },
  );
  const [network] = all;
  if (network === undefined) throw new Error("the network is missing");
  const sent = await relayOf(relay(callOf(wallet, { deadline })));
  const parts = { database, log: silent, settings: defaultSettings };
  const settle = () => settleRelay(parts, network, sent.id);
  await settle();
  expect(await countTransactions(sent)).toBe(1);
  const first = sends;
  await raiseBaseFee(parseGwei("100"));
  const tooExpensive =
    "the network's gas price exceeds the limit in the settings";
  expect(await settle()).toBe(tooExpensive);
  expect(sends).toBeGreaterThan(first);
  const before = sends;
  await anvil.setNextBlockTimestamp({ timestamp: deadline + 1n });
  await raiseBaseFee(parseGwei("100"));
  expect(await settle()).toBe(tooExpensive);
  expect(sends).toBe(before);
  expect(await countTransactions(sent)).toBe(1);
  await raiseBaseFee(1n);
  await settle();
  const [, cancel] = await transactionsOf(sent);
  expect(cancel).toMatchObject({ to: accounts.relayer.address.toLowerCase() });
});
