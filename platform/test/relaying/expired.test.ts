import { sql } from "kysely";
import { expect, test } from "vitest";

import { openRelaying, relayOf } from "../support/open-relaying.js";
import { callOf } from "../support/relaying.js";

const { anvil, database, openSponsor, owner, startWorking } =
  await openRelaying();

test("removes the oldest expired relays of a project as soon as many have been added", async () => {
  const { countRelays, getRelay, relay, wallet } = await openSponsor();
  const { timestamp } = await owner.getBlock();
  const deadline = timestamp + 60n;
  const { id } = await relayOf(relay(callOf(wallet, { deadline })));
  const setSize = (bytes: number) =>
    sql`
    update relays set data = '0x' || repeat('00', ${bytes}::int)
    where id = ${id}`.execute(database);
  // Older ones of 123 units each, more than the limit. One has cost something, and
  // one can change.
  await setSize(500_000);
  await sql`
    insert into relays overriding system value
    select made.* from relays,
      generate_series(1, 102) as number,
      jsonb_populate_record(relays, jsonb_build_object(
        'id', -number, 'state', 'expired', 'is_final', number <> 101,
        'cost', (number = 102)::int, 'settled_at', now(), 'request_id', null
      )) as made
    where relays.id = ${id}`.execute(database);
  // 1,001 units, of 10,000.
  await setSize(4_100_000);
  await anvil.setNextBlockTimestamp({ timestamp: deadline + 1n });
  await anvil.mine({ blocks: 1 });
  startWorking();
  await expect.poll(countRelays).toBe(1 + 73 + 2);
  expect(await getRelay(id)).toMatchObject({ status: "expired" });
  const { rows } = await sql<{ readonly oldest: number }>`
    select min(id)::int as oldest from relays
    where cost = 0 and is_final`.execute(database);
  expect(rows).toEqual([{ oldest: -73 }]);
});
