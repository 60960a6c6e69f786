import { setTimeout as sleep } from "node:timers/promises";

import { expect, onTestFinished, test } from "vitest";

import { isSample } from "../../../test/support/draw-some.js";
import { checkLedger, prepareLedger } from "./check-ledger.js";
import { startCrashing, victims } from "./crashing-platform.js";
import { type Receiver, startReceiver } from "./deliveries.js";
import { createRandom } from "./random.js";
import { countAll, type Ledger, startWriting } from "./writers.js";

// Each part is killed equally often.
const rounds = (isSample ? 2 : 7) * victims.length;
const seed = Number(process.env["RIDLKIT_SEED"] ?? Date.now() % 1e9);

test(`loses no data when its parts are killed ${rounds} times during writes (seed ${seed})`, async () => {
  const random = createRandom(seed);
  const platform = await startCrashing();
  onTestFinished(() => platform.stop());
  const ledger = await prepareLedger(platform);
  const receiver = await startReceiver(platform);
  onTestFinished(() => receiver.stop());
  for (let round = 0; round < rounds; round += 1) {
    const enough = countAll(ledger) + 1 + Math.floor(25 * random());
    const writing = startWriting(platform, ledger);
    await waitUntil(() => countAll(ledger) >= enough);
    await sleep(100 * random());
    await platform.kill(victims[round % victims.length] ?? "platform");
    // Writes may or may not continue while a part is down.
    await sleep(random() < 0.5 ? 0 : 300);
    await writing.stop();
    await platform.recover();
  }
  await checkLedger(platform, ledger, receiver);
  // While a part is down, the platform reports the outage and has no errors
  // of its own.
  const names = [...ledger.failures.keys()];
  expect(names.filter((name) => / 5\d\d$/u.test(name))).toEqual([]);
  console.log(describeRun(ledger, receiver));
});

async function waitUntil(isDone: () => boolean): Promise<void> {
  // Waits for writes instead of a fixed time, because machines differ in speed.
  while (!isDone()) await sleep(5);
}

function describeRun(ledger: Ledger, { received }: Receiver): string {
  const uids = new Set(received.map(({ uid }) => uid));
  const failures = [...ledger.failures]
    .map(([name, count]) => `${name} ×${count}`)
    .join(", ");
  return [
    `seed ${seed}, ${rounds} kills; acknowledged and found again:`,
    `${ledger.sponsors.size} sponsors, ${ledger.removed.size} removals,`,
    `${ledger.relays.size} relays, ${uids.size} notifications`,
    `(${received.length - uids.size} duplicates); failed calls: ${failures}`,
  ].join(" ");
}
