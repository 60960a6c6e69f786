import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";

import { createFixtureAccounts } from "../../chain/accounts.js";
import { fixtureCollectible } from "../../chain/artifacts/fixture-collectible.js";
import { openChainWallet } from "../../chain/chain-wallet.js";
import { requireNetwork } from "../../services/request-fields.js";
import { replayDeadJobs } from "../../queue/enqueue.js";
import { findLanes, takeJobs } from "../../queue/leases.js";
import { readingPartsOf } from "../../services/metadata/contract-cache.js";
import {
  finishRefreshTokens,
  refreshQueue,
  setRefreshStatus,
} from "../../services/metadata/refresh-store.js";
import {
  noProgress,
  type RefreshProgress,
  type RefreshResult,
  refreshTokens,
} from "../../services/metadata/refresh-tokens.js";
import {
  type RefreshWorkerOptions,
  startRefreshWorker,
} from "../../services/metadata/refresh-worker.js";
import type { Settings } from "../../settings/read-settings.js";
import { listDeadJobs } from "../queue/list-dead-jobs.js";
import { openCountedDocument } from "../support/counted-document.js";
import { openSiteForTest } from "../support/local-site.js";
import {
  nobody,
  openMetadata,
  openMetadataOnChain,
} from "../support/open-metadata.js";
import { putStringContract } from "../support/plain-contract.js";
import { silentNetworks } from "../support/start-chain.js";

const { database, chain, host } = await openMetadataOnChain();

const chainID = "hardhat";

async function namesOf(
  contractAddress: string,
  tokenIDs: string[],
): Promise<readonly string[]> {
  const request = { chainID, contractAddress, tokenIDs };
  const { tokenMetadata } = await host.metadata.getTokenMetadata(request);
  return tokenMetadata.map(({ name }) => name);
}

async function enqueueRefresh(
  contractAddress: string,
  tokenIDs: string[],
  refreshAll = false,
): Promise<number> {
  const { taskId } = await host.metadata.enqueueTokensForRefresh({
    chainID,
    contractAddress,
    tokenIDs,
    refreshAll,
  });
  return taskId;
}

async function statusOf(taskId: number): Promise<string> {
  return (await host.metadata.getTokenRefreshStatus({ taskId })).status;
}

/** Runs a refresh worker for the duration of the test. */
function work(options: RefreshWorkerOptions = {}): void {
  const { platform } = host.platform;
  const worker = startRefreshWorker(platform, {
    pauseMs: 20,
    pollMs: 20,
    ...options,
  });
  onTestFinished(() => worker.stop());
}

async function waitFor(taskId: number, status: string): Promise<void> {
  await expect.poll(() => statusOf(taskId), { interval: 20 }).toBe(status);
}

test("shows on-chain changes once a refresh is complete", async () => {
  const { collectible } = chain.fixtures;
  const { owner } = createFixtureAccounts();
  const wallet = openChainWallet(chain.rpcUrl, chain.network.chainId, owner);
  const before = ["Fixture Collectible #1", "Fixture Collectible #2"];
  expect(await namesOf(collectible, ["1", "2"])).toEqual(before);
  await wallet.writeContractSync({
    address: collectible,
    abi: fixtureCollectible.abi,
    functionName: "setTokenURI",
    args: [1n, 'data:,{"name":"new"}'],
  });
  await wallet.writeContractSync({
    address: collectible,
    abi: fixtureCollectible.abi,
    functionName: "setContractURI",
    args: ['data:,{"description":"new"}'],
  });
  expect(await namesOf(collectible, ["1", "2"])).toEqual(before);
  const task = await enqueueRefresh(collectible, ["1", "001"]);
  expect(await statusOf(task)).toBe("QUEUED");
  expect(await namesOf(collectible, ["1"])).toEqual(before.slice(0, 1));
  work();
  await waitFor(task, "COMPLETED");
  expect(await namesOf(collectible, ["1", "2"])).toEqual(["new", before[1]]);
  const { contractInfo } = await host.metadata.getContractInfo({
    chainID,
    contractAddress: collectible,
  });
  expect(contractInfo.extensions.description).toBe("new");
});

const openCounter = () => openCountedDocument(chain.rpcUrl);

test("refreshes all known tokens on request", async () => {
  const { contract, state } = await openCounter();
  const ids = Array.from({ length: 40 }, (_, index) => String(index));
  const before = await namesOf(contract, ids);
  work();
  const few = await enqueueRefresh(contract, ["7"]);
  await waitFor(few, "COMPLETED");
  const after = await namesOf(contract, ids);
  expect(after.filter((name, id) => name !== before[id])).toHaveLength(1);
  const all = await enqueueRefresh(contract, ["100"], true);
  await waitFor(all, "COMPLETED");
  const last = await namesOf(contract, ids);
  expect(last.filter((name) => after.includes(name))).toEqual([]);
  // Each refresh also reads the contract's own document.
  expect(state.reads).toBe(1 + 40 + (1 + 1) + (1 + 41));
});

/**
 * Opens a host with limits. Output: a function that enqueues a task and returns
 * its ID, or the name and cause of the error.
 */
async function openLimited(limits: Partial<Settings>) {
  const settings = { networks: [chain.network], ...limits };
  const { metadata } = await openMetadata(database, settings);
  const request = { chainID, contractAddress: nobody, tokenIDs: ["1", "2"] };
  return async (refreshAll = false): Promise<unknown> => {
    const task = { ...request, refreshAll };
    const result = await metadata.enqueueTokensForRefresh.result(task);
    if (result.ok) return result.value.taskId;
    return [result.error.name, result.error.cause];
  };
}

test("limits the unfinished tasks of a project", async () => {
  const enqueue = await openLimited({ refreshesPerProject: 1 });
  const first = await enqueue();
  const cause =
    "the project has reached the maximum number of unfinished refresh tasks (1)";
  expect(await enqueue()).toEqual(["PermissionDenied", cause]);
  await setRefreshStatus(database, Number(first), "COMPLETED");
  expect(await enqueue()).toEqual(expect.any(Number));
});

test("limits how many tokens are left to refresh in tasks for all tokens", async () => {
  const enqueue = await openLimited({ refreshTokensPerProject: 2 });
  const first = await enqueue(true);
  const cause =
    "the project has reached the maximum number of tokens left to refresh (2)";
  expect(await enqueue(true)).toEqual(["PermissionDenied", cause]);
  await finishRefreshTokens(database, Number(first), ["1"]);
  expect(await enqueue(true)).toEqual(expect.any(Number));
  expect(await enqueue()).toEqual(expect.any(Number));
});

test("adds the tokens of a contract to a task for all of them as it goes on", async () => {
  const { contract, state } = await openCounter();
  const ids = ["0", "1", "2", "3", "4"];
  const before = await namesOf(contract, ids);
  // Anyone can ask for tokens that do not exist.
  await sql`
    insert into token_metadata
      (chain_id, contract, token_id, document, outcome, read_number, saved_at)
    select 31337, ${contract}, length(outcome) || '000' || n, '{}', outcome, 0,
      now() - interval '2 minutes'
    from unnest(array['missing', 'unreachable']) as outcome,
      generate_series(1, 3) as n`.execute(database);
  const settings = { networks: [chain.network], refreshTokensPerProject: 2 };
  const few = await openMetadata(database, settings);
  const { taskId } = await few.metadata.enqueueTokensForRefresh({
    ...{ chainID, contractAddress: contract, tokenIDs: [], refreshAll: true },
  });
  const tokensOf = async () => {
    const { rows } = await sql<{ readonly token_id: string }>`
      select token_id from metadata_refresh_tokens
      where refresh_id = ${taskId} order by 1`.execute(database);
    return rows.map(({ token_id }) => token_id);
  };
  expect(await tokensOf()).toEqual(["0", "1"]);
  const { reads } = state;
  const { platform } = few.platform;
  const worker = startRefreshWorker(platform, { pauseMs: 20, pollMs: 20 });
  onTestFinished(() => worker.stop());
  const { getTokenRefreshStatus } = few.metadata;
  const status = async () => (await getTokenRefreshStatus({ taskId })).status;
  await expect.poll(status, { interval: 20 }).toBe("COMPLETED");
  expect(state.reads - reads).toBe(1 + 5);
  const after = await namesOf(contract, ids);
  expect(after.filter((name) => before.includes(name))).toEqual([]);
});

test("a task without room for its tokens waits for earlier tasks", async () => {
  const { contract, state } = await openCounter();
  const ids = ["0", "1", "2", "3"];
  const known = await namesOf(contract, ids);
  const settings = { networks: [chain.network], refreshTokensPerProject: 2 };
  const few = await openMetadata(database, settings);
  const { enqueueTokensForRefresh, getTokenRefreshStatus } = few.metadata;
  const enqueue = async (tokenIDs: string[], refreshAll: boolean) => {
    const request = {
      chainID,
      contractAddress: contract,
      tokenIDs,
      refreshAll,
    };
    return (await enqueueTokensForRefresh(request)).taskId;
  };
  const earlier = await enqueue(["9"], false);
  const taskId = await enqueue([], true);
  // The earlier task holds the room. The worker does not take it.
  await sql`
    update jobs set run_at = now() + interval '1 hour',
      due_at = now() + interval '1 hour'
    where key = ${String(earlier)} and queue = ${refreshQueue}`.execute(
    database,
  );
  const readReason = async () => {
    const { rows } = await sql<{ readonly reason: string | null }>`
      select reason from jobs
      where key = ${String(taskId)} and queue = ${refreshQueue}`.execute(
      database,
    );
    return rows[0]?.reason;
  };
  state.status = 503;
  const options = { maxAttempts: 2, pauseMs: 20, roomMs: 20, pollMs: 20 };
  const worker = startRefreshWorker(few.platform.platform, options);
  onTestFinished(() => worker.stop());
  await expect.poll(readReason).toBe("some tokens are left");
  state.status = 200;
  await setRefreshStatus(database, earlier, "FAILED");
  const status = async () => (await getTokenRefreshStatus({ taskId })).status;
  await expect.poll(status, { interval: 20 }).toBe("COMPLETED");
  const names = await namesOf(contract, ids);
  expect(names.filter((name) => known.includes(name))).toEqual([]);
});

test("does not repeat the reads of a killed worker", async () => {
  const { contract, state } = await openCounter();
  const ids = Array.from({ length: 50 }, (_, index) => String(index));
  const taskId = await enqueueRefresh(contract, ids);
  // Simulate a worker that takes the task, completes some of its reads, and
  // disappears.
  const [lane = ""] = await findLanes(database, refreshQueue);
  await takeJobs(database, refreshQueue, new Map([[lane, 1]]), 300);
  const killed = new AbortController();
  state.onRead = () => {
    // The first read is the contract's own document.
    if (state.reads === 2) killed.abort();
  };
  const { platform } = host.platform;
  const network = requireNetwork(platform.networks, "chainID", chainID);
  const parts = readingPartsOf(platform);
  const place = { network, contract };
  const turn = (from: RefreshProgress): Promise<RefreshResult> =>
    refreshTokens(parts, place, taskId, from, killed.signal);
  // On a slow machine, the first turn ends before it sees that it is killed.
  const half = turn(noProgress).then(turn);
  await expect(half).rejects.toThrow(/aborted/u);
  const readByIt = state.reads - 1;
  expect(readByIt).toBeGreaterThan(0);
  expect(readByIt).toBeLessThan(50);
  expect(await statusOf(taskId)).toBe("QUEUED");
  state.reads = 0;
  work();
  await waitFor(taskId, "COMPLETED");
  expect(state.reads).toBe(1 + 50 - readByIt);
  expect(await namesOf(contract, ids)).not.toContain("");
});

test("waits for a host that does not respond, and keeps the known data", async () => {
  const { contract, state } = await openCounter();
  const known = await namesOf(contract, ["1"]);
  state.status = 503;
  const taskId = await enqueueRefresh(contract, ["1", "2"]);
  work({ pauseMs: 200 });
  await waitFor(taskId, "PAUSED");
  expect(await namesOf(contract, ["1", "2"])).toEqual([...known, ""]);
  state.status = 200;
  await waitFor(taskId, "COMPLETED");
  expect(await namesOf(contract, ["1", "2"])).toEqual([
    expect.stringMatching(/^read \d+$/u),
    expect.stringMatching(/^read \d+$/u),
  ]);
});

test("reads a limited number of tokens in a second for all tasks", async () => {
  const { contract, state } = await openCounter();
  const ids = Array.from({ length: 50 }, (_, index) => String(index));
  const tasks = await Promise.all(
    Array.from({ length: 4 }, () => enqueueRefresh(contract, ids)),
  );
  const since = performance.now();
  work();
  for (const task of tasks) await waitFor(task, "COMPLETED");
  const seconds = (performance.now() - since) / 1000;
  expect(state.reads).toBe(4 * (1 + 50));
  // The first ten tokens do not wait.
  expect(seconds).toBeGreaterThan((4 * 50 - 10) / 100 - 0.2);
});

test("limits the size of the documents that a task can read in a second", async () => {
  const { contract, state } = await openCounter();
  // 8 units of 8 KiB, and a little more.
  state.description = "large".repeat(13_100);
  const ids = Array.from({ length: 11 }, (_, index) => String(index));
  const taskId = await enqueueRefresh(contract, ids);
  const { platform } = host.platform;
  const network = requireNetwork(platform.networks, "chainID", chainID);
  const parts = readingPartsOf(platform);
  const { signal } = new AbortController();
  const waits: number[] = [];
  const turn = (from: RefreshProgress): Promise<RefreshResult> =>
    refreshTokens(parts, { network, contract }, taskId, from, signal, (ms) =>
      Promise.resolve(void waits.push(ms)),
    );
  let result = await turn(noProgress);
  while (!result.isOver) result = await turn(result);
  // After the contract, after ten tokens, and after the last one.
  expect(waits).toEqual([80, 710, 80]);
});

test("keeps on while the contract's own document is unreachable", async () => {
  const { contract, state } = await openCounter();
  const known = await namesOf(contract, ["1", "2"]);
  const taskId = await enqueueRefresh(contract, ["1", "2"]);
  // The first turn could not read the contract's document, and was long ago.
  await sql`
    update contract_info
    set outcome = 'unreachable', saved_at = now() - interval '2 minutes'
    where contract = ${contract}`.execute(database);
  state.status = 503;
  state.onRead = () => {
    // The document of the contract is read before that of the token.
    if (state.reads === 5) state.status = 200;
  };
  const { platform } = host.platform;
  const network = requireNetwork(platform.networks, "chainID", chainID);
  const { signal } = new AbortController();
  const from = { ...noProgress, after: "1" };
  const place = { network, contract };
  const parts = readingPartsOf(platform);
  await refreshTokens(parts, place, taskId, from, signal);
  const [, name] = await namesOf(contract, ["1", "2"]);
  expect(name).toMatch(/^read \d+$/u);
  expect(name).not.toBe(known[1]);
});

test("reports a refresh as failed after the last attempt, and can replay it", async () => {
  const { contract, state } = await openCounter();
  const known = await namesOf(contract, ["1"]);
  state.status = 503;
  const taskId = await enqueueRefresh(contract, ["1"]);
  work({ maxAttempts: 2 });
  await waitFor(taskId, "FAILED");
  expect(await namesOf(contract, ["1"])).toEqual(known);
  const { contractInfo } = await host.metadata.getContractInfo({
    chainID,
    contractAddress: contract,
  });
  expect(contractInfo.extensions.description).toBe("kept");
  const key = String(taskId);
  await expect
    .poll(() => listDeadJobs(database, refreshQueue))
    .toContainEqual(
      expect.objectContaining({
        key,
        reason: "token 1: its host responded with 503",
      }),
    );
  state.status = 200;
  await replayDeadJobs(database, refreshQueue, { key });
  await waitFor(taskId, "COMPLETED");
  expect(await namesOf(contract, ["1"])).not.toEqual(known);
});

test("does not delay other projects when hosts never respond", async () => {
  const mute = await openSiteForTest(() => undefined);
  const contract = await putStringContract(chain.rpcUrl, mute.url);
  const tasks = Array.from({ length: 20 }, () =>
    enqueueRefresh(contract, ["1"]),
  );
  await Promise.all(tasks);
  const other = await openMetadata(database, { networks: [chain.network] });
  const { enqueueTokensForRefresh, getTokenRefreshStatus } = other.metadata;
  const { taskId } = await enqueueTokensForRefresh({
    ...{ chainID, contractAddress: chain.fixtures.items, tokenIDs: [] },
  });
  work();
  const readStatus = async () =>
    (await getTokenRefreshStatus({ taskId })).status;
  await expect.poll(readStatus, { interval: 20 }).toBe("COMPLETED");
  expect(mute.count()).toBeLessThan(8);
  await database.deleteFrom("jobs").execute();
});

test("removes data that no longer exists", async () => {
  const { contract, state } = await openCounter();
  expect(await namesOf(contract, ["1"])).not.toEqual([""]);
  state.status = 404;
  work();
  await waitFor(await enqueueRefresh(contract, ["1"]), "COMPLETED");
  expect(await namesOf(contract, ["1"])).toEqual([""]);
});

test("waits for a chain that does not respond", async () => {
  const { contract } = await openCounter();
  const rpcUrls = silentNetworks[0]?.rpcUrls ?? [];
  const silent = await openMetadata(database, {
    networks: [{ ...chain.network, rpcUrls }],
  });
  const taskId = await enqueueRefresh(contract, ["1"]);
  const worker = startRefreshWorker(silent.platform.platform, { pollMs: 20 });
  await waitFor(taskId, "PAUSED");
  const readReason = async () => {
    const jobs = database.selectFrom("jobs").select("reason");
    const found = jobs.where("queue", "=", refreshQueue);
    return found.where("key", "=", String(taskId)).executeTakeFirst();
  };
  const reason = expect.stringMatching(
    /^the chain of hardhat does not respond/u,
  );
  await expect.poll(readReason).toEqual({ reason });
  await worker.stop();
  work();
  await waitFor(taskId, "COMPLETED");
});

test("a read that started before a refresh does not undo it", async () => {
  const { contract, state } = await openCounter();
  await host.tokens.readContractInfo({
    network: chainID,
    contractAddress: contract,
  });
  const release = state.hold();
  const slow = namesOf(contract, ["1"]);
  await expect.poll(() => state.reads).toBe(2);
  state.held = null;
  work();
  await waitFor(await enqueueRefresh(contract, ["1"]), "COMPLETED");
  release();
  expect(await slow).toEqual(["read 2"]);
  expect(await namesOf(contract, ["1"])).toEqual(["read 4"]);
});

test("a read that fails during a refresh does not discard its result", async () => {
  const { contract, state } = await openCounter();
  await host.tokens.readContractInfo({
    network: chainID,
    contractAddress: contract,
  });
  let release = (): void => undefined;
  // Reads of the refresh: the contract's document, and that of the token.
  state.onRead = () => {
    if (state.reads === 3) release = state.hold();
  };
  work();
  const taskId = await enqueueRefresh(contract, ["1"]);
  await expect.poll(() => state.reads).toBe(3);
  Object.assign(state, { held: null, status: 503 });
  expect(await namesOf(contract, ["1"])).toEqual([""]);
  release();
  await waitFor(taskId, "COMPLETED");
  expect(await namesOf(contract, ["1"])).toEqual(["read 3"]);
});

test("shows a task only to its project", async () => {
  const taskId = await enqueueRefresh(chain.fixtures.items, []);
  const other = await openMetadata(database, { networks: [chain.network] });
  const unknown = { ok: false, error: { name: "NotFound", status: 400 } };
  const { getTokenRefreshStatus } = other.metadata;
  expect(await getTokenRefreshStatus.result({ taskId })).toMatchObject(unknown);
  for (const id of [0, taskId + 1, Number.MAX_SAFE_INTEGER]) {
    const { result } = host.metadata.getTokenRefreshStatus;
    expect(await result({ taskId: id })).toMatchObject(unknown);
  }
  work();
  await waitFor(taskId, "COMPLETED");
});
