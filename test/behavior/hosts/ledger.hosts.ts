import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { createRandom, pick } from "../../../platform/test/crash/random.js";
import type { Begun, Call } from "./caller.js";
import { eventually } from "./eventually.js";
import { hosts, isInstalled, type Host } from "./hosts.js";
import { formOf, multipart, type Place } from "./life-cycle-cases.js";
import { startPlace } from "./start-place.js";

const seed = Number(process.env["RIDLKIT_SEED"] ?? 1);
const count = Math.ceil(300 * Number(process.env["RIDLKIT_RUNS"] ?? 1));

/** How many clients send requests at the same time. */
const clientCount = 12;

type Random = () => number;

const upload = (method: string, random: Random): Call => {
  const body = formOf(Math.floor(random() * 300_000));
  const isUnfinished = random() < 0.5;
  const part = body.subarray(0, Math.floor(random() * body.length));
  return {
    method,
    body: isUnfinished ? part : body,
    headers: multipart,
    isUnfinished,
  };
};

/** Requests that hang, fail, end late, are refused or are incomplete. */
const calls: readonly ((random: Random) => Call)[] = [
  () => ({ method: "Work/Ping" }),
  () => ({ method: "Work/Fail" }),
  () => ({ method: "Work/Unknown" }),
  () => ({ method: "Work/Sleep", fields: { ms: -1 } }),
  () => ({ method: "Work/Sleep", body: new Uint8Array([123, 255]) }),
  (random) => ({ method: "Work/Sleep", fields: { ms: random() * 50 } }),
  (random) => ({
    method: "Work/Late",
    fields: { ms: Math.floor(random() * 200) },
    headers: { "request-timeout-ms": "50" },
  }),
  () => ({ method: "Work/Sleep", fields: { ms: 60_000 } }),
  () => ({ method: "Work/Queued", fields: { ms: 20 } }),
  () => ({ method: "Work/Large" }),
  () => ({ method: "Work/Tick" }),
  () => ({ method: "Work/Wait" }),
  () => ({ method: "Work/Flood" }),
  () => ({ method: "Work/Count" }),
  () => ({ method: "Work/Read" }),
  () => ({ method: "Work/Download" }),
  (random) => upload("Work/Upload", random),
  (random) => upload("Work/Ignore", random),
  (random) => upload("Work/Guarded", random),
];

/** What clients do before they leave. Most responses of these calls have no end. */
const ends: readonly ((begun: Begun, random: Random) => unknown)[] = [
  () => undefined,
  (_, random) => sleep(random() * 50),
  ({ opened }) => opened,
  async ({ opened }, random) => {
    await opened;
    await sleep(random() * 50);
  },
  async ({ opened }, random) => {
    const { body } = await opened;
    body.resume();
    await sleep(random() * 100);
  },
];

/** Sends random requests, one after another, and leaves each of them. */
async function behave(
  { begin }: Place,
  random: Random,
  requests: number,
): Promise<void> {
  for (let sent = 0; sent < requests; sent += 1) {
    const begun = begin(pick(random, calls)(random));
    const end = pick(random, ends);
    // A call that hangs has no response.
    await Promise.race([
      Promise.resolve(end(begun, random)).catch(() => undefined),
      sleep(200),
    ]);
    begun.leave();
  }
}

/**
 * Lambda runs functions to their end, whatever the client does. Workers stops the
 * code of a call whose client has left, so handlers cannot be counted.
 */
const isTested = (host: Host): boolean =>
  isInstalled(host) && !/Lambda|Workers/u.test(host.name);

for (const host of hosts.filter(isTested)) {
  test(
    `${host.name} has nothing open after ${String(count)} random requests (seed ${String(seed)})`,
    async ({ onTestFinished }) => {
      const place = await startPlace(host, eventually);
      onTestFinished(async () => {
        place.close();
        await place.host.close();
      });
      await place.open();
      const before = await place.open();
      const clients = Array.from({ length: clientCount }, (_, index) =>
        behave(place, createRandom(seed + index), count / clientCount),
      );
      await Promise.all(clients);
      place.leave();
      await eventually(place.open, before, 60_000);
      expect(place.host.isRunning()).toBe(true);
    },
    120_000 + count * 100,
  );
}
