import { sql } from "kysely";
import {
  type Address,
  createPublicClient,
  createTestClient,
  custom,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  http,
  isHex,
  keccak256,
  numberToHex,
  parseEther,
} from "viem";
import {
  afterAll,
  beforeAll,
  beforeEach,
  expect,
  onTestFinished,
  test,
} from "vitest";

import { createFixtureAccounts } from "../../chain/accounts.js";
import { smartWallet } from "../../chain/artifacts/smart-wallet.js";
import { type ChainWallet, openChainWallet } from "../../chain/chain-wallet.js";
import { migrate } from "../../database/migrate.js";
import { openNotifications } from "../../database/notifications.js";
import { openDatabase } from "../../database/pool.js";
import { openChainClient } from "../../network/chain-client.js";
import { createNetworks, type Networks } from "../../network/networks.js";
import { enqueue, jobsChannel } from "../../queue/enqueue.js";
import { relayQueue } from "../../relaying/relay.js";
import { startRelayWorker } from "../../relaying/relay-worker.js";
import type { Relay } from "../../relaying/relays.js";
import { walletCodeHash } from "../../relaying/sponsorship.js";
import type { WalletCall } from "../../relaying/wallet-call.js";
import { readSettings } from "../../settings/read-settings.js";
import { saveGasSponsor } from "../../services/relayer/gas-sponsors.js";
import { fillGasTank } from "../../services/relayer/gas-tanks.js";
import { callOf, createUserWallet, signCall } from "../support/relaying.js";
import {
  type Answer,
  createTestProject,
  headersOf,
  type ServedPlatform,
  servePlatform,
  type TestProject,
} from "../support/serve-platform.js";
import {
  startTestChain,
  type TestChain,
  testChainId as chainId,
} from "../support/start-chain.js";
import { createDatabase, silent } from "../support/test-database.js";

const accounts = createFixtureAccounts();
const url = await createDatabase();
const { database } = openDatabase(url, silent);
afterAll(() => database.destroy());
await migrate(database);

let chain: TestChain;
let owner: ChainWallet;
let networks: Networks;
let platform: ServedPlatform;
/** Another one on the same database. */
let second: ServedPlatform;
let wallet: Address;
let project: TestProject;
let walletCount = 0;

const createWallet = (): Promise<Address> => {
  const { fixtures, rpcUrl } = chain;
  const place = { rpcUrl, factory: fixtures.walletFactory };
  walletCount += 1;
  return createUserWallet(place, chainId, `wallet ${walletCount}`);
};

beforeAll(async () => {
  chain = await startTestChain();
  owner = openChainWallet(chain.rpcUrl, chainId, accounts.owner);
  networks = createNetworks([chain.network], openChainClient);
  const changes = { networks: [chain.network] };
  platform = servePlatform(database, changes);
  second = servePlatform(database, changes);
});
afterAll(() => chain.stop());
beforeEach(async () => {
  project = await createTestProject(platform.store);
  wallet = await createWallet();
});

const sponsor = (address: string, active = true): Promise<unknown> =>
  saveGasSponsor(database, {
    ...{ projectId: project.id, chainId, address },
    ...{ name: "", active },
  });

const fill = (amount: bigint): Promise<void> =>
  fillGasTank(database, { projectId: project.id, chainId }, amount);

const readTank = async (): Promise<bigint> => {
  const { balance } = await database
    .selectFrom("gas_tanks")
    .select("balance")
    .where("project_id", "=", project.id)
    .executeTakeFirstOrThrow();
  return BigInt(balance);
};

const relay = async (
  call: WalletCall,
  { on = platform, signer = accounts.user } = {},
): Promise<Answer> =>
  on.call(
    "/rpc/Relaying/Relay",
    headersOf(project),
    await signCall(chainId, call, signer),
  );

const relayOf = async (answer: Promise<Answer>): Promise<Relay> => {
  const { status, body } = await answer;
  expect([status, body["error"]]).toEqual([200, undefined]);
  return Object(body["relay"]);
};

const getRelay = (id: number): Promise<Relay> =>
  relayOf(platform.call("/rpc/Relaying/GetRelay", headersOf(project), { id }));

const errorOf = async (answer: Promise<Answer>): Promise<unknown> => {
  const { body } = await answer;
  return `${String(body["error"])}: ${String(body["cause"])}`;
};

const countRelays = async (): Promise<number> => {
  const { rows } = await sql<object>`
    select from relays where project_id = ${project.id}`.execute(database);
  return rows.length;
};

/** Works until the end of the test. */
const startWorking = (on = networks): void => {
  const notifications = openNotifications(url, jobsChannel, silent);
  const settings = readSettings({});
  const parts = { database, log: silent, networks: on, settings };
  const worker = startRelayWorker(parts, notifications);
  onTestFinished(async () => {
    await worker.stop();
    await notifications.stop();
  });
};

const settled = async ({ id }: Relay): Promise<Relay> => {
  await expect
    .poll(async () => (await getRelay(id)).status, { timeout: 10_000 })
    .not.toBe("pending");
  return getRelay(id);
};

/** What a transaction has cost, as the chain tells. */
const costOf = async (hash: Hex): Promise<bigint> => {
  const receipt = await owner.getTransactionReceipt({ hash });
  return receipt.gasUsed * receipt.effectiveGasPrice;
};

test("a sponsored wallet's call is made, and the tank pays exactly what it cost", async () => {
  startWorking();
  await sponsor(wallet);
  await fill(parseEther("1"));
  await owner.sendTransactionSync({ to: wallet, value: 1000n });
  const to = "0x00000000000000000000000000000000000000A1";
  const before = await owner.getBalance({ address: to });
  const pending = await relayOf(relay(callOf(wallet, { to, value: 300n })));
  expect(pending.status).toBe("pending");
  const done = await settled(pending);
  const cost = await costOf(done.transactionHash);
  expect(done).toMatchObject({ status: "done", cost: cost.toString() });
  expect(await readTank()).toBe(parseEther("1") - cost);
  expect(await owner.getBalance({ address: to })).toBe(before + 300n);
  expect(await owner.getBalance({ address: wallet })).toBe(700n);
});

/** The network as a rollup whose receipts name a fee for data. */
const openRollup = (l1Fee: bigint): Networks =>
  createNetworks([chain.network], (settings) => {
    const client = openChainClient(settings);
    const transport = custom({
      request: async (question: { readonly method: string }) => {
        const answer: unknown = await client.request(Object(question));
        const isReceipt = question.method === "eth_getTransactionReceipt";
        if (!isReceipt || answer === null) return answer;
        return { ...Object(answer), l1Fee: numberToHex(l1Fee) };
      },
    });
    return createPublicClient({ transport });
  });

test("a rollup's fee for data is paid by the tank, too, even if it then owes", async () => {
  const l1Fee = parseEther("2");
  startWorking(openRollup(l1Fee));
  await sponsor(wallet);
  await fill(parseEther("1"));
  const done = await settled(await relayOf(relay(callOf(wallet))));
  const cost = (await costOf(done.transactionHash)) + l1Fee;
  expect(done).toMatchObject({ status: "done", cost: cost.toString() });
  expect(await readTank()).toBe(parseEther("1") - cost);
  expect(await errorOf(relay(callOf(wallet, { nonce: 1n })))).toMatch(
    /^Unavailable: .*gas tank/u,
  );
});

test("what a rollup says that it will charge for data is kept back", async () => {
  const address = "0x420000000000000000000000000000000000000F";
  const anvil = createTestClient({
    mode: "anvil",
    transport: http(chain.rpcUrl),
  });
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

test("a sponsored contract is called, and a sponsored account is paid, by any wallet", async () => {
  startWorking();
  const { gold } = chain.fixtures;
  const payee = "0x00000000000000000000000000000000000000a2";
  await sponsor(gold);
  await sponsor(payee.toUpperCase().replace("0X", "0x"));
  await fill(parseEther("1"));
  const data = encodeFunctionData({
    abi: erc20Abi,
    functionName: "approve",
    args: [payee, 5n],
  });
  await settled(await relayOf(relay(callOf(wallet, { to: gold, data }))));
  const allowance = await owner.readContract({
    ...{ address: gold, abi: erc20Abi, functionName: "allowance" },
    args: [wallet, payee],
  });
  expect(allowance).toBe(5n);
  await owner.sendTransactionSync({ to: wallet, value: 9n });
  const pay = callOf(wallet, { to: payee, value: 9n, nonce: 1n });
  await settled(await relayOf(relay(pay)));
  expect(await owner.getBalance({ address: payee })).toBe(9n);
  // That is no transfer.
  const odd = callOf(wallet, { to: payee, data: "0x01", nonce: 2n });
  expect(await errorOf(relay(odd))).toMatch(/^PermissionDenied: /u);
  // A contract that only looks like a wallet could do anything.
  const posing = callOf(chain.fixtures.pools, { to: gold, data });
  expect(await errorOf(relay(posing))).toMatch(/^PermissionDenied: /u);
});

test("what nobody sponsors, or not any more, is refused", async () => {
  await fill(parseEther("1"));
  const call = callOf(wallet);
  const refusal = /^PermissionDenied: the project sponsors none of 0x/u;
  expect(await errorOf(relay(call))).toMatch(refusal);
  await sponsor(wallet, false);
  expect(await errorOf(relay(call))).toMatch(refusal);
  await sponsor(wallet);
  await database
    .updateTable("gas_sponsors")
    .set({ deleted_at: new Date() })
    .where("project_id", "=", project.id)
    .execute();
  expect(await errorOf(relay(call))).toMatch(refusal);
  // Another project's sponsors are not this one's.
  await sponsor(wallet);
  const other = await createTestProject(platform.store);
  const message = await signCall(chainId, call);
  const path = "/rpc/Relaying/Relay";
  const foreign = platform.call(path, headersOf(other), message);
  expect(await errorOf(foreign)).toMatch(refusal);
  expect(await errorOf(platform.call(path, {}, message))).toMatch(
    /^AccessKeyNotFound/u,
  );
  expect(await countRelays()).toBe(0);
});

test("a tank that is empty, or kept for others, pays nothing", async () => {
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

test("what the owner has not signed, or the wallet refuses, is not sent", async () => {
  await sponsor(wallet);
  await fill(parseEther("1"));
  const refusal = /^InvalidArgument: the wallet refuses the call/u;
  const forged = relay(callOf(wallet), { signer: accounts.other });
  expect(await errorOf(forged)).toMatch(refusal);
  for (const change of [{ nonce: 1n }, { deadline: 1n }, { value: 1n }]) {
    expect(await errorOf(relay(callOf(wallet, change)))).toMatch(refusal);
  }
  const message = await signCall(chainId, callOf(wallet));
  for (const [name, value] of Object.entries({
    wallet: "0x1",
    value: (2n ** 256n).toString(),
    data: "0x1",
    deadline: "soon",
  })) {
    const call = platform.call("/rpc/Relaying/Relay", headersOf(project), {
      ...message,
      [name]: value,
    });
    expect(await errorOf(call)).toMatch(
      new RegExp(`^InvalidArgument: ${name}: expected `, "u"),
    );
  }
  expect(await countRelays()).toBe(0);
});

test("the same call again is the same relay, and another one with its nonce is none", async () => {
  await sponsor(wallet);
  await fill(parseEther("1"));
  const call = callOf(wallet);
  const rival = callOf(wallet, { data: "0x01" });
  const answers = [platform, second, platform].map((on) =>
    relayOf(relay(call, { on })),
  );
  const [first, ...others] = await Promise.all(answers);
  if (first === undefined) throw new Error("there is no answer");
  expect(others.map(({ id }) => id)).toEqual([first.id, first.id]);
  expect(await errorOf(relay(rival))).toMatch(
    /^InvalidArgument: nonce: another call with 0 /u,
  );
  startWorking();
  const { cost } = await settled(first);
  expect(await relayOf(relay(call))).toMatchObject({ id: first.id, cost });
  expect(await errorOf(relay(rival))).toMatch(
    /^InvalidArgument: the wallet refuses the call/u,
  );
  expect(await readTank()).toBe(parseEther("1") - BigInt(cost ?? 0));
});

test("killed before it sends or before it books, it does each once afterwards", async () => {
  const wallets = [wallet, await createWallet(), await createWallet()];
  for (const each of wallets) await sponsor(each);
  await fill(parseEther("1"));
  const relays = await Promise.all(
    // Nobody works yet: this is what a kill leaves behind.
    wallets.map((each, index) =>
      relayOf(relay(callOf(each), { on: index % 2 ? second : platform })),
    ),
  );
  // One was sent, and its receipt is not booked.
  const { transaction } = await database
    .selectFrom("relays")
    .select("transaction")
    .where("chain_id", "=", chainId)
    .where(
      "account_nonce",
      "=",
      await owner.getTransactionCount(accounts.relayer),
    )
    .where("state", "=", "pending")
    .executeTakeFirstOrThrow();
  if (!isHex(transaction)) throw new Error(`sends ${transaction}`);
  await owner.sendRawTransaction({ serializedTransaction: transaction });
  startWorking();
  startWorking();
  const done = await Promise.all(relays.map(settled));
  const costs = await Promise.all(
    done.map(({ transactionHash }) => costOf(transactionHash)),
  );
  const total = costs.reduce((sum, cost) => sum + cost, 0n);
  expect(done.map(({ status }) => status)).toEqual(["done", "done", "done"]);
  expect(await readTank()).toBe(parseEther("1") - total);
});

test("a call that fails after all is paid for, and its nonce is free again", async () => {
  await sponsor(wallet);
  await fill(parseEther("1"));
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
  const cost = await costOf(reverted.transactionHash);
  expect(reverted).toMatchObject({ status: "reverted", cost: String(cost) });
  expect(await readTank()).toBe(parseEther("1") - cost);
  const again = await relayOf(relay(callOf(wallet)));
  expect((await settled(again)).status).toBe("done");
});

test("a chain of our own that has forgotten its last blocks goes on", async () => {
  const other = await createWallet();
  await sponsor(wallet);
  await sponsor(other);
  await fill(parseEther("1"));
  const client = createTestClient({
    mode: "anvil",
    transport: http(chain.rpcUrl),
  });
  const id = await client.snapshot();
  const forgotten = await relayOf(relay(callOf(other)));
  const pending = await relayOf(relay(callOf(wallet)));
  startWorking();
  await settled(forgotten);
  await settled(pending);
  await client.revert({ id });
  // As a kill leaves it that comes after the first receipt.
  await database.transaction().execute(async (transaction) => {
    await transaction
      .updateTable("relays")
      .set({ state: "pending", gas_used: null, cost: null, settled_at: null })
      .where("id", "=", pending.id)
      .execute();
    const key = String(pending.id);
    await enqueue(transaction, relayQueue, [{ key, payload: pending.id }]);
  });
  const after = await settled(pending);
  expect(after.status).toBe("done");
  expect(BigInt(after.cost ?? 0)).toBe(await costOf(after.transactionHash));
});

test("wallets are known by their code", async () => {
  const code = await owner.getCode({ address: wallet });
  expect(keccak256(code ?? "0x")).toBe(walletCodeHash);
});
