import { setTimeout as sleep } from "node:timers/promises";

import { padHex, toHex } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";

import {
  createPlatformClient,
  type PlatformClient,
} from "../../../generated/client.js";
import { addressesOf } from "../../announce/ready-file.js";
import { createConsoleHostClient } from "../../console/generated/client.js";
import { entryOf, postRelaying, signCall } from "../support/relaying.js";
import type { TestProject } from "../support/serve-platform.js";
import { type Cluster, operatorToken } from "./cluster.js";
import { isTimed } from "./hostile-projects.js";

/** The number of calls that hostile projects make at the same time. */
const callsAtOnce = 40;

/** The number of contacts in a file. On a quiet machine, it is the limit. */
export const contactsOfFile = isTimed ? 200_000 : 5000;

/** The days of usage that can be listed at once. */
const usageMs = 91 * 24 * 60 * 60 * 1000;

/** Makes a call of a project. */
type Call = (client: PlatformClient & TestProject) => Promise<{
  readonly ok: boolean;
  readonly error?: { readonly name: string };
}>;

/**
 * Makes calls for projects, until it is stopped. Returns the number of calls and
 * the names of their errors.
 *
 * Input: `muteUrl` is for hostile projects, whose calls are costly or exceed
 * limits. Without it, they make as many calls as any project does.
 */
export async function startCalls(
  { ready }: Cluster,
  projects: readonly TestProject[],
  muteUrl: string | null,
) {
  const { baseUrl, chainId, fixtures, network } = ready();
  const guest = privateKeyToAccount(generatePrivateKey());
  const entry = entryOf(guest, fixtures.guestbook);
  const relayed = await signCall(chainId, entry, guest);
  const clients = projects.map((project) => ({
    ...project,
    ...createPlatformClient({
      hosts: addressesOf(baseUrl),
      parameters: { network },
      credentials: project,
    }),
  }));
  const tokenIDs = Array.from({ length: 50 }, (_, id) => String(id));
  const place = { chainID: network, contractAddress: fixtures.items, tokenIDs };
  // All contracts and tokens that a request can name, none of which exists.
  const batch = {
    chainID: network,
    contractTokenMap: Object.fromEntries(
      tokenIDs.map((id) => [
        padHex(toHex(Number(id) + 1), { size: 20 }),
        tokenIDs,
      ]),
    ),
  };
  const orders = tokenIDs.map((id) => ({
    ...{ contractAddress: fixtures.collectible, marketplace: "opensea" },
    orderId: padHex(toHex(Number(id) + 1), { size: 32 }),
  }));
  const usual: Call = ({ builder, id }) =>
    builder.listAudiences.result({ projectId: id });
  const attacks = (url: string): readonly Call[] => [
    ({ metadata }) => metadata.getTokenMetadata.result(place),
    ({ metadata }) => metadata.getTokenMetadataBatch.result(batch),
    ({ metadata }) => metadata.enqueueTokensForRefresh.result(place),
    ({ metadata }) =>
      metadata.enqueueTokensForRefresh.result({ ...place, refreshAll: true }),
    ({ marketplace }) => marketplace.getOrders.result({ input: orders }),
    ({ marketplace }) =>
      marketplace.getHighestPriceOfferForCollectible.result({
        ...{ contractAddress: fixtures.collectible, tokenId: "1" },
      }),
    ({ id, relayer }) =>
      relayer.addGasSponsor.result({
        ...{ projectId: id, address: padHex("0x2", { size: 20 }) },
      }),
    ({ indexer }) =>
      indexer.addWebhookListener.result({
        url,
        filters: { contractAddresses: [], events: [] },
      }),
    ({ api }) =>
      api.isValidSignature.result({
        ...{ chainId: network, walletAddress: fixtures.wallet },
        ...{ digest: padHex("0x2", { size: 32 }), signature: "0x" },
      }),
    async ({ accessKey }) => {
      const { error: name } = await postRelaying(
        { accessKey, baseUrl },
        "Relay",
        relayed,
        // A busy balancer responds without a body.
      ).catch(() => ({ error: "no JSON" }));
      return name === undefined
        ? { ok: true }
        : { ok: false, error: { name: String(name) } };
    },
  ];
  const kinds = [usual, ...(muteUrl === null ? [] : attacks(muteUrl))];
  const errors = new Map<string, number>();
  let isOver = false;
  let calls = 0;
  const repeat = async (): Promise<void> => {
    while (!isOver) {
      const at = calls;
      calls += 1;
      const client = clients[at % clients.length];
      const call = kinds[Math.floor(at / clients.length) % kinds.length];
      if (client === undefined || call === undefined) return;
      const { error } = await call(client);
      const name = error?.name ?? "none";
      errors.set(name, (errors.get(name) ?? 0) + 1);
      // A busy test must not starve itself.
      await sleep(20);
    }
  };
  const all = Promise.all(Array.from({ length: callsAtOnce }, repeat));
  return {
    stop: async () => {
      isOver = true;
      await all;
      return { calls, errors: Object.fromEntries(errors) };
    },
  };
}

/** Opens the console's client of its owner. */
function openConsoleOf({ ready }: Cluster) {
  return createConsoleHostClient({
    baseUrl: ready().adminUrl,
    credentials: { sessionToken: operatorToken },
    timeoutMs: 120_000,
  });
}

/** Opens the lists of a project with the largest page of each. Returns its rows. */
export async function openLists(
  cluster: Cluster,
  projectId: number,
): Promise<Readonly<Record<string, readonly object[]>>> {
  const client = openConsoleOf(cluster);
  const { activity, audiences, gasTanks, webhooks } = client;
  const page = { size: 200 };
  const asked = { projectId, page };
  const day = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
  const days = { from: day(Date.now() - usageMs), to: day(Date.now()) };
  const place = { ...asked, chainId: cluster.ready().chainId };
  return {
    listeners: (await webhooks.listListeners(asked)).listeners,
    deliveries: (await webhooks.listDeliveries(asked)).deliveries,
    sponsors: (await gasTanks.listGasSponsors(asked)).gasSponsors,
    relays: (await gasTanks.listRelays(asked)).relays,
    entries: (await gasTanks.listGasTankEntries(place)).entries,
    refreshes: (await activity.listRefreshTasks(asked)).refreshTasks,
    calls: (await activity.listCalls(asked)).calls,
    actions: (await activity.listActions(asked)).actions,
    audiences: (await audiences.listAudiences(asked)).audiences,
    usage: (await activity.getUsage({ projectId, ...days })).usage,
  };
}

/**
 * Opens lists of projects in the console and imports contacts, until it is stopped.
 * Returns how often, and the messages of what failed, because instances are busy.
 */
export async function startConsole(
  cluster: Cluster,
  projects: readonly TestProject[],
) {
  const { audiences } = openConsoleOf(cluster);
  const ids = Array.from({ length: contactsOfFile }, (_, at) => at + 1);
  const csv = new File([`contactId\n${ids.join("\n")}\n`], "contacts.csv");
  const counts = { lists: 0, imports: 0 };
  const failures = new Set<string>();
  let isOver = false;
  const repeat = async (
    what: keyof typeof counts,
    work: (project: TestProject) => Promise<unknown>,
  ): Promise<void> => {
    for (let at = 0; !isOver; at += 1) {
      const project = projects[at % projects.length];
      if (project === undefined) return;
      await work(project).then(
        () => (counts[what] += 1),
        (error: unknown) => failures.add(String(error)),
      );
      await sleep(20);
    }
  };
  // Projects share what would take too much room for each one.
  const [{ id: projectId } = { id: 0 }] = projects;
  const { audience } = await audiences.createAudience({
    ...{ projectId, name: "Everybody" },
  });
  const all = Promise.all([
    repeat("lists", ({ id }) => openLists(cluster, id)),
    repeat("imports", () =>
      audiences.importContacts({ projectId, audienceId: audience.id, csv }),
    ),
  ]);
  return {
    stop: async () => {
      isOver = true;
      await all;
      return { ...counts, failures: [...failures] };
    },
  };
}
