import { setTimeout as sleep } from "node:timers/promises";

import { onTestFinished, expect, test } from "vitest";

import { openNotifications } from "../../database/notifications.js";
import { enqueue, jobsChannel } from "../../queue/enqueue.js";
import { takeJobs } from "../../queue/leases.js";
import { relayLimits } from "../../relaying/relay-worker.js";
import { deliveryLimits } from "../../services/indexer/start-indexer.js";
import { refreshLimits } from "../../services/metadata/refresh-worker.js";
import { runs } from "../../../test/support/draw-some.js";
import { silent } from "../support/test-database.js";
import { done, openQueues } from "./create-queue.js";

const { createQueue, url } = await openQueues();

const jobsOf = (lane: string, count: number) =>
  Array.from({ length: count }, (_, index) => ({
    ...{ key: `${lane} ${index}`, lane, payload: null },
  }));

const queues = {
  webhooks: deliveryLimits,
  refreshes: refreshLimits,
  relays: relayLimits,
};

const counts = runs > 1 ? [4, 40, 400] : [4, 40];

test.each(
  Object.entries(queues).flatMap(([name, limits]) =>
    counts.map((count) => ({ name, limits, count })),
  ),
)(
  "$name: $count lanes whose jobs take a second do not delay another",
  { timeout: 120_000 },
  async ({ count, limits }) => {
    const { database, queue, work } = createQueue();
    for (let lane = 0; lane < count; lane += 1) {
      await enqueue(database, queue, jobsOf(`slow${lane}`, 50));
    }
    const notifications = openNotifications(url, jobsChannel, silent);
    onTestFinished(() => notifications.stop());
    const ended = new Map<string, number>();
    work(
      async ({ key, lane }) => {
        if (lane !== "other") await sleep(1000);
        ended.set(key, performance.now());
        return done;
      },
      { ...limits, notifications, pollMs: 500, graceMs: 0 },
    );
    // Every lane has had a turn.
    const hasEnded = (_: unknown, lane: number) => ended.has(`slow${lane} 0`);
    await expect
      .poll(() => Array.from({ length: count }, hasEnded), { timeout: 90_000 })
      .not.toContain(false);
    const waits: number[] = [];
    for (const job of jobsOf("other", 40)) {
      const start = performance.now();
      await enqueue(database, queue, [job]);
      while (!ended.has(job.key)) await sleep(1);
      waits.push((ended.get(job.key) ?? NaN) - start);
      await sleep(50);
    }
    waits.sort((one, other) => one - other);
    const [median = NaN] = waits.slice(waits.length / 2);
    console.log(
      `median ${median.toFixed(0)} ms, longest ${waits.at(-1)?.toFixed(0)} ms`,
    );
    expect(median).toBeLessThan(1000);
  },
);

test(
  "taking a job from one of 5,000 lanes is quick",
  { timeout: 60_000 },
  async () => {
    const { database, queue } = createQueue();
    const jobs = Array.from({ length: 5000 }, (_, lane) =>
      jobsOf(String(lane), 10),
    );
    await enqueue(database, queue, jobs.flat());
    const times: number[] = [];
    for (let lane = 0; lane < 100; lane += 1) {
      const start = performance.now();
      await takeJobs(database, queue, new Map([[`${lane}/`, 1]]), 10_000);
      times.push(performance.now() - start);
    }
    times.sort((one, other) => one - other);
    console.log(`median ${times[50]?.toFixed(1)} ms`);
    expect(times[50]).toBeLessThan(100);
  },
);
