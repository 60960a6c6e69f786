import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";

import { startAt } from "../../follower/progress.js";
import type { Stoppable } from "../../process/lifecycle/keep-running.js";
import { followListeners } from "../../services/indexer/follow-listeners.js";
import { createTestProject, servePlatform } from "../support/serve-platform.js";
import { openTestDatabase } from "../support/test-database.js";

const database = await openTestDatabase();
const { platform, store } = servePlatform(database);
const often = { interval: 20 };

test("follows a chain until its last listener has ended, and then forgets its position", async () => {
  const followed: string[] = [];
  const follow = ({ handle }: { readonly handle: string }): Stoppable => {
    followed.push(handle);
    return {
      ended: Promise.resolve(),
      stop: () => {
        followed.splice(followed.indexOf(handle), 1);
        return Promise.resolve();
      },
    };
  };
  const positions = () =>
    database.selectFrom("followed_chains").select("chain_id").execute();
  const { id } = await createTestProject(store);
  // The platform stopped before it could forget one of the positions.
  for (const chainId of [137, 8453]) {
    await startAt({ database, follower: "indexer", chainId }, 7);
  }
  await sql`
    insert into webhook_listeners (project_id, chain_id, url, filters)
    values (${id}, 137, 'https://a.test', '{}'), (${id}, 10, '', '{}')
  `.execute(database);
  const settings = { ...platform.settings, embeddedChain: null };
  const following = followListeners(
    { ...platform, settings },
    { idleMs: 200, follow },
  );
  onTestFinished(() => following.stop());
  await expect.poll(() => followed, often).toEqual(["optimism", "polygon"]);
  await expect.poll(positions, often).toEqual([{ chain_id: 137 }]);
  await sql`update webhook_listeners set active = false`.execute(database);
  await expect.poll(() => followed, often).toEqual([]);
  await expect.poll(positions, often).toEqual([]);
});
