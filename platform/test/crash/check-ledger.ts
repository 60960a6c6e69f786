import { sql } from "kysely";
import { expect } from "vitest";

import { createAudience } from "../../services/builder/audiences.js";
import { checkRelays } from "./check-relays.js";
import type { FailingPlatform } from "./crashing-platform.js";
import { checkDeliveries, type Receiver } from "./deliveries.js";
import { createLedger, type Ledger } from "./writers.js";

const contactCount = 20_000;

/** Fills a tank and an audience, and sponsors a wallet and a contract. */
export async function prepareLedger(
  platform: FailingPlatform,
): Promise<Ledger> {
  const { chainId, fixtures, projectId } = platform.ready();
  const amount = String(10n ** 20n);
  const contacts = Array.from({ length: contactCount }, (_, index) =>
    BigInt(index + 1),
  );
  const audienceId = await platform.withDatabase(async (database) => {
    // The version before this one may be running, so use only its columns.
    await sql`
      with tank as (
        update gas_tanks set balance = balance + ${amount}::numeric
        where project_id = ${projectId} and chain_id = ${chainId}
        returning id
      )
      insert into gas_tank_fills (gas_tank_id, amount)
      select id, ${amount} from tank`.execute(database);
    return createAudience(database, projectId, "Many", contacts);
  });
  for (const address of [fixtures.wallet, fixtures.guestbook]) {
    await platform.client().relayer.addGasSponsor({ projectId, address });
  }
  return createLedger(audienceId);
}

/** Checks that every acknowledged write happened exactly once. */
export async function checkLedger(
  platform: FailingPlatform,
  ledger: Ledger,
  receiver: Receiver,
): Promise<void> {
  await checkSponsors(platform, ledger);
  await checkContacts(platform, ledger);
  await checkRelays(platform, ledger);
  await checkDeliveries(platform, ledger, receiver);
}

/** Checks that adding the same address again returns the existing sponsor. */
async function checkSponsors(
  platform: FailingPlatform,
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

/**
 * Checks that all removed contacts are gone, and that the others are left,
 * except those that may have been removed.
 */
async function checkContacts(
  platform: FailingPlatform,
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
