import { type ChildProcess, spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";

import { erc20Abi } from "viem";
import { afterAll, expect, onTestFinished, test } from "vitest";

import { TokenEvent } from "../../../generated/indexer/types.js";
import { createFixtureAccounts } from "../../chain/accounts.js";
import { openChainWallet } from "../../chain/chain-wallet.js";
import { startEmbeddedChain } from "../../chain/embedded.js";
import { findFreePort } from "../../process/programs/free-port.js";
import { startTickClock } from "../support/tick-clock.js";
import { makeDataFolder } from "../start/start-platform.js";
import {
  type CrashingPlatform,
  findChain,
  freeze,
  startCrashing,
} from "./crashing-platform.js";
import { startReceiver } from "./deliveries.js";

/**
 * The maximum time until callers get `Unavailable`, and until calls succeed
 * again.
 */
const limits = { answerMs: 2000, backMs: 5000 };

/** The first retry is due after 5 s plus twice the age of the delivery. */
const retryMs = 6000;

const clock = startTickClock();
afterAll(() => clock.stop());

/** A call that can fail while a part is down. */
type Call = () => Promise<
  | { readonly ok: true }
  | { readonly ok: false; readonly error: { readonly name: string } }
>;

/**
 * Repeats the call until it succeeds or, if `isWanted` is false, until it is
 * rejected. Output: the duration of the slowest call.
 */
async function callUntil(call: Call, isWanted: boolean): Promise<number> {
  let slowestMs = 0;
  for (;;) {
    const since = clock.now();
    const answer = await call();
    slowestMs = Math.max(slowestMs, clock.now() - since);
    // Errors reveal nothing else about the outage to callers.
    if (!answer.ok) expect(answer.error.name).toBe("Unavailable");
    if (answer.ok === isWanted) return slowestMs;
    await sleep(20);
  }
}

/** Returns calls that need only the database, only the chain, or both. */
function callsOf(platform: CrashingPlatform) {
  const { fixtures, network, projectId } = platform.ready();
  const { api, builder, marketplace } = platform.client();
  const contractAddress = fixtures.collectible;
  const input = [{ contractAddress, orderId: fixtures.listing }];
  const signed = {
    ...{ chainId: network, walletAddress: fixtures.wallet },
    ...{ digest: `0x${"2".repeat(64)}`, signature: "0x" },
  };
  const database: Call = () => builder.listAudiences.result({ projectId });
  const chain: Call = () => api.isValidSignature.result(signed);
  const orders: Call = () => marketplace.getOrders.result({ input });
  return { chain, database, orders };
}

/**
 * Stops a part and brings it back, and checks that the platform notices both
 * events in time.
 */
async function expectWall(
  name: string,
  calls: readonly Call[],
  stop: () => Promise<() => Promise<void>>,
): Promise<void> {
  await Promise.all(calls.map((call) => callUntil(call, true)));
  const comeBack = await stop();
  const slowest = calls.map((call) => callUntil(call, false));
  const slowestMs = Math.max(...(await Promise.all(slowest)));
  expect(slowestMs).toBeLessThan(limits.answerMs);
  await comeBack();
  const since = clock.now();
  await Promise.all(calls.map((call) => callUntil(call, true)));
  const backMs = clock.now() - since;
  expect(backMs).toBeLessThan(limits.backMs);
  const inSeconds = [slowestMs, backMs].map((ms) => (ms / 1000).toFixed(1));
  console.log(
    `${name}: Unavailable within ${inSeconds[0]} s, back after ${inSeconds[1]} s`,
  );
}

test("reports a frozen database or chain as Unavailable until it resumes", async () => {
  const platform = await startCrashing();
  onTestFinished(() => platform.stop());
  const { chain, database, orders } = callsOf(platform);
  const freezePart = (victim: "chain" | "database") => () => {
    const goOn = platform.freeze(victim);
    return Promise.resolve(() => Promise.resolve(goOn()));
  };
  await expectWall("frozen chain", [chain, orders], freezePart("chain"));
  await expectWall(
    "frozen database",
    [chain, database, orders],
    freezePart("database"),
  );
  for (const victim of ["chain", "database"] as const) {
    await platform.kill(victim);
    const since = clock.now();
    // The part restarts immediately, so the outage may go unnoticed.
    const calls = [chain, database, orders];
    await platform.recover();
    await Promise.all(calls.map((call) => callUntil(call, true)));
    const seconds = (clock.now() - since) / 1000;
    console.log(`killed ${victim}: back after ${seconds.toFixed(1)} s`);
    expect(seconds * 1000).toBeLessThan(limits.backMs);
  }
});

test("reports a frozen or killed RPC provider as Unavailable until it is back", async () => {
  const folder = makeDataFolder();
  const port = await findFreePort();
  const start = () =>
    startEmbeddedChain({
      ...{ chainId: 31337, folder, port, saveEveryMs: 200 },
      onError: () => undefined,
    });
  const findProvider = () => findChain(`--port\0${port}\0`);
  let provider = await start();
  onTestFinished(async () => {
    await provider.stop();
    rmSync(folder, { recursive: true });
  });
  const platform = await startCrashing({ CHAIN_URL: provider.rpcUrl });
  onTestFinished(() => platform.stop());
  const { chain, database, orders } = callsOf(platform);
  const calls = [chain, orders];
  await expectWall("frozen provider", calls, async () => {
    const goOn = freeze(findProvider());
    // Other calls do not need the provider.
    expect(await callUntil(database, true)).toBeLessThan(limits.answerMs);
    return () => Promise.resolve(goOn());
  });
  await provider.save();
  await expectWall("killed provider", calls, async () => {
    const pid = findProvider();
    if (pid !== null) process.kill(pid, "SIGKILL");
    await provider.ended;
    return async () => {
      provider = await start();
    };
  });
});

/**
 * Starts a webhook receiver in its own process, and counts the webhooks that it
 * receives.
 */
async function spawnReceiver(port: number) {
  const code = `
    require("node:http").createServer((request, response) => {
      request.resume().on("end", () => { response.end(); console.log("+"); });
    }).listen(${port}, "127.0.0.1", () => console.log("ready"));`;
  const receiver: ChildProcess = spawn(process.execPath, ["-e", code], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void receiver.kill("SIGKILL"));
  const state = { count: 0, isReady: false };
  if (receiver.stdout === null) throw new Error("the receiver has no output");
  createInterface(receiver.stdout).on("line", (line) => {
    if (line === "ready") state.isReady = true;
    else state.count += 1;
  });
  while (!state.isReady) await sleep(10);
  return { state, signal: (name: NodeJS.Signals) => receiver.kill(name) };
}

test("delivers webhooks late to a receiver that was frozen or killed, without delaying others", async () => {
  const platform = await startCrashing();
  onTestFinished(() => platform.stop());
  const { chainId, chainUrl, fixtures } = platform.ready();
  const { user } = createFixtureAccounts();
  const wallet = openChainWallet(chainUrl, chainId, user);
  const other = await startReceiver(platform);
  onTestFinished(() => other.stop());
  const port = await findFreePort();
  let receiver = await spawnReceiver(port);
  await platform.client().indexer.addWebhookListener({
    url: `http://127.0.0.1:${port}`,
    filters: {
      contractAddresses: [fixtures.gold],
      events: [TokenEvent.ERC20_TRANSFER],
    },
  });
  let told = 0;
  const transfer = async (): Promise<number> => {
    await wallet.writeContractSync({
      ...{ address: fixtures.gold, abi: erc20Abi },
      ...{ functionName: "transfer", args: [fixtures.other, 1n] },
    });
    told += 1;
    const since = clock.now();
    while (other.received.length < told) await sleep(5);
    return clock.now() - since;
  };
  const wait = async (count: number): Promise<number> => {
    const since = clock.now();
    while (receiver.state.count < count) await sleep(5);
    return clock.now() - since;
  };
  await transfer();
  await wait(1);
  const print = (name: string, otherMs: number, backMs: number): void => {
    expect(otherMs).toBeLessThan(limits.answerMs);
    expect(backMs).toBeLessThan(retryMs);
    console.log(
      `${name} receiver: others after ${Math.round(otherMs)} ms, itself ${Math.round(backMs)} ms after it was back`,
    );
  };
  receiver.signal("SIGSTOP");
  const whileFrozenMs = await transfer();
  receiver.signal("SIGCONT");
  print("frozen", whileFrozenMs, await wait(2));
  receiver.signal("SIGKILL");
  const whileKilledMs = await transfer();
  receiver = await spawnReceiver(port);
  print("killed", whileKilledMs, await wait(1));
});
