import { setTimeout as sleep } from "node:timers/promises";

import { createPublicClient, http } from "viem";
import { afterAll, expect, onTestFinished, test } from "vitest";

import { AccessKeyNotFoundError } from "../../../generated/errors.js";
import { isSample } from "../../../test/support/draw-some.js";
import { createAccessKey, revokeKey } from "../../keys/key-store.js";
import { checkLedger, prepareLedger } from "../crash/check-ledger.js";
import { startReceiver } from "../crash/deliveries.js";
import { createRandom } from "../crash/random.js";
import { startWriting } from "../crash/writers.js";
import { startTickClock } from "../support/tick-clock.js";
import { type Cluster, startCluster } from "./cluster.js";
import { checkCalls, startReading, waitForNews } from "./readers.js";

const size = 3;

/** Half of the rounds kill an instance, and the others freeze one. */
const rounds = Number(
  process.env["RIDLKIT_ROUNDS"] ?? (isSample ? 2 : 2 * size),
);
const seed = Number(process.env["RIDLKIT_SEED"] ?? Date.now() % 1e9);

/**
 * The maximum time until another instance follows the chain. PostgreSQL ends the
 * transaction of a frozen one after 3 s, and then its lease lasts for 3 s more.
 */
const maxTakeoverMs = { killed: 5000, frozen: 8000 };

const clock = startTickClock();
afterAll(() => clock.stop());

test(
  `loses no data when instances die or freeze ${rounds} times under load (seed ${seed})`,
  { timeout: rounds * 100_000 },
  async () => {
    const random = createRandom(seed);
    const cluster = await startCluster(size);
    const ledger = await prepareLedger(cluster);
    const receiver = await startReceiver(cluster);
    onTestFinished(() => receiver.stop());
    const writing = startWriting(cluster, ledger);
    const reading = startReading(cluster);
    const takeoversMs: number[] = [];
    const newsMs: number[] = [];
    const goOn = async (limitMs: number): Promise<void> => {
      const [takeover, news] = await Promise.all([
        waitForTakeover(cluster),
        waitForNews(ledger, receiver, reading.reads),
      ]);
      expect(takeover).toBeLessThanOrEqual(limitMs);
      takeoversMs.push(takeover);
      newsMs.push(news);
      await revokeWhileCalled(cluster);
    };
    const first = Math.floor(size * random());
    const half = Math.min(size, rounds / 2);
    for (let round = 0; round < rounds; round += 1) {
      const victim = (first + round) % size;
      const { frozen, killed } = maxTakeoverMs;
      if (round % (2 * half) < half)
        await cluster.whileKilled(victim, () => goOn(killed));
      else await cluster.whileFrozen(victim, () => goOn(frozen));
    }
    await reading.stop();
    await writing.stop();
    await checkLedger(cluster, ledger, receiver);
    await checkCalls(cluster);
    expect(reading.reads.failures).toEqual([]);
    // The wallet's next call may be rejected until its previous one is mined.
    const { "InvalidArgument 400": _, ...failures } = Object.fromEntries(
      ledger.failures,
    );
    expect(failures).toEqual({});
    const print = (times: readonly number[]): string =>
      times.map((ms) => `${Math.round(ms)} ms`).join(", ");
    console.log(
      `seed ${seed}: ${reading.reads.count} reads, ${ledger.relays.size} relays, ${receiver.received.length} notifications; followed again after ${print(takeoversMs)}; first notification after ${print(newsMs)}`,
    );
  },
);

/**
 * Waits until all followers have indexed a block that is mined from now on.
 * Output: how long that took.
 */
async function waitForTakeover(cluster: Cluster): Promise<number> {
  const since = clock.now();
  const { chainUrl } = cluster.ready();
  const chain = createPublicClient({ transport: http(chainUrl) });
  const head = Number(await chain.getBlockNumber({ cacheTime: 0 }));
  const isFollowed = async (): Promise<boolean> => {
    const positions = await cluster.withDatabase((database) =>
      database.selectFrom("followed_chains").select("next_number").execute(),
    );
    expect(positions.length).toBeGreaterThan(1);
    return positions.every((position) => position.next_number > head + 1);
  };
  while (!(await isFollowed())) await sleep(10);
  return clock.now() - since;
}

/** Checks that every instance rejects calls with a revoked key. */
async function revokeWhileCalled(cluster: Cluster): Promise<void> {
  const { projectId } = cluster.ready();
  const { key: accessKey } = await createAccessKey(cluster.store, {
    projectId,
  });
  const { builder } = cluster.client(accessKey);
  const call = () => builder.listAudiences({ projectId });
  let isRevoked = false;
  const callers = Array.from({ length: 6 }, async () => {
    let refusals = 0;
    while (refusals < 3) {
      const isLate = isRevoked;
      const error: unknown = await call().then(
        () => null,
        (reason: unknown) => reason,
      );
      if (isLate) expect(error).toBeInstanceOf(AccessKeyNotFoundError);
      if (error instanceof AccessKeyNotFoundError) refusals += 1;
      else expect(error).toBeNull();
    }
  });
  await call();
  await revokeKey(cluster.store, accessKey);
  isRevoked = true;
  await Promise.all(callers);
}
