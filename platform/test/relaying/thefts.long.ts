import { sql } from "kysely";
import {
  type Address,
  createPublicClient,
  custom,
  type Hash,
  numberToHex,
  parseEther,
  parseGwei,
  parseTransaction,
} from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterEach, expect, test, vi } from "vitest";

import { openChainClient } from "../../network/chain-client.js";
import type { OpenClient } from "../../network/networks.js";
import {
  checkAccount,
  checkTanks,
  storeDaily,
} from "../../relaying/reconcile.js";
import { settleRelay } from "../../relaying/settle-relay.js";
import { saveGasSponsor } from "../../services/relayer/gas-sponsors.js";
import { costOf, openRelaying, relayOf } from "../support/open-relaying.js";
import { callOf, signCall } from "../support/relaying.js";
import { headersOf, servePlatform } from "../support/serve-platform.js";
import { testChainId } from "../support/start-chain.js";
import { silent } from "../support/test-database.js";

const { anvil, chain, createWallet, database, openProject, owner } =
  await openRelaying();
const { rpcUrl } = chain;
const [limitGwei, fillersPerDay] = [1000, 3];
const relayKey = generatePrivateKey();
const account = privateKeyToAccount(relayKey);
await anvil.setBalance({ address: account.address, value: parseEther("50") });

type Served = ReturnType<typeof servePlatform>;
type Ask = () => Promise<unknown>;
/** Replaces a node's response. */
type Lie = (method: string, ask: Ask, parameter: unknown) => unknown;

/** Opens an instance whose first node lies while there is a lie. */
function openInstance(nodes = 1, lie: { current: Lie | null } | null = null) {
  const rpcUrls = Array.from({ length: nodes }, (_, node) =>
    node === 0 ? rpcUrl : `${rpcUrl}/?node=${node}`,
  );
  const network = { ...chain.network, rpcUrls, maxGasPriceGwei: limitGwei };
  const settings = { networks: [network], embeddedChain: null, relayKey };
  const open: OpenClient = (each) => {
    const client = openChainClient(each);
    // The client of all nodes is only used beside these.
    const isFirst = each.rpcUrls.length === 1 && each.rpcUrls[0] === rpcUrl;
    if (lie === null || !isFirst) return client;
    const request = (question: { method: string; params?: unknown[] }) => {
      const ask: Ask = () => client.request(Object(question));
      const { method, params = [] } = question;
      return lie.current === null
        ? ask()
        : Promise.resolve(lie.current(method, ask, params[0]));
    };
    const transport = custom({ request }, { retryCount: 0 });
    return createPublicClient({ transport });
  };
  return servePlatform(database, { ...settings, fillersPerDay }, open);
}

const honest = openInstance();

/** Lets an instance take the next steps of a relay. Some lies are no valid responses. */
async function settle({ platform }: Served, id: number): Promise<void> {
  const [network] = platform.networks.all;
  if (network === undefined) throw new Error("the network is missing");
  const parts = { database, log: silent, settings: platform.settings };
  await settleRelay(parts, network, id).catch(() => null);
}

/** Lets a minute and some blocks pass for all transactions. */
async function passMinute(): Promise<void> {
  await sql`
    update relay_transactions
    set created_at = created_at - interval '61 seconds'`.execute(database);
  await anvil.mine({ blocks: 4 });
}

const relaysOf = (projectId: number) =>
  database
    .selectFrom("relays")
    .selectAll()
    .where("project_id", "=", projectId)
    .orderBy("id")
    .execute();

const signedBy = () =>
  database
    .selectFrom("relay_transactions")
    .selectAll()
    .where("account", "=", account.address.toLowerCase())
    .execute();

async function check() {
  await anvil.mine({ blocks: 64 });
  const [network] = honest.platform.networks.all;
  if (network === undefined) throw new Error("the network is missing");
  const found = await checkAccount(
    ...[database, honest.platform.settings, network],
  );
  if (found === null) throw new Error("there is no relaying account");
  return found;
}

/** Checks what must hold at any moment, for a project with a daily limit. */
async function audit(projectId: number, daily: bigint): Promise<void> {
  const [relays, signed] = [await relaysOf(projectId), await signedBy()];
  let total = 0n;
  for (const { cost, id, max_cost: reserved, state } of relays) {
    const own = signed.filter((each) => each.relay_id === id);
    const charges = own.map((each) => BigInt(each.max_charge ?? 0));
    expect(BigInt(cost)).toBeLessThanOrEqual(
      charges.reduce((sum, charge) => sum + charge, 0n),
    );
    for (const charge of charges) expect(charge).toBeLessThanOrEqual(daily);
    total += BigInt(cost) + (state === "pending" ? BigInt(reserved) : 0n);
  }
  expect(total).toBeLessThanOrEqual(daily);
  for (const { transaction } of signed) {
    const { maxFeePerGas = 0n, gas = 0n } = parseTransaction(transaction);
    expect(maxFeePerGas).toBeLessThanOrEqual(parseGwei(String(limitGwei)));
    expect(gas).toBeLessThanOrEqual(3_000_000n);
  }
  const fillers = signed.filter((each) => each.relay_id === null);
  const filled = new Set(fillers.map((each) => each.account_nonce));
  expect(filled.size).toBeLessThanOrEqual(fillersPerDay);
  const tanks = await checkTanks(database);
  expect(tanks.filter(({ difference }) => difference !== 0n)).toEqual([]);
  expect(tanks.filter(({ balance }) => balance < 0n)).toEqual([]);
}

/** Opens a project with a limit for its sponsors, and a tank of ten ether. */
async function openCustomer(daily: bigint) {
  const opened = await openProject();
  const projectId = opened.project.id;
  const limit = (address: Address, dailyLimit: bigint | null = daily) =>
    saveGasSponsor(
      database,
      {
        ...{ projectId, chainId: testChainId, address, name: "" },
        ...{ active: true, dailyLimit: dailyLimit?.toString() ?? null },
      },
      100,
    );
  await limit(opened.wallet);
  await opened.fill(parseEther("10"));
  const send = async (on: Served, ...call: Parameters<typeof callOf>) =>
    on.call(
      "/rpc/Relaying/Relay",
      headersOf(opened.project),
      await signCall(testChainId, callOf(...call)),
    );
  return { ...opened, projectId, limit, send };
}

/** Settles with honest nodes until nothing is pending. Returns the true cost. */
async function finish(projectId: number): Promise<bigint> {
  const countPending = async (): Promise<number> => {
    const all = await relaysOf(projectId);
    const pending = all.filter(({ state }) => state === "pending");
    for (const { id } of all) await settle(honest, id);
    await passMinute();
    return pending.length;
  };
  await expect.poll(countPending, { timeout: 300_000 }).toBe(0);
  let total = 0n;
  for (const { hash, relay_id } of await signedBy()) {
    const isOwn = (await relaysOf(projectId)).some(({ id }) => id === relay_id);
    if (isOwn) total += await costOfHash(hash);
  }
  return total;
}

async function costOfHash(hash: Hash): Promise<bigint> {
  const found = await anvil.getTransactionReceipt({ hash }).catch(() => null);
  return found ? found.gasUsed * found.effectiveGasPrice : 0n;
}

const near = numberToHex(parseGwei(String(limitGwei)) - 1n);

/** What a node does to take money. */
const lies: Readonly<Record<string, Lie>> = {
  "counts that are too high": async (method, ask) =>
    method === "eth_getTransactionCount"
      ? numberToHex(Number(await ask()) + 1_000_000)
      : ask(),
  "receipts of all that was signed": async (method, ask, hash) => {
    const answer = await ask();
    if (method !== "eth_getTransactionReceipt" || answer === null)
      return answer;
    const found = (await signedBy()).find((each) => each.hash === hash);
    const { gas = 0n, maxFeePerGas = 0n } = parseTransaction(
      found?.transaction ?? "0x",
    );
    const most = { gasUsed: gas, effectiveGasPrice: maxFeePerGas };
    return {
      ...Object(answer),
      gasUsed: numberToHex(most.gasUsed),
      effectiveGasPrice: numberToHex(most.effectiveGasPrice),
    };
  },
  "prices just below the limit": async (method, ask) => {
    const answer = await ask();
    return method === "eth_getBlockByNumber" && answer !== null
      ? { ...Object(answer), baseFeePerGas: near }
      : method === "eth_maxPriorityFeePerGas" || method === "eth_gasPrice"
        ? near
        : answer;
  },
  "blocks of the future": async (method, ask) => {
    const answer = await ask();
    if (method === "eth_blockNumber") return "0xffffff";
    return method === "eth_getBlockByNumber" && answer !== null
      ? { ...Object(answer), number: "0xffffff", timestamp: "0xffffffff" }
      : answer;
  },
  "missing receipts and dropped transactions": (method, ask) =>
    method === "eth_getTransactionReceipt"
      ? null
      : method === "eth_sendRawTransaction"
        ? `0x${"1".repeat(64)}`
        : ask(),
};

afterEach(() => {
  vi.useRealTimers();
});

test.each([1, 2, 3])(
  "one lying node of %i takes nothing beyond what was signed and allowed",
  async (nodes) => {
    const daily = parseEther("1");
    const { limit, projectId, readTank, send } = await openCustomer(daily);
    await storeDaily(database, await check());
    const lie: { current: Lie | null } = { current: null };
    const instances = [openInstance(nodes, lie), openInstance(nodes, lie)];
    const [first = honest] = instances;
    for (const current of Object.values(lies)) {
      const wallet = await createWallet();
      await limit(wallet);
      lie.current = current;
      const answer = await send(first, wallet);
      // A lie can only keep a call from being accepted.
      if (answer.status !== 200) {
        expect([400, 503]).toContain(answer.status);
        await relayOf(send(honest, wallet));
      }
      for (let round = 0; round < 6; round += 1) {
        for (const { id } of await relaysOf(projectId)) {
          await Promise.all(instances.map((each) => settle(each, id)));
        }
        await audit(projectId, daily);
        await passMinute();
      }
    }
    lie.current = null;
    const cost = await finish(projectId);
    await audit(projectId, daily);
    const relays = await relaysOf(projectId);
    expect(relays.map(({ state }) => state)).toEqual(
      Object.keys(lies).map(() => "done"),
    );
    const paid = parseEther("10") - (await readTank());
    expect(paid).toBe(cost);
    const { difference, unknown, foreign } = await check();
    expect({ unknown, foreign }).toEqual({ unknown: 0, foreign: 0 });
    if (nodes > 1) expect(difference).toBe(0n);
  },
);

test("a sponsor pays no more than its limit, whatever it changes meanwhile", async () => {
  const gasPrice = parseGwei("3");
  const { limit, projectId, readTank, send, wallet } = await openCustomer(1n);
  const other = openInstance();
  expect((await send(other, wallet)).status).toBe(403);
  await limit(wallet, null);
  const probe = await relayOf(send(other, wallet));
  const [{ max_cost: most = "0" } = {}] = await relaysOf(projectId);
  await finish(projectId);
  // The contract that all wallets call is sponsored, for three calls.
  const daily = 4n * BigInt(most);
  const target = owner.account.address;
  await limit(target, daily);
  await limit(wallet, daily);
  const wallets: Address[] = [];
  while (wallets.length < 12) wallets.push(await createWallet());
  const answers = await Promise.all(
    wallets.map((each, index) =>
      send(index % 2 === 0 ? other : honest, each, { to: target }),
    ),
  );
  const accepted = answers.filter(({ status }) => status === 200).length;
  expect(accepted).toBeGreaterThan(0);
  expect(accepted).toBeLessThanOrEqual(4);
  // The customer lowers the limit: what was not sent yet waits.
  await limit(target, 0n);
  for (const { id } of await relaysOf(projectId)) await settle(other, id);
  const { cost: first = "0" } = (await relaysOf(projectId))[0] ?? {};
  const readPaid = async () => parseEther("10") - (await readTank());
  expect(await readPaid()).toBe(BigInt(first));
  // It raises the limit again, removes the sponsor, and the price rises.
  await limit(target, daily);
  await anvil.setNextBlockBaseFeePerGas({ baseFeePerGas: gasPrice });
  await database
    .updateTable("gas_sponsors")
    .set({ active: false, deleted_at: new Date() })
    .where("project_id", "=", projectId)
    .execute();
  for (let round = 0; round < 6; round += 1) {
    for (const { id } of await relaysOf(projectId)) await settle(other, id);
    await passMinute();
    const paid = (await readPaid()) - BigInt(first);
    expect(paid).toBeLessThanOrEqual(daily);
  }
  // What was canceled at the high price used up the limit, so the calls wait.
  await limit(target, null);
  await finish(projectId);
  const later = (await relaysOf(projectId)).filter(({ id }) => id !== probe.id);
  const paid = later.reduce((sum, { cost }) => sum + BigInt(cost), 0n);
  expect(later.every(({ state }) => state === "done")).toBe(true);
  expect(await readPaid()).toBe(paid + BigInt(first));
});

/** Succeeds in estimates, whose gas price is 0, and burns all gas in blocks. */
const burner = "0x3a15600657fe5b00";
/** Returns a megabyte in blocks. */
const bomb = "0x3a15600c57621000006000f35b00";

test.each([
  ["burns all gas", burner],
  ["returns a megabyte", bomb],
])(
  "a receiver that %s in blocks only uses up its own sponsor's limit",
  async (_, code) => {
    const target = privateKeyToAccount(generatePrivateKey()).address;
    await anvil.setCode({ address: target, bytecode: `0x${code.slice(2)}` });
    const probe = await openCustomer(parseEther("1"));
    await relayOf(probe.send(honest, probe.wallet, { to: target }));
    const [{ max_cost: most = "0" } = {}] = await relaysOf(probe.projectId);
    await finish(probe.projectId);

    const daily = 3n * BigInt(most);
    const { projectId, readTank, send, wallet } = await openCustomer(daily);
    const before = await check();
    await storeDaily(database, before);
    let refusals = 0;
    for (let nonce = 0n; nonce < 8n; nonce += 1n) {
      const done = (await relaysOf(projectId)).filter(
        ({ state }) => state === "done",
      );
      const answer = await send(honest, wallet, {
        to: target,
        nonce: BigInt(done.length),
        // Each call is a different one.
        deadline: 4_000_000_000n + nonce,
      });
      if (answer.status !== 200) refusals += 1;
      await finish(projectId);
      await audit(projectId, daily);
    }
    expect(refusals).toBeGreaterThan(0);
    const paid = parseEther("10") - (await readTank());
    expect(paid).toBeLessThanOrEqual(daily);
    const costs = await Promise.all(
      (await relaysOf(projectId)).map(async ({ transaction_hash: hash }) =>
        costOfHash(hash ?? "0x"),
      ),
    );
    expect(paid).toBe(costs.reduce((sum, cost) => sum + cost, 0n));
  },
);

test.each([-25, -1, 1, 25])(
  "an instance whose clock is %i hours off neither ends a call nor a limit",
  async (hours) => {
    const wrong = openInstance();
    const probe = await openCustomer(parseEther("1"));
    await relayOf(probe.send(honest, probe.wallet));
    const [{ max_cost: most = "0" } = {}] = await relaysOf(probe.projectId);
    await finish(probe.projectId);
    const daily = BigInt(most) + BigInt(most) / 2n;
    const { getRelay, projectId, send, wallet } = await openCustomer(daily);
    const { timestamp } = await anvil.getBlock();
    const now = BigInt(Math.floor(Date.now() / 1000));
    const deadline = (timestamp > now ? timestamp : now) + 600n;
    vi.useFakeTimers({
      toFake: ["Date"],
      now: Date.now() + hours * 60 * 60 * 1000,
    });
    const sent = await relayOf(send(wrong, wallet, { deadline }));
    await settle(wrong, sent.id);
    await settle(wrong, sent.id);
    expect((await getRelay(sent.id)).status).toBe("done");
    const done = await getRelay(sent.id);
    expect(BigInt(done.cost ?? 0)).toBe(await costOf(owner, done));
    // What was spent still counts, although the clock says a day has passed.
    const tooMuch = 3;
    for (let nonce = 1n; nonce <= tooMuch; nonce += 1n) {
      const { status } = await send(wrong, wallet, { nonce, deadline });
      if (status === 200) {
        for (const { id } of await relaysOf(projectId)) await settle(wrong, id);
      }
    }
    vi.useRealTimers();
    await audit(projectId, daily);
  },
);
