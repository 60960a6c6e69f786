import { setTimeout as sleep } from "node:timers/promises";

import { expect, onTestFinished, test } from "vitest";

import { createAudience } from "../../services/builder/audiences.js";
import { fillGasTank } from "../../services/relayer/gas-tanks.js";
import { checkRelays } from "./check-relays.js";
import {
  type CrashingPlatform,
  startCrashing,
  victims,
} from "./crashing-platform.js";
import { checkDeliveries, type Receiver, startReceiver } from "./deliveries.js";
import { createRandom } from "./random.js";
import {
  countAll,
  createLedger,
  type Ledger,
  startWriting,
} from "./writers.js";

const rounds = 21;
const seed = Number(process.env["RIDLKIT_SEED"] ?? Date.now() % 1e9);
const contactCount = 20_000;

test(
  `${rounds} kills in the midst of writing lose nothing (seed ${seed})`,
  { timeout: 300_000 },
  async () => {
    const random = createRandom(seed);
    const platform = await startCrashing();
    onTestFinished(() => platform.stop());
    const ledger = await prepare(platform);
    const receiver = await startReceiver(platform);
    onTestFinished(() => receiver.stop());
    for (let round = 0; round < rounds; round += 1) {
      const enough = countAll(ledger) + 1 + Math.floor(25 * random());
      const writing = startWriting(platform, ledger);
      await waitUntil(() => countAll(ledger) >= enough);
      await sleep(100 * random());
      // Each of them as often as the others.
      await platform.kill(victims[round % victims.length] ?? "platform");
      // Writes go on while it is away, or do not.
      await sleep(random() < 0.5 ? 0 : 300);
      await writing.stop();
      await platform.recover();
    }
    await checkSponsors(platform, ledger);
    await checkContacts(platform, ledger);
    await checkRelays(platform, ledger);
    await checkDeliveries(platform, ledger, receiver);
    // A platform without a part says so; it has no faults of its own.
    const names = [...ledger.failures.keys()];
    expect(names.filter((name) => / 5\d\d$/u.test(name))).toEqual([]);
    console.log(describeRun(ledger, receiver));
  },
);

async function waitUntil(isDone: () => boolean): Promise<void> {
  // By writes, not by the clock: machines differ.
  while (!isDone()) await sleep(5);
}

async function prepare(platform: CrashingPlatform): Promise<Ledger> {
  const { chainId, fixtures, projectId } = platform.ready();
  const contacts = Array.from({ length: contactCount }, (_, index) =>
    BigInt(index + 1),
  );
  const audienceId = await platform.withDatabase(async (database) => {
    await fillGasTank(database, { projectId, chainId }, 10n ** 20n);
    return createAudience(database, projectId, "Many", contacts);
  });
  await platform.client().relayer.addGasSponsor({
    projectId,
    address: fixtures.wallet,
  });
  return createLedger(audienceId);
}

/** The same address again is answered with the sponsor that is there. */
async function checkSponsors(
  platform: CrashingPlatform,
  { sponsors }: Ledger,
): Promise<void> {
  const { projectId } = platform.ready();
  const { addGasSponsor } = platform.client().relayer;
  expect(sponsors.size).toBeGreaterThan(0);
  for (const [address, id] of sponsors) {
    const { gasSponsor } = await addGasSponsor({ projectId, address });
    expect([address, gasSponsor.id]).toEqual([address, id]);
  }
}

/** What was removed is gone, and nothing else is. */
async function checkContacts(
  platform: CrashingPlatform,
  { audienceId, maybeRemoved, removed }: Ledger,
): Promise<void> {
  const rows = await platform.withDatabase((database) =>
    database
      .selectFrom("audience_contacts")
      .select("contact_id")
      .where("audience_id", "=", audienceId)
      .execute(),
  );
  const left = new Set(rows.map((row) => BigInt(row.contact_id)));
  expect([...removed].filter((contact) => left.has(contact))).toEqual([]);
  const gone = contactCount - left.size;
  expect(gone).toBeGreaterThanOrEqual(removed.size);
  expect(gone).toBeLessThanOrEqual(removed.size + maybeRemoved.size);
  const { projectId } = platform.ready();
  const { audiences } = await platform
    .client()
    .builder.listAudiences({ projectId });
  const audience = audiences.find(({ id }) => id === audienceId);
  expect(audience?.contactCount).toBe(left.size);
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
    `(${received.length - uids.size} came again); refused meanwhile: ${failures}`,
  ].join(" ");
}
