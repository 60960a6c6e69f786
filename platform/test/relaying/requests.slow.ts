import { sql } from "kysely";
import {
  encodeFunctionData,
  erc20Abi,
  keccak256,
  parseEther,
  zeroAddress,
} from "viem";
import { expect, test } from "vitest";

import { lockRow } from "../../database/locks.js";
import { createAnswers } from "../../parts/answers.js";
import { createRelayingHandler } from "../../relaying/handler.js";
import {
  sponsorableAddresses,
  walletCodeHash,
} from "../../relaying/sponsorship.js";
import { saveGasSponsor } from "../../services/relayer/gas-sponsors.js";
import {
  accounts,
  errorOf,
  openRelaying,
  relayOf,
} from "../support/open-relaying.js";
import { callOf, signCall } from "../support/relaying.js";
import {
  createTestProject,
  headersOf,
  servePlatform,
} from "../support/serve-platform.js";
import { testChainId as chainId } from "../support/start-chain.js";

const {
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

test("lets any wallet call a sponsored contract and transfer funds to a sponsored account", async () => {
  const { wallet, sponsor, fill, relay, settled } = await openProject();
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
  // This call has data, so it is more than a transfer.
  const odd = callOf(wallet, { to: payee, data: "0x01", nonce: 2n });
  expect(await errorOf(relay(odd))).toMatch(/^PermissionDenied: /u);
  // A contract that only looks like a wallet could do anything.
  const posing = callOf(chain.fixtures.pools, { to: gold, data });
  expect(await errorOf(relay(posing))).toMatch(/^PermissionDenied: /u);
});

test("rejects calls without an active sponsor", async () => {
  const { wallet, sponsor, fill, relay, countRelays, project } =
    await openProject();
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
  // Sponsors of another project do not count.
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

test("rejects calls that are malformed, unsigned, or not accepted by the wallet", async () => {
  const { wallet, relay, countRelays, project } = await openSponsor();
  const refusal = /^InvalidArgument: the wallet rejects the call/u;
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

test("rejects calls without `gas` from a sponsored account that is not a contract", async () => {
  const { sponsor, fill, relay, countRelays } = await openProject();
  const account = accounts.user.address;
  await sponsor(account);
  await fill(parseEther("1"));
  expect(await errorOf(relay(callOf(account)))).toBe(
    `InvalidArgument: wallet: ${account} is not a contract; calls from plain accounts require the gas field`,
  );
  expect(await countRelays()).toBe(0);
});

test("answers the same call with the same relay, and rejects another call with the same nonce", async () => {
  const { wallet, relay, readTank, settled } = await openSponsor();
  const call = callOf(wallet);
  const rival = callOf(wallet, { data: "0x01" });
  const answers = [platform, second, platform].map((on) =>
    relayOf(relay(call, { on })),
  );
  const [first, ...others] = await Promise.all(answers);
  if (first === undefined) throw new Error("there is no answer");
  expect(others.map(({ id }) => id)).toEqual([first.id, first.id]);
  expect(await errorOf(relay(rival))).toMatch(
    /^InvalidArgument: nonce: another call with the nonce 0 /u,
  );
  startWorking();
  const { cost } = await settled(first);
  expect(await relayOf(relay(call))).toMatchObject({ id: first.id, cost });
  expect(await errorOf(relay(rival))).toMatch(
    /^InvalidArgument: the wallet rejects the call/u,
  );
  expect(await readTank()).toBe(parseEther("1") - BigInt(cost ?? 0));
});

test("limits the pending relays of a project", async () => {
  const { wallet, sponsor, relay, settled } = await openSponsor();
  const networks = [chain.network];
  const on = servePlatform(database, { networks, relaysPerProject: 1 });
  const [one, two] = [await createWallet(), await createWallet()];
  for (const address of [one, two]) await sponsor(address);
  const first = await relayOf(relay(callOf(wallet), { on }));
  expect(await errorOf(relay(callOf(one), { on }))).toBe(
    `PermissionDenied: the project has reached the maximum number of pending relays on chain ${chainId} (1)`,
  );
  // Repeating the same call does not create another relay.
  const same = await relayOf(relay(callOf(wallet), { on }));
  expect(same.id).toBe(first.id);
  startWorking();
  await settled(first);
  await relayOf(relay(callOf(two), { on }));
});

test("a repeated call with a key gets the relay of the first, whatever has happened to it", async () => {
  const { countRelays, fill, project, sponsor, wallet } = await openProject();
  await sponsor(wallet);
  const message = await signCall(chainId, callOf(wallet));
  const headers = { ...headersOf(project), "idempotency-key": '"k"' };
  const send = (on = platform) =>
    on.call("/rpc/Relaying/Relay", headers, message);
  // An empty tank is temporary, so this answer is not kept.
  expect(await errorOf(send())).toMatch(/^Unavailable: .*insufficient funds/u);
  await fill(parseEther("1"));
  const first = await relayOf(send());
  await sql`
    update relays set state = 'expired', is_final = true, settled_at = now()
    where id = ${first.id}`.execute(database);
  expect(await relayOf(send(second))).toEqual(first);
  expect(await countRelays()).toBe(1);
});

test("a slow call does not delay other calls", async () => {
  const { wallet, sponsor, project } = await openSponsor();
  const other = await createWallet();
  await sponsor(other);
  let goOn = (): void => undefined;
  const gate = new Promise<void>((resolve) => (goOn = resolve));
  const [network] = answering("eth_estimateGas", async (ask, call) => {
    if (Object(call).to === wallet) await gate;
    return ask();
  }).all;
  if (network === undefined) throw new Error("the network is missing");
  const answers = createAnswers(platform.platform.database);
  const handler = createRelayingHandler(
    { ...platform.platform, requestIdOf: () => null },
    answers,
    network,
  );
  const context = Object({
    state: { project: project.id },
    get: () => undefined,
    header: () => null,
    remainingMs: () => Infinity,
  });
  const slow = handler.relay(await signCall(chainId, callOf(wallet)), context);
  const quick = handler.relay(await signCall(chainId, callOf(other)), context);
  expect((await quick).relay.status).toBe("pending");
  goOn();
  expect((await slow).relay.id).toBeGreaterThan((await quick).relay.id);
});

test("one node cannot change which sponsors can pay for a call", async () => {
  const wallet = await createWallet();
  const { gold } = chain.fixtures;
  const call = callOf(wallet, { to: gold });
  const addressesOf = async (nodes: number) => {
    const lying = answering("eth_getCode", () => "0x1234", { nodes });
    const signed = { projectId: 1, call, data: "0x", hash: "0x" } as const;
    const network = lying.find(String(chainId));
    if (network === null) throw new Error("the network is missing");
    const asked = sponsorableAddresses(network, {
      ...{ ...signed, forwarder: null, requestId: null },
    });
    return asked.catch((error: unknown) => Object(error).cause);
  };
  const both = [wallet.toLowerCase(), gold.toLowerCase()];
  // A node that responds late does not count.
  await expect.poll(() => addressesOf(3)).toEqual(both);
  await expect
    .poll(() => addressesOf(2))
    .toMatch(/do not agree about the code of/u);
  expect(await addressesOf(1)).toEqual([wallet.toLowerCase()]);
});

test("recognizes wallets by their code", async () => {
  const code = await owner.getCode({ address: await createWallet() });
  expect(keccak256(code ?? "0x")).toBe(walletCodeHash);
});

test("accepting a call does not deadlock with a request that changes its sponsor", async () => {
  const { wallet, relay, project } = await openSponsor();
  let answer: ReturnType<typeof relay> | undefined;
  await database.transaction().execute(async (transaction) => {
    await lockRow(transaction, "project", project.id);
    answer = relay(callOf(wallet));
    const findWaiting = async () => {
      const { rows } = await sql`
        select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(
        database,
      );
      return rows.length;
    };
    await expect.poll(findWaiting).toBe(1);
    await transaction
      .updateTable("gas_sponsors")
      .set({ name: "changed" })
      .where("project_id", "=", project.id)
      .execute();
  });
  if (answer === undefined) throw new Error("there is no answer");
  expect((await relayOf(answer)).status).toBe("pending");
});

test("limits what a wallet and a sponsor can spend in 24 hours", async () => {
  const { wallet, relay, project, settled, sponsor } = await openSponsor();
  startWorking();
  const networks = [chain.network];
  const on = servePlatform(database, { networks, relaysPerWallet: 1 });
  const done = await settled(await relayOf(relay(callOf(wallet), { on })));
  const next = callOf(wallet, { nonce: 1n });
  expect(await errorOf(relay(next, { on }))).toBe(
    "PermissionDenied: the wallet has reached the maximum number of relays in 24 hours (1)",
  );
  const limit = async (dailyLimit: string | null) => {
    const place = { projectId: project.id, chainId };
    const change = { address: wallet, name: "", active: true, dailyLimit };
    await saveGasSponsor(database, { ...place, ...change }, 10);
  };
  await limit(String(BigInt(done.cost ?? 0) + 1n));
  // Another request without a limit keeps it.
  await sponsor(wallet);
  expect(await errorOf(relay(next))).toBe(
    "PermissionDenied: the sponsor has reached its limit for 24 hours",
  );
  await limit("0");
  expect(await errorOf(relay(next))).toBe(
    "PermissionDenied: the sponsor has reached its limit for 24 hours",
  );
  await limit(null);
  expect((await relayOf(relay(next))).status).toBe("pending");
});

test("another sponsor pays if the first one has reached its limit", async () => {
  const { project, relay, sponsor, fill, wallet } = await openProject();
  const place = { projectId: project.id, chainId, name: "", active: true };
  const target = { ...place, address: zeroAddress, dailyLimit: "0" };
  await saveGasSponsor(database, target, 10);
  await fill(parseEther("1"));
  const call = callOf(wallet);
  const limited =
    "PermissionDenied: the sponsor has reached its limit for 24 hours";
  expect(await errorOf(relay(call))).toBe(limited);
  await sponsor(wallet);
  const { id } = await relayOf(relay(call));
  const { address } = await database
    .selectFrom("relays")
    .innerJoin("gas_sponsors", "gas_sponsors.id", "gas_sponsor_id")
    .select("address")
    .where("relays.id", "=", id)
    .executeTakeFirstOrThrow();
  expect(address).toBe(wallet.toLowerCase());
});
