import { expect, onTestFinished } from "vitest";

import { checkLedger, prepareLedger } from "../crash/check-ledger.js";
import { startReceiver } from "../crash/deliveries.js";
import { startWriting } from "../crash/writers.js";
import {
  type Cluster,
  type Program,
  startCluster,
} from "../instances/cluster.js";
import { checkCalls, startReading, waitForNews } from "../instances/readers.js";

/** The longest time that clients may have to retry a call. */
const maxOutageMs = 5000;

/** Two instances that are called while they are replaced. */
export interface LoadedCluster extends Cluster {
  /**
   * Waits until calls of all kinds have succeeded and a new event was delivered.
   */
  goOn(): Promise<void>;
  /**
   * Stops the load, and checks that no call failed and that each write happened
   * exactly once.
   */
  check(): Promise<void>;
}

/** Starts two instances and puts them under load. */
export async function startLoaded(older?: Program): Promise<LoadedCluster> {
  const cluster = await startCluster(2, older);
  const ledger = await prepareLedger(cluster);
  const receiver = await startReceiver(cluster);
  onTestFinished(() => receiver.stop());
  const tasks: number[] = [];
  const { chainId, fixtures } = cluster.ready();
  const { metadata } = cluster.client();
  // Clients do not repeat a call that is not idempotent, and the version before
  // closes connections as soon as it stops.
  const refresh = (): Promise<void> =>
    expect
      .poll(async () => {
        const { taskId } = await metadata.enqueueTokensForRefresh({
          chainID: String(chainId),
          contractAddress: fixtures.collectible,
          tokenIDs: ["1", "2"],
        });
        return tasks.push(taskId);
      })
      .toBeGreaterThan(0);
  const writing = startWriting(cluster, ledger);
  const reading = startReading(cluster);
  const goOn = async (): Promise<void> => {
    await Promise.all([
      refresh(),
      waitForNews(ledger, receiver, reading.reads),
    ]);
  };
  await goOn();
  const check = async (): Promise<void> => {
    await reading.stop();
    await writing.stop();
    await checkLedger(cluster, ledger, receiver);
    await checkCalls(cluster);
    const { failures, slowestMs } = reading.reads;
    expect(failures).toEqual([]);
    expect(slowestMs).toBeLessThan(maxOutageMs);
    for (const taskId of tasks) {
      await expect
        .poll(() => metadata.getTokenRefreshStatus({ taskId }))
        .toMatchObject({ status: "COMPLETED" });
    }
    // The wallet's next call may be rejected until its previous one is mined.
    const { "InvalidArgument 400": _, ...rejected } = Object.fromEntries(
      ledger.failures,
    );
    expect(rejected).toEqual({});
    console.log(
      `${reading.reads.count} reads, the slowest after ${Math.round(slowestMs)} ms; ${ledger.relays.size} relays, ${receiver.received.length} notifications`,
    );
  };
  return { ...cluster, goOn, check };
}
