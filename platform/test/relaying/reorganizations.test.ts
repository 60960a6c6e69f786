import { parseEther } from "viem";
import { expect, test } from "vitest";

import { testReorganization } from "./reorganize.js";
import { openRelaying, relayOf } from "../support/open-relaying.js";
import { callOf } from "../support/relaying.js";

const opened = await openRelaying();
const { anvil, database, startWorking, openSponsor } = opened;

test.each([1, 10])(
  "a reorganization undoes relays, which are then sent again (blocks: %i)",
  (depth) => testReorganization(opened, depth),
);

test("stops checking a relay that no reorganization can undo", async () => {
  const { wallet, relay, settled } = await openSponsor();
  startWorking();
  const { id } = await settled(await relayOf(relay(callOf(wallet))));
  const countJobs = async (): Promise<number> => {
    const { count } = await database
      .selectFrom("jobs")
      .select((row) => row.fn.countAll<number>().as("count"))
      .where("key", "=", String(id))
      .executeTakeFirstOrThrow();
    return count;
  };
  expect(await countJobs()).toBe(1);
  await anvil.mine({ blocks: 512 });
  await expect.poll(countJobs).toBe(0);
});

test("fills a nonce that the chain has lost permanently, so later relays continue", async () => {
  const { wallet, sponsor, relay, readTank, settled } = await openSponsor();
  const other = await opened.createWallet();
  await sponsor(other);
  const id = await anvil.snapshot();
  const stop = startWorking();
  const lost = await settled(await relayOf(relay(callOf(other))));
  await stop();
  await database
    .updateTable("relays")
    .set({ is_final: true })
    .where("id", "=", lost.id)
    .execute();
  await anvil.revert({ id });
  startWorking();
  const done = await settled(await relayOf(relay(callOf(wallet))));
  expect(done.status).toBe("done");
  const costs = BigInt(lost.cost ?? 0) + BigInt(done.cost ?? 0);
  expect(await readTank()).toBe(parseEther("1") - costs);
});
