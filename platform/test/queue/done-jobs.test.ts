import { sql } from "kysely";
import { expect, test } from "vitest";

import { enqueue } from "../../queue/enqueue.js";
import { done, openQueues } from "./create-queue.js";

const { createQueue } = await openQueues();

test("removes the oldest completed jobs of a lane as soon as many have been added", async () => {
  const { count, database, queue, work } = createQueue();
  const jobs = ["many", "few"].flatMap((lane) =>
    Array.from({ length: 12 }, (_, at) => ({
      ...{ key: `${lane} ${at}`, lane, payload: null },
    })),
  );
  await enqueue(database, queue, jobs);
  // Of 100,000 units, seven jobs of the lane fit.
  await sql`
    update jobs set units = 14000 where queue = ${queue} and lane = 'many'`.execute(
    database,
  );
  work(() => Promise.resolve(done), { keepsDone: true, perLane: 1 });
  await expect.poll(count).toBe(0);
  const kept = async (lane: string): Promise<readonly string[]> => {
    const rows = await database
      .selectFrom("done_jobs")
      .select("key")
      .where("queue", "=", queue)
      .where("lane", "=", lane)
      .orderBy("id")
      .execute();
    return rows.map(({ key }) => key);
  };
  await expect
    .poll(() => kept("many"))
    .toEqual([5, 6, 7, 8, 9, 10, 11].map((at) => `many ${at}`));
  expect(await kept("few")).toHaveLength(12);
});
