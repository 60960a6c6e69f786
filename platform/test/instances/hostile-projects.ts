import { sql } from "kysely";
import { concatHex, type Hex, numberToHex, padHex, toHex } from "viem";

import { TokenEvent } from "../../../generated/indexer/types.js";
import type { Row } from "../../database/schema.js";
import { enqueue } from "../../queue/enqueue.js";
import { laneOf, relayQueue } from "../../services/relayer/relay-queue.js";
import { parseEventSignature } from "../../services/indexer/event-signature.js";
import {
  createAccessKey,
  createProject,
  createSecret,
} from "../../keys/key-store.js";
import { createRefresh } from "../../services/metadata/refresh-store.js";
import { saveGasSponsor } from "../../services/relayer/gas-sponsors.js";
import { putStringContract } from "../support/plain-contract.js";
import type { TestProject } from "../support/serve-platform.js";
import type { Cluster } from "./cluster.js";

/** The limits of a project, as in the settings. */
export const limits = {
  ...{ listeners: 100, sponsors: 10_000, relays: 1000 },
  ...{ refreshes: 1000, tokens: 100_000, webhooks: 100_000 },
};

/** Whether the machine is quiet, so that times can be compared. */
export const isTimed = process.env["RIDLKIT_TIMES"] !== undefined;

/**
 * The number of rows of each kind that all new projects together get. On a quiet
 * machine, it is at least the limit of one.
 */
const rowsOfAll = {
  ...{ sponsors: 20_000, refreshes: 1000 },
  tokens: isTimed ? 100_000 : 10_000,
  // Each of them is tried again and again.
  relays: 4000,
};

/** Returns how many rows of a kind each of some projects gets. */
export const rowsFor = (kind: keyof typeof rowsOfAll, count: number): number =>
  Math.min(limits[kind], Math.ceil(rowsOfAll[kind] / count));

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
  const share = (kind: keyof typeof rowsOfAll): number =>
    rowsFor(kind, projects.length);
  await storeTokens(cluster, contract, share("tokens"));
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
    const sponsor = await fillSponsors(cluster, project, share("sponsors"));
    await fillRelays(cluster, sponsor, share("relays"));
    for (let task = 0; task < share("refreshes"); task += 1) {
      // The first one is for all stored tokens.
      const isForAll = task === 0;
      const tokenIds = Array.from({ length: 50 }, (_, id) => String(id));
      const refresh = { projectId: project.id, chainId, contract, tokenIds };
      await createRefresh(
        database,
        { ...refresh, isForAll },
        { maxTasks: limits.refreshes, maxTokens: limits.tokens },
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

/** Stores tokens of a contract, as if somebody had read them. */
async function storeTokens(
  { ready, store: { database } }: Cluster,
  contract: string,
  count: number,
): Promise<void> {
  // One statement for all could take too long.
  for (let from = 0; from < count; from += 1000) {
    const to = Math.min(from + 1000, count) - 1;
    await sql`
      insert into token_metadata
        (chain_id, contract, token_id, document, outcome, read_number)
      select ${ready().chainId}, ${contract}, n::text, '{}', 'found', 0
      from generate_series(${from}::int, ${to}::int) as n`.execute(database);
  }
}

/** Adds sponsors, and returns the one of a contract that exists. */
async function fillSponsors(
  { ready, store: { database } }: Cluster,
  { id: projectId }: TestProject,
  count: number,
): Promise<Row<"gas_sponsors">> {
  const { chainId } = ready();
  const place = { projectId, chainId, name: "", active: true };
  const address = padHex("0x1", { size: 20 });
  const { guestbook } = ready().fixtures;
  const known = { ...place, address: guestbook };
  const sponsor = await saveGasSponsor(database, known, count);
  await saveGasSponsor(database, { ...place, address }, count);
  await sql`
    insert into gas_sponsors
      (gas_tank_id, project_id, chain_id, address, name, active, updated_at)
    select ${sponsor.gas_tank_id}, ${projectId}, ${chainId},
      '0x' || lpad(to_hex(n), 40, '0'), '', true, now()
    from generate_series(2, ${count - 1}::int) as n`.execute(database);
  return sponsor;
}

/**
 * Lets relays of a sponsor wait, because its tank has become empty. That there are
 * too many only shows after nodes have been asked.
 */
async function fillRelays(
  { store: { database } }: Cluster,
  { chain_id, gas_tank_id, id, project_id }: Row<"gas_sponsors">,
  count: number,
): Promise<void> {
  const { rows } = await sql<{ readonly id: number }>`
    insert into relays
      (project_id, gas_sponsor_id, gas_tank_id, chain_id, wallet, wallet_nonce,
      call_hash, data, gas, deadline, max_data_fee, max_cost, first_max_cost)
    select ${project_id}, ${id}, ${gas_tank_id}, ${chain_id},
      '0x' || lpad(to_hex(n), 40, '0'), 0, '', '0x', 100000, 4000000000, 0,
      10 ^ 15, 10 ^ 15
    from generate_series(1, ${count}::int) as n
    returning id`.execute(database);
  const lane = laneOf({ chain_id, project_id, state: "pending" });
  const jobs = rows.map((row) => ({ key: String(row.id), payload: row.id }));
  await enqueue(
    database,
    relayQueue,
    jobs.map((job) => ({ ...job, lane })),
  );
}

/** Adds offers of makers without funds, with higher prices than all others. */
async function copyOffers({ store: { database } }: Cluster): Promise<void> {
  await sql`
    insert into marketplace_orders (chain_id, contract, order_hash,
      collection_id, collectible_id, side, maker, currency, quantity, data,
      ends_at, block_number, log_index, mined_at, unit_price)
    select chain_id, contract, left(order_hash, 58) || lpad(to_hex(number), 8, '0'), collection_id,
      collectible_id, side, '0x' || lpad(to_hex(number / 100), 40, '0'),
      currency, quantity,
      replace(data, substr(maker, 3), lpad(to_hex(number / 100), 40, '0')),
      ends_at, block_number, log_index, mined_at, unit_price + number
    from (
      select * from marketplace_orders where side = 'offer' order by id limit 1
    ) as offer, generate_series(1, 10000) as number
    on conflict do nothing`.execute(database);
}
