import { expect, test } from "vitest";

import {
  readNodeFaults,
  storeNodeFault,
} from "../../network/agreement/node-faults.js";
import { defaultSettings } from "../support/serve-platform.js";
import { openTestDatabase } from "../support/test-database.js";
import { createNetworks } from "../../network/networks.js";

const database = await openTestDatabase();
const [embedded] = defaultSettings.networks;

/** Returns the networks of settings in which two chains have these nodes. */
function networksWith(rpcUrls: readonly string[]) {
  if (embedded === undefined) throw new Error("there is no network");
  const settings = [1, 2].map((chainId) => ({
    ...{ ...embedded, handle: `chain-${chainId}`, chainId, rpcUrls },
  }));
  return createNetworks(settings, () => expect.unreachable());
}

const [a, b, c] = ["a", "b", "c"].map((name) => `https://${name}.test/secret`);

test("a fault stays with its node when the nodes are reordered or removed", async () => {
  const urls = (list: readonly (string | undefined)[]) =>
    list.flatMap((url) => url ?? []);
  const before = networksWith(urls([a, b]));
  const [network] = before.all;
  if (network === undefined) throw new Error("there is no network");
  const what = "reports too much";
  await storeNodeFault(database, network, { node: 1, what });
  const faultsOf = async (list: readonly (string | undefined)[]) => {
    const networks = networksWith(urls(list));
    const faults = await readNodeFaults(database, networks, 1);
    return faults.map(({ chainId, node }) => [chainId, node]);
  };
  expect(await faultsOf([a, b])).toEqual([[1, 1]]);
  expect(await faultsOf([b, a])).toEqual([[1, 0]]);
  expect(await faultsOf([c, a, `${b}`])).toEqual([[1, 2]]);
  // Another node takes the position of the one that was removed.
  expect(await faultsOf([a, c])).toEqual([]);
  expect(await faultsOf([a])).toEqual([]);
  const rows = await database.selectFrom("wrong_nodes").selectAll().execute();
  expect(JSON.stringify(rows)).not.toContain("secret");
});
