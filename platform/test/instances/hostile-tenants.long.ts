import { sql } from "kysely";
import { concatHex, type Hex, numberToHex, padHex, toHex } from "viem";
import { expect, onTestFinished, test } from "vitest";

import { createFixtureAccounts } from "../../chain/accounts.js";
import { openChainWallet } from "../../chain/chain-wallet.js";
import { parseEventSignature } from "../../services/indexer/event-signature.js";
import { openSiteForTest } from "../support/local-site.js";
import { createTestProject } from "../support/serve-platform.js";
import { startCluster } from "./cluster.js";

/** The maximum number of listeners of a project. */
const listeners = 100;

/**
 * The number of events of a listener. With 20, the filters of a project reach
 * their limit.
 */
const eventsOf = (projects: number): number => (projects > 40 ? 2 : 20);

/** The budget of all projects in a block, as in the settings. */
const total = 200_000;

/**
 * Returns an event of which any two arguments are indexed, so that each one is
 * decoded in another way.
 */
function costly(nth: number): string {
  const at = nth % 58;
  const other = at + 1 + (Math.floor(nth / 58) % (59 - at));
  const types = Array.from({ length: 59 }, (_, index) =>
    index + 1 === at || index + 1 === other ? "uint256 indexed" : "uint256",
  );
  const first = at === 0 ? "indexed " : "";
  return `Costly((uint256 a${nth}) ${first}pair, ${types.join(", ")})`;
}

/** Returns code that emits a log with three topics and data of zeros. */
function emit(topicHash: Hex, bytes: number): Hex {
  const push32 = (value: Hex): Hex => concatHex(["0x7f", value]);
  const word = padHex(toHex(1), { size: 32 });
  return concatHex([
    ...[push32(word), push32(word), push32(topicHash)],
    concatHex(["0x61", numberToHex(bytes, { size: 2 }), "0x6000"]),
    // LOG3, STOP
    "0xa300",
  ]);
}

/** A receiver that never answers those of hostile projects. */
async function openReceiver() {
  const told: string[] = [];
  const { url } = await openSiteForTest((request, response) => {
    if (request.url === "/hostile") return;
    told.push(request.url ?? "");
    response.end();
  });
  return { told, url };
}

test.each([1, 4, 40, 400])(
  "stores blocks and sends others' webhooks while %i projects use every limit of listeners",
  { timeout: 900_000 },
  async (projects) => {
    const cluster = await startCluster(2);
    const { database } = cluster.store;
    const { baseUrl, chainId, chainUrl } = cluster.ready();
    const receiver = await openReceiver();
    const add = async (
      projectId: number,
      path: string,
      filters: readonly object[],
    ) =>
      sql`
        insert into webhook_listeners (project_id, chain_id, url, filters)
        select ${projectId}, ${chainId}, ${receiver.url + path}, filters::json
        from unnest(${filters.map((each) =>
          JSON.stringify({ contractAddresses: [], ...each }),
        )}::text[]) as given (filters)`.execute(database);
    const events = eventsOf(projects);
    for (let project = 0; project < projects; project += 1) {
      const { id } = await createTestProject(cluster.store);
      await add(
        id,
        "/hostile",
        Array.from({ length: listeners }, (_, at) => ({
          events: Array.from({ length: events }, (__, nth) =>
            costly((project * listeners + at) * events + nth),
          ),
        })),
      );
    }
    const { topicHash } = parseEventSignature(costly(0));
    const quiet = await createTestProject(cluster.store);
    await add(quiet.id, "/quiet", [{ events: [], topicHashes: [topicHash] }]);

    const { user } = createFixtureAccounts();
    const wallet = openChainWallet(chainUrl, chainId, user);
    const times: number[] = [];
    let isOver = false;
    onTestFinished(() => void (isOver = true));
    const measured = (async () => {
      while (!isOver) {
        const since = performance.now();
        // The balancer cuts connections if a busy machine stalls an instance.
        await fetch(`${baseUrl}/healthz`)
          .then((response) => response.arrayBuffer())
          .catch(() => null);
        times.push(performance.now() - since);
      }
    })();
    const readHolder = () =>
      database
        .selectFrom("followed_chains")
        .select("holder")
        .where("follower", "=", "indexer")
        .executeTakeFirstOrThrow();
    const isStored = async (hash: Hex) =>
      (
        await database
          .selectFrom("followed_blocks")
          .select("hash")
          .where("follower", "=", "indexer")
          .where("hash", "=", hash)
          .execute()
      ).length > 0;
    const attack = async (): Promise<number> => {
      const since = performance.now();
      const hash = await wallet.sendTransaction({
        data: emit(topicHash, 32 * 58 + 1),
        gas: 1_000_000n,
      });
      const receipt = await wallet.waitForTransactionReceipt({ hash });
      await expect
        .poll(() => isStored(receipt.blockHash), {
          ...{ interval: 50, timeout: 300_000 },
        })
        .toBe(true);
      return performance.now() - since;
    };
    const holder = await readHolder();
    // An instance reads its listeners before the first block.
    const firstMs = await attack();
    const storedMs = await attack();
    const isKept = (await readHolder()).holder === holder.holder;
    await expect
      .poll(() => receiver.told.length, { timeout: 60_000 })
      .toBeGreaterThanOrEqual(2);
    isOver = true;
    await measured;
    const longest = Math.max(...times);
    console.log(
      `${projects} projects: blocks stored after ${firstMs.toFixed(0)} and ${storedMs.toFixed(0)} ms, longest /healthz ${longest.toFixed(0)} ms of ${times.length}, lease ${isKept ? "kept" : "moved"}`,
    );

    const aside = await database
      .selectFrom("webhook_listeners")
      .select(["project_id", "set_aside_reason as reason"])
      .where("set_aside_reason", "is not", null)
      .execute();
    expect(aside.map((each) => each.project_id)).not.toContain(quiet.id);
    // Each attempt has 118 units. This much fits into both budgets.
    const done = 2 * Math.min(projects * 3 * 20_000, total);
    const all = projects * listeners;
    expect(aside.length).toBeGreaterThan(all - done / 118);
    // A busy machine stalls it, too. Without a budget, it took half a minute.
    expect(longest).toBeLessThan(5000);
  },
);
