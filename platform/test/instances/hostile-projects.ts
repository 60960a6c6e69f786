import { setTimeout as sleep } from "node:timers/promises";

import { sql } from "kysely";
import { concatHex, type Hex, numberToHex, padHex, toHex } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";

import {
  createPlatformClient,
  type PlatformClient,
} from "../../../generated/client.js";
import { TokenEvent } from "../../../generated/indexer/types.js";
import { addressesOf } from "../../announce/ready-file.js";
import { parseEventSignature } from "../../services/indexer/event-signature.js";
import {
  createAccessKey,
  createProject,
  createSecret,
} from "../../keys/key-store.js";
import { createRefresh } from "../../services/metadata/refresh-store.js";
import { saveGasSponsor } from "../../services/relayer/gas-sponsors.js";
import { putStringContract } from "../support/plain-contract.js";
import { entryOf, postRelaying, signCall } from "../support/relaying.js";
import type { TestProject } from "../support/serve-platform.js";
import type { Cluster } from "./cluster.js";

/** The limits of a project, as in the settings. */
export const limits = {
  ...{ listeners: 100, refreshes: 1000, sponsors: 10_000 },
  webhooks: 100_000,
};

/** The number of rows that all projects together get of a kind. */
const rowsOfAll = 20_000;

/** The number of calls that hostile projects make at the same time. */
const callsAtOnce = 40;

/** The number of arguments of a costly event, the first of which is a tuple. */
const costlyArguments = 60;

/**
 * Returns an event of which any two arguments are indexed, so that each one is
 * decoded in another way.
 */
function costly(nth: number): string {
  const at = nth % 58;
  const other = at + 1 + (Math.floor(nth / 58) % (59 - at));
  const types = Array.from({ length: costlyArguments - 1 }, (_, index) =>
    index + 1 === at || index + 1 === other ? "uint256 indexed" : "uint256",
  );
  const first = at === 0 ? "indexed " : "";
  return `Costly((uint256 a${nth}) ${first}pair, ${types.join(", ")})`;
}

/** The topic of all costly events. */
export const { topicHash: costlyTopic } = parseEventSignature(costly(0));

const push32 = (value: Hex): Hex => concatHex(["0x7f", value]);

const push3 = (value: number): Hex =>
  concatHex(["0x62", numberToHex(value, { size: 3 })]);

/** Returns code that emits a log of a number of bytes, with up to two words. */
function emit(topic: Hex, bytes: number, words: 0 | 2): Hex {
  const word = padHex(toHex(1), { size: 32 });
  return concatHex([
    ...Array<Hex>(words).fill(push32(word)),
    ...[push32(topic), push3(bytes), "0x6000"],
    // LOG1 or LOG3, then STOP
    words === 0 ? "0xa100" : "0xa300",
  ] as const);
}

/** The code of a transaction that emits a log of costly events. */
export const emitCostly = emit(costlyTopic, 32 * (costlyArguments - 2) + 1, 2);

const large = parseEventSignature("Large(bytes)");

/** The code of a transaction that emits a log which is too large to decode. */
export const emitLarge = emit(large.topicHash, 32 * 5100, 0);

/** A topic that no event has. */
const strange = padHex("0x57", { size: 32 });

/** The code of a transaction that creates 200 contracts, each with a log. */
export const emitStrange = createMany(emit(strange, 0, 0), 200);

/** Returns code that creates contracts, given the code that each one runs. */
function createMany(code: Hex, count: number): Hex {
  const size = (code.length - 2) / 2;
  const start = concatHex([
    // CODECOPY(0, 26, size), then the number of contracts.
    ...[push3(size), "0x601a", "0x6000", "0x39", push3(count)],
    // JUMPDEST, CREATE(0, 0, size), POP
    ...["0x5b", push3(size), "0x6000", "0x6000", "0xf0", "0x50"],
  ] as const);
  const at = 4 + 2 + 2 + 1 + 4;
  // Subtract one, and jump back unless the result is zero.
  const end = concatHex([
    ...["0x6001", "0x90", "0x03", "0x80", concatHex(["0x60", toHex(at)])],
    "0x5700",
  ] as const);
  return concatHex([start, end, code]);
}

/** Adds listeners in the database, which is faster than calls. */
export async function addListeners(
  { ready, store: { database } }: Cluster,
  { id }: Pick<TestProject, "id">,
  url: string,
  filters: readonly object[],
): Promise<void> {
  const texts = filters.map((each) =>
    JSON.stringify({ contractAddresses: [], events: [], ...each }),
  );
  await sql`
    insert into webhook_listeners (project_id, chain_id, url, filters)
    select ${id}, ${ready().chainId}, ${url}, filters::json
    from unnest(${texts}::text[]) as given (filters)`.execute(database);
}

/** Creates projects whose secrets are valid for a day. */
export async function createProjects(
  { store }: Cluster,
  count: number,
): Promise<readonly TestProject[]> {
  const projects: TestProject[] = [];
  const expiresAt = new Date(Date.now() + 24 * 60 * 60 * 1000);
  while (projects.length < count) {
    const { id } = await createProject(store, "Hostile");
    const { key: accessKey } = await createAccessKey(store, { projectId: id });
    const { key: secret } = await createSecret(store, {
      ...{ projectId: id, scopes: ["read", "write"], expiresAt },
    });
    projects.push({ id, accessKey, secret });
  }
  return projects;
}

/**
 * Lets projects use every limit to its end, with receivers and documents that
 * never arrive. Projects share what would take too long to store for each one.
 *
 * Input: the number of pending webhooks of all projects together.
 */
export async function fillLimits(
  cluster: Cluster,
  projects: readonly TestProject[],
  muteUrl: string,
  webhooks: number,
): Promise<void> {
  const { database } = cluster.store;
  const { chainId, chainUrl } = cluster.ready();
  const contract = await putStringContract(chainUrl, muteUrl);
  const share = Math.ceil(rowsOfAll / projects.length);
  // With 20 events, the filters of a project reach their limit.
  const events = projects.length > 40 ? 2 : 20;
  const others = [
    { events: [TokenEvent.ERC20_TRANSFER] },
    { events: ["Large(bytes)"] },
    { topicHashes: [strange] },
    {
      events: [TokenEvent.ERC20_TRANSFER],
      accounts: Array.from({ length: 50 * events }, (_, at) =>
        padHex(toHex(at + 1), { size: 20 }),
      ),
    },
  ];
  for (const [at, project] of projects.entries()) {
    const count = limits.listeners - others.length;
    const filters = Array.from({ length: count }, (_, nth) => ({
      events: Array.from({ length: events }, (__, event) =>
        costly((at * limits.listeners + nth) * events + event),
      ),
    }));
    await addListeners(cluster, project, muteUrl, [...filters, ...others]);
    await fillWebhooks(cluster, project, webhooks / projects.length);
    await fillSponsors(cluster, project, Math.min(limits.sponsors, share));
    const tasks = Math.min(limits.refreshes, Math.ceil(share / 50));
    for (let task = 0; task < tasks; task += 1) {
      const tokenIds = Array.from({ length: 50 }, (_, id) => String(id));
      const refresh = { projectId: project.id, chainId, contract, tokenIds };
      await createRefresh(
        database,
        { ...refresh, isForAll: false },
        { maxTasks: limits.refreshes, maxTokens: 100_000 },
      );
    }
  }
  await copyOffers(cluster);
}

/** Lets webhooks wait for the receivers of a project. */
async function fillWebhooks(
  { store: { database } }: Cluster,
  { id }: TestProject,
  count: number,
): Promise<void> {
  await sql`
    insert into jobs (queue, key, lane, part, payload)
    select 'webhooks', listener.id || ':' || n, ${String(id)},
      listener.id::text, json_build_object('listenerId', listener.id,
        'projectId', ${id}::int, 'notification', json_build_object('uid', n::text))
    from (
      select min(id) as id from webhook_listeners
      where project_id = ${id} and active
    ) as listener, generate_series(1, ${Math.floor(count)}::int) as n
    on conflict do nothing`.execute(database);
}

async function fillSponsors(
  { ready, store: { database } }: Cluster,
  { id: projectId }: TestProject,
  count: number,
): Promise<void> {
  const { chainId } = ready();
  const place = { projectId, chainId, name: "", active: true };
  const address = padHex("0x1", { size: 20 });
  const sponsor = { ...place, address };
  // The tank is empty, which only shows after nodes have been asked.
  const { guestbook } = ready().fixtures;
  await saveGasSponsor(database, { ...place, address: guestbook }, count);
  const { gas_tank_id: tankId } = await saveGasSponsor(
    database,
    sponsor,
    count,
  );
  await sql`
    insert into gas_sponsors
      (gas_tank_id, project_id, chain_id, address, name, active, updated_at)
    select ${tankId}, ${projectId}, ${chainId},
      '0x' || lpad(to_hex(n), 40, '0'), '', true, now()
    from generate_series(2, ${count - 1}::int) as n`.execute(database);
}

/** Adds offers of makers without funds, with higher prices than all others. */
async function copyOffers({ store: { database } }: Cluster): Promise<void> {
  await sql`
    insert into marketplace_orders (chain_id, contract, order_hash,
      collection_id, collectible_id, side, maker, currency, quantity, data,
      ends_at, block_number, log_index, mined_at, unit_price)
    select chain_id, contract, left(order_hash, 58) || lpad(to_hex(number), 8, '0'), collection_id,
      collectible_id, side, '0x' || lpad(to_hex(number / 100), 40, '0'),
      currency, quantity, data, ends_at, block_number, log_index, mined_at,
      unit_price + number
    from (
      select * from marketplace_orders where side = 'offer' order by id limit 1
    ) as offer, generate_series(1, 10000) as number
    on conflict do nothing`.execute(database);
}

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
