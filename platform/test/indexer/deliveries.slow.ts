import { expect, onTestFinished, test, vi } from "vitest";

import { runCommand } from "../../admin/run-command.js";
import { enqueue } from "../../queue/enqueue.js";
import {
  createDeliver,
  defaultSchedule,
} from "../../services/indexer/deliver.js";
import {
  deliveryQueue,
  urgentPart,
} from "../../services/indexer/index-blocks.js";
import { createPauses } from "../../services/indexer/pauses.js";
import { openConsole } from "../console/open-console.js";
import { openSiteForTest } from "../support/local-site.js";
import { testKeys } from "../support/serve-platform.js";
import { testChainId } from "../support/start-chain.js";
import { receiveWebhooks } from "./receive-webhooks.js";
import { setUpIndexer } from "./run-indexer.js";

const { chain, database, open, openWithReceiver, run } = await setUpIndexer();
const { coin } = chain;

const often = { interval: 25 };

/** Returns a function that runs an admin command and returns its output. */
function openCommands() {
  const { client, platform } = openConsole(database);
  const tools = { client, settings: platform.platform.settings };
  return async (...words: readonly string[]): Promise<string> =>
    (await runCommand(() => tools, words)).text;
}

test("retries a failed delivery, gives up, and replays it", async () => {
  let isGivenUp = false;
  run({
    schedule: {
      ...{ firstPauseMs: 80, factor: 2, maxPauseMs: 5000 },
      get giveUpAfterMs() {
        return isGivenUp ? 0 : 60_000;
      },
    },
  });
  const project = await open();
  let isBroken = true;
  const receiver = await receiveWebhooks(project.webhookSecret, () =>
    isBroken ? 500 : null,
  );
  await project.listen(receiver.url, { contractAddresses: [coin.address] });
  await chain.pay(9n);
  const { attempts } = receiver;
  await expect.poll(() => attempts.length, often).toBeGreaterThan(3);
  isGivenUp = true;
  const { client } = openConsole(database);
  const command = openCommands();
  const listDead = () => command("webhook", "dead");
  await expect.poll(listDead).toMatch(/  responded with 500$/u);
  // The same message is sent each time, with increasing delays.
  expect(new Set(attempts.map(({ id }) => id)).size).toBe(1);
  const pauses = attempts
    .slice(1)
    .map(({ at }, index) => at - (attempts[index]?.at ?? 0));
  for (const [index, pause] of pauses.slice(0, 3).entries()) {
    expect(pause).toBeGreaterThan(50 * 2 ** index);
  }
  isBroken = false;
  isGivenUp = false;
  const dead: unknown = JSON.parse(await command("webhook", "dead", "--json"));
  expect(dead).toMatchObject([{ state: "dead", key: expect.any(String) }]);
  const [, key = ""] = /\n(\S+)/u.exec(await listDead()) ?? [];
  const replay = (which: string) => command("webhook", "replay", which);
  expect(await replay(key)).toBe("1 sent again");
  await expect.poll(() => receiver.received, often).toHaveLength(1);
  expect(receiver.received[0]?.uid).toBe(attempts[0]?.id);
  expect(await listDead()).toBe("no entries");
  expect(await replay("all")).toBe("0 sent again");
  const log = async () => {
    const { attempts, delivery } = await client.webhooks.getDelivery({ key });
    return {
      state: delivery.state,
      reasons: attempts.map((each) => each.reason),
    };
  };
  await expect.poll(log, often).toMatchObject({
    state: "delivered",
    reasons: [undefined, ...attempts.slice(1).map(() => expect.any(String))],
  });
  // Received messages can also be sent again.
  expect(await replay(key)).toBe("1 sent again");
  await expect.poll(() => receiver.received, often).toHaveLength(2);
  await expect.poll(log, often).toMatchObject({ state: "delivered" });
  const secret = await command("webhook", "secret", String(project.id));
  expect(secret).toBe(project.webhookSecret);
});

test("pauses a listener that keeps failing, without delaying others", async () => {
  run({
    schedule: {
      ...{ firstPauseMs: 500, factor: 1, maxPauseMs: 500 },
      giveUpAfterMs: 60_000,
    },
  });
  const project = await open();
  let isBroken = true;
  const broken = await receiveWebhooks(project.webhookSecret, () =>
    isBroken ? 503 : null,
  );
  const other = await receiveWebhooks(project.webhookSecret);
  const filters = { contractAddresses: [coin.address] };
  await project.listen(broken.url, filters);
  await project.listen(other.url, filters);
  await chain.pay(1n);
  await expect.poll(() => broken.attempts.length, often).toBeGreaterThan(0);
  for (let amount = 2n; amount <= 5n; amount += 1n) await chain.pay(amount);
  await expect.poll(() => other.received, often).toHaveLength(5);
  const times = broken.attempts.map(({ at }) => at);
  const gaps = times.slice(1).map((at, index) => at - (times[index] ?? 0));
  expect(Math.min(...gaps)).toBeGreaterThan(200);
  isBroken = false;
  await expect.poll(() => broken.received, often).toHaveLength(5);
});

/** A schedule whose pauses outlast a test. */
const slowSchedule = {
  ...{ firstPauseMs: 600_000, factor: 1, maxPauseMs: 600_000 },
  giveUpAfterMs: 6_000_000,
};

test.each([
  ["the console", "pending"],
  ["the command line", "pending"],
  ["the console", "dead"],
  ["the console", "never tried"],
])(
  "%s sends a delivery of a paused listener immediately (%s)",
  async (path, state) => {
    run({ schedule: slowSchedule });
    const project = await open();
    let isBroken = true;
    const receiver = await receiveWebhooks(project.webhookSecret, () =>
      isBroken ? 500 : null,
    );
    await project.listen(receiver.url, { contractAddresses: [coin.address] });
    await chain.pay(1n);
    const readJobs = () =>
      database
        .selectFrom("jobs")
        .select(["key", "attempts", "reason"])
        .orderBy("id")
        .execute();
    const failed = { attempts: 1, reason: "responded with 500" };
    await expect.poll(readJobs, often).toMatchObject([failed]);
    await chain.pay(2n);
    await chain.pay(3n);
    // Only the failed delivery is put back. The others wait untouched.
    const untouched = { attempts: 0, reason: null };
    await expect
      .poll(readJobs, often)
      .toMatchObject([failed, untouched, untouched]);
    const jobs = await readJobs();
    const { key = "" } = jobs[state === "never tried" ? 1 : 0] ?? {};
    if (state === "dead") {
      await database
        .updateTable("jobs")
        .set({ dead_at: new Date() })
        .where("key", "=", key)
        .execute();
    }
    const { client } = openConsole(database);
    const sendNow = () =>
      path === "the console"
        ? client.webhooks.replayDelivery({ key })
        : openCommands()("webhook", "replay", key);
    // While its receiver is broken, it fails again and stays in the queue.
    await sendNow();
    await expect.poll(() => receiver.attempts.length, often).toBe(2);
    const attempts = state === "pending" ? 2 : 1;
    await expect
      .poll(readJobs, often)
      .toContainEqual({ key, attempts, reason: "responded with 500" });
    expect(receiver.attempts).toHaveLength(2);
    isBroken = false;
    await sendNow();
    // The success ends the pause. Failed deliveries wait for their next try.
    const count = state === "never tried" ? 2 : 3;
    await expect.poll(() => receiver.received, often).toHaveLength(count);
    expect(receiver.attempts).toHaveLength(count + 2);
  },
);

test.each([
  ["does not respond", true],
  ["responds with an error", false],
])(
  "tries a delivery again after about 5 seconds, however old it is, if its receiver %s",
  async (_, isSilent) => {
    const project = await open();
    const url = "http://127.0.0.1:9/hook";
    const listenerId = Number(await project.listen(url, {}));
    const lines: unknown[] = [];
    const deliver = createDeliver({
      ...{ database, keys: testKeys, schedule: defaultSchedule },
      log: { warn: (...line: unknown[]) => void lines.push(line) },
      send: () =>
        Promise.resolve({
          ...{ reason: "failed", isSilent, isGone: false, retryAfterMs: 0 },
        }),
      onOutcome: () => undefined,
    });
    const payload = { listenerId, projectId: project.id, notification: {} };
    const job = { key: "1", payload, lane: "1", part: "1" };
    const { signal } = new AbortController();
    const outcome = await deliver(
      { ...job, attempts: 1, ageMs: 3_600_000 },
      signal,
    );
    const afterMs = outcome.kind === "retry" ? outcome.afterMs : NaN;
    expect(afterMs).toBeGreaterThan(3000);
    expect(afterMs).toBeLessThanOrEqual(5000);
    // Only the first failure is logged.
    await deliver({ ...job, part: urgentPart, attempts: 2, ageMs: 0 }, signal);
    const facts = { projectId: project.id, chainId: testChainId, listenerId };
    expect(lines).toEqual([
      [
        { ...facts, delivery: "1", reason: "failed" },
        "webhooks to a listener are late",
      ],
    ]);
  },
);

test("a listener's pause ends although the clock was set back", () => {
  const pauses = createPauses({ ...slowSchedule, firstPauseMs: 1 });
  pauses.extend("1", 0);
  const now = Date.now() - 24 * 60 * 60 * 1000;
  vi.useFakeTimers({ toFake: ["Date"], now });
  onTestFinished(() => void vi.useRealTimers());
  return expect.poll(() => pauses.leftMs("1"), often).toBe(0);
});

test("counts listeners that keep failing until one webhook is received", async () => {
  const pauses = createPauses({ ...slowSchedule, firstPauseMs: 0, factor: 1 });
  for (let failure = 1; failure <= 5; failure += 1) {
    expect(pauses.countFailing()).toBe(0);
    pauses.extend("1", 0);
    pauses.extend("1 https://example.com", 0);
    await expect.poll(() => pauses.leftMs("1"), often).toBe(0);
  }
  expect(pauses.countFailing()).toBe(1);
  pauses.end("1");
  expect(pauses.countFailing()).toBe(0);
});

test.each([
  ["a delay", 503, "600", 600],
  ["a delay beyond the maximum", 429, "9".repeat(400), 1000],
  ["a delay beyond the last attempt", 503, "3000", 2000, 2000],
  ["a date", 503, "Wed, 21 Oct 2099 07:28:00 GMT", 1],
  ["a delay with another status", 500, "600", 1],
])(
  "waits as long as a busy receiver asks, within the schedule (%s)",
  async (_, status, retryAfter, seconds, maxPause = 1000) => {
    run({
      schedule: {
        ...{ firstPauseMs: 1000, factor: 1, maxPauseMs: maxPause * 1000 },
        giveUpAfterMs: 2_000_000,
      },
    });
    const project = await open();
    const site = await openSiteForTest((_, response) => {
      response.writeHead(status, { "Retry-After": retryAfter }).end();
    });
    await project.listen(site.url, { contractAddresses: [coin.address] });
    await chain.pay(1n);
    const readPause = async (): Promise<number> => {
      const job = await database
        .selectFrom("jobs")
        .select(["created_at", "run_at"])
        .where("reason", "=", `responded with ${status}`)
        .executeTakeFirst();
      return job === undefined
        ? NaN
        : job.run_at.getTime() - job.created_at.getTime();
    };
    await expect.poll(readPause, often).toBeGreaterThan(0);
    expect(Math.abs((await readPause()) / 1000 - seconds)).toBeLessThan(100);
  },
);

test("does not delay other projects when receivers never respond", async () => {
  run();
  const project = await open();
  const mute = await openSiteForTest(() => undefined);
  const filters = { contractAddresses: [coin.address] };
  // There are more deliveries than slots.
  for (let count = 0; count < 40; count += 1) {
    await project.listen(mute.url, filters);
  }
  const { project: other, receiver } = await openWithReceiver();
  await other.listen(receiver.url, filters);
  await chain.pay(1n);
  await expect.poll(() => receiver.received, often).toHaveLength(1);
  expect(mute.count()).toBeLessThanOrEqual(8);
});

test("limits the pending webhooks of a project", async () => {
  run({ deliveriesPerProject: 3 });
  const { project, receiver } = await openWithReceiver();
  const filters = { contractAddresses: [coin.address] };
  await project.listen(receiver.url, filters);
  const other = await open();
  const mute = await openSiteForTest(() => undefined);
  await other.listen(mute.url, filters);
  // More webhooks than the limit can be sent if they are not pending at the
  // same time.
  for (let count = 1; count <= 5; count += 1) {
    await chain.pay(BigInt(count));
    await expect.poll(() => receiver.received, often).toHaveLength(count);
  }
  const pending = await database
    .selectFrom("jobs")
    .select("key")
    .where("lane", "=", String(other.id))
    .execute();
  expect(pending).toHaveLength(3);
});

test("sends each notification once with two indexers on one database", async () => {
  run();
  const { stop } = run();
  const { project, receiver } = await openWithReceiver();
  await project.listen(receiver.url, { contractAddresses: [coin.address] });
  for (let amount = 1n; amount <= 10n; amount += 1n) await chain.pay(amount);
  await expect.poll(() => receiver.received, often).toHaveLength(10);
  await stop();
  for (let amount = 11n; amount <= 15n; amount += 1n) await chain.pay(amount);
  await expect.poll(() => receiver.received, often).toHaveLength(15);
  const amounts = receiver.received.map(({ event }) => Number(event.values[2]));
  expect(amounts.sort((one, next) => one - next)).toEqual(
    Array.from({ length: 15 }, (_, index) => index + 1),
  );
  expect(receiver.attempts).toHaveLength(15);
});

test("finishes deliveries in progress when the indexer is stopped", async () => {
  const { stop } = run();
  const project = await open();
  const site = await openSiteForTest((_, response) => {
    setTimeout(() => response.end(), 300);
  });
  await project.listen(site.url, { contractAddresses: [coin.address] });
  await chain.pay(1n);
  await expect.poll(site.count, often).toBe(1);
  await stop();
  expect(await database.selectFrom("jobs").selectAll().execute()).toEqual([]);
});

test("takes no deliveries once it is stopped, even if a chain does not respond", async () => {
  const mute = await openSiteForTest(() => undefined);
  const { stop } = run({ rpcUrl: mute.url });
  await expect.poll(mute.count, often).toBeGreaterThan(0);
  const stopped = stop();
  const late = [{ key: "late", payload: { listenerId: 0 } }];
  await enqueue(database, deliveryQueue, late);
  await mute.close();
  await stopped;
  const jobs = await database.selectFrom("jobs").select("key").execute();
  expect(jobs).toEqual([{ key: "late" }]);
  await database.deleteFrom("jobs").execute();
});

test("sends nothing to a removed listener", async () => {
  run();
  const { project, receiver } = await openWithReceiver();
  const id = await project.listen(receiver.url, {});
  const stays = await project.listen(receiver.url, {});
  await chain.pay(1n);
  await expect.poll(() => receiver.received, often).toHaveLength(2);
  const place = { id, projectId: String(project.id) };
  const { removeWebhookListener: remove } = project.indexer;
  expect(await remove(place)).toEqual({ status: true });
  // Removing it again has no effect.
  expect(await remove(place)).toEqual({ status: true });
  await chain.pay(2n);
  await expect.poll(() => receiver.received, often).toHaveLength(3);
  await remove({ id: stays, projectId: String(project.id) });
});

test("sends nothing more to a receiver that responds with 410", async () => {
  run();
  const project = await open();
  const gone = await receiveWebhooks(project.webhookSecret, () => 410);
  const other = await receiveWebhooks(project.webhookSecret);
  const filters = { contractAddresses: [coin.address] };
  const id = await project.listen(gone.url, filters);
  await project.listen(other.url, filters);
  await chain.pay(1n);
  const isActive = async () => {
    const listener = await database
      .selectFrom("webhook_listeners")
      .select("active")
      .where("id", "=", Number(id))
      .executeTakeFirstOrThrow();
    return listener.active;
  };
  await expect.poll(isActive, often).toBe(false);
  await chain.pay(2n);
  await expect.poll(() => other.received, often).toHaveLength(2);
  expect(gone.attempts).toHaveLength(1);
  await expect
    .poll(() => database.selectFrom("jobs").selectAll().execute(), often)
    .toEqual([]);
  const list = ["webhook", "list", String(project.id)];
  const rows = (await openCommands()(...list)).split("\n");
  // The second delivery may have been stored before the listener ended.
  expect(rows.filter((row) => row.startsWith(`${id}:`))).toContainEqual(
    expect.stringMatching(/ canceled .*responded with 410/u),
  );
});

test("keeps a listener whose URL has changed since the receiver of the old one responds with 410", async () => {
  run();
  const project = await open();
  const other = await receiveWebhooks(project.webhookSecret);
  let id = "";
  const gone = await openSiteForTest((_, response) => {
    void database
      .updateTable("webhook_listeners")
      .set({ url: other.url, updated_at: new Date() })
      .where("id", "=", Number(id))
      .execute()
      .then(() => response.writeHead(410).end());
  });
  id = await project.listen(gone.url, { contractAddresses: [coin.address] });
  await chain.pay(1n);
  await expect.poll(gone.count, often).toBe(1);
  await chain.pay(2n);
  await expect.poll(() => other.received, often).toHaveLength(1);
});

test.each([500, 304, 999])(
  "uses only the status of a failed response (%i)",
  async (status) => {
    run({
      schedule: {
        ...{ firstPauseMs: 20, factor: 1, maxPauseMs: 20 },
        giveUpAfterMs: 60_000,
      },
    });
    const project = await open();
    const site = await openSiteForTest((_, response) => {
      // The database cannot store U+0000.
      const error = { error: "\0", code: 1, msg: "", status: 410 };
      response.writeHead(status).end(JSON.stringify(error));
    });
    await project.listen(site.url, { contractAddresses: [coin.address] });
    await chain.pay(1n);
    await expect.poll(site.count, often).toBeGreaterThan(2);
    const list = ["webhook", "list", String(project.id)];
    expect(await openCommands()(...list)).toMatch(
      new RegExp(`  responded with ${status}(?:: |$)`, "mu"),
    );
  },
);

test("signs webhooks with the first secret for a day, even after two rotations", async () => {
  run();
  const project = await open();
  const rotate = ["webhook", "rotate", String(project.id)];
  await openCommands()(...rotate);
  const secret = await openCommands()(...rotate);
  expect(secret).not.toBe(project.webhookSecret);
  const before = await receiveWebhooks(project.webhookSecret);
  const after = await receiveWebhooks(secret);
  const filters = { contractAddresses: [coin.address] };
  await project.listen(before.url, filters);
  await project.listen(after.url, filters);
  await chain.pay(1n);
  await expect.poll(() => before.received, often).toHaveLength(1);
  await expect.poll(() => after.received, often).toHaveLength(1);
  // A day later, the replaced secret is no longer valid.
  const dayMs = 24 * 60 * 60 * 1000;
  await database
    .updateTable("projects")
    .set({ webhook_secret_rotated_at: new Date(Date.now() - dayMs) })
    .where("id", "=", project.id)
    .execute();
  await chain.pay(2n);
  await expect.poll(() => after.received, often).toHaveLength(2);
  expect(before.received).toHaveLength(1);
});
