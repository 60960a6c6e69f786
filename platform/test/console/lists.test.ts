import { toNodeHandler } from "@ridlkit/runtime/node";
import { sql } from "kysely";
import { beforeEach, expect, test } from "vitest";

import { createIndexerWebhookReceiver } from "../../../generated/indexer/server.js";
import type { WebhookNotification } from "../../../generated/indexer/types.js";
import { DeliveryState } from "../../console/generated/types.js";
import { deliveryQueue } from "../../services/indexer/index-blocks.js";
import { refreshQueue } from "../../services/metadata/refresh-store.js";
import { openSiteForTest } from "../support/local-site.js";
import { watchQueries } from "../support/query-plans.js";
import {
  createMigratedDatabase,
  openTestDatabase,
} from "../support/test-database.js";
import { openConsole } from "./open-console.js";

const url = await createMigratedDatabase();
const database = await openTestDatabase(url);
const { client } = openConsole(database, { listenersPerProject: 2 });
const hook = "https://198.41.0.4/hook";

let projectId: number;
beforeEach(async () => {
  const { project } = await client.projects.createProject({ name: "A game" });
  projectId = project.id;
});

/** A page of a list, as a client requests it. */
interface Page {
  readonly size: number;
  readonly after?: string;
}

/** Reads a list to the end. Output: its pages. */
async function readAll<Item>(
  size: number,
  read: (page: Page) => Promise<{ items: readonly Item[]; next?: string }>,
): Promise<(readonly Item[])[]> {
  const pages: (readonly Item[])[] = [];
  let after: string | undefined;
  do {
    const page = { size, ...(after !== undefined && { after }) };
    const { items, next } = await read(page);
    pages.push(items);
    after = next;
  } while (after !== undefined);
  return pages;
}

/**
 * Stores deliveries for two listeners alternately. Some of the deliveries are
 * pending, some are dead, and some are done.
 */
async function storeDeliveries(lane: number, count: number): Promise<void> {
  const numbers = sql`generate_series(1, ${count}::int) as n`;
  const key = sql`(1 + n % 2) || ':' || ${lane}::int || '-' || n`;
  await sql`
    insert into jobs (queue, key, lane, payload, run_at, dead_at)
    select ${deliveryQueue}, ${key}, ${String(lane)}, '{}',
      now() + interval '1 hour', case when n % 4 = 0 then now() end
    from ${numbers}`.execute(database);
  await sql`
    with received as (
      delete from jobs
      where queue = ${deliveryQueue} and lane = ${String(lane)} and id % 3 = 0
      returning *
    )
    insert into done_jobs
      (id, queue, key, lane, payload, attempts, history, created_at)
    select id, queue, key, lane, payload, 1,
      case when id % 2 = 0 then history else '[{"reason": "410"}]' end,
      created_at
    from received`.execute(database);
}

test("lists each of many deliveries exactly once across pages", async () => {
  const { project: other } = await client.projects.createProject({ name: "B" });
  await storeDeliveries(projectId, 300);
  await storeDeliveries(other.id, 300);
  const findPlans = watchQueries();
  const keysOf = async (choice: {
    readonly projectId?: number;
    readonly listenerId?: number;
    readonly state?: DeliveryState;
  }): Promise<readonly string[]> => {
    const pages = await readAll(70, async (page) => {
      const answer = await client.webhooks.listDeliveries({ ...choice, page });
      return { ...answer, items: answer.deliveries };
    });
    const rows = pages.flat();
    for (const row of rows) expect(row).toMatchObject(choice);
    expect(pages.slice(0, -1).every(({ length }) => length === 70)).toBe(true);
    return rows.map(({ key }) => key);
  };
  const all = await keysOf({});
  expect([all.length, new Set(all).size]).toEqual([600, 600]);
  const own = await keysOf({ projectId });
  const newestFirst = Array.from({ length: 300 }, (_, index) => {
    const number = 300 - index;
    return `${1 + (number % 2)}:${projectId}-${number}`;
  });
  expect(own).toEqual(newestFirst);
  const ofListener = await keysOf({ projectId, listenerId: 2 });
  expect(ofListener).toEqual(own.filter((key) => key.startsWith("2:")));
  const byState = await Promise.all(
    Object.values(DeliveryState).map((state) => keysOf({ projectId, state })),
  );
  expect(byState.every(({ length }) => length > 40)).toBe(true);
  expect(byState.flat().toSorted()).toEqual(own.toSorted());
  const { scans } = await findPlans(url);
  expect(scans).toEqual([]);
});

test("resumes stopped listeners, and permanently deletes a listener", async () => {
  const { webhooks } = client;
  const filters = { contractAddresses: [], events: [] };
  const listener = { projectId, chainId: 137, url: hook, filters };
  const store = async (active: boolean): Promise<number> => {
    const { id } = await database
      .insertInto("webhook_listeners")
      .values({
        project_id: projectId,
        chain_id: listener.chainId,
        url: hook,
        filters: JSON.stringify(filters),
        active,
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    return id;
  };
  const id = await store(false);
  const place = { projectId, id };
  const list = async () => {
    const { listeners } = await webhooks.listListeners({ projectId });
    return listeners.map(({ id, state }) => `${id} ${state}`);
  };
  expect(await list()).toEqual([`${id} ended`]);
  const { project: other } = await client.projects.createProject({ name: "B" });
  const foreign = { projectId: other.id, id };
  const refused = { error: { name: "NotFound" } };
  expect(await webhooks.resumeListener.result(foreign)).toMatchObject(refused);
  expect(await webhooks.deleteListener.result(foreign)).toMatchObject(refused);
  expect((await webhooks.resumeListener(place)).listener.state).toBe("active");
  expect((await webhooks.resumeListener(place)).listener.state).toBe("active");
  // The resumed listener counts toward the project's limit.
  await store(true);
  const third = await store(false);
  expect(
    await webhooks.resumeListener.result({ projectId, id: third }),
  ).toMatchObject({ error: { name: "PermissionDenied" } });
  await webhooks.deleteListener(place);
  await webhooks.deleteListener(place);
  expect(await list()).toEqual([`${third} ended`, `${third - 1} active`]);
  expect(await webhooks.resumeListener.result(place)).toMatchObject(refused);
  await webhooks.resumeListener({ projectId, id: third });
});

test("changes a listener, and sends it a test event with the project's signature", async () => {
  const { client: operator } = openConsole(database, {
    allowPrivateTargets: true,
  });
  const { webhooks } = operator;
  const { secret } = await webhooks.revealWebhookSecret({ projectId });
  const received: WebhookNotification[] = [];
  const receiver = createIndexerWebhookReceiver({
    secrets: [secret],
    handlers: {
      indexerWebhook: { notify: (event) => void received.push(event) },
    },
  });
  const good = await openSiteForTest(toNodeHandler(receiver));
  const bad = await openSiteForTest((_, response) => {
    response.writeHead(410).end("no\u0000 more\n<b>" + "x".repeat(500));
  });
  const filters = { contractAddresses: [], events: ["Paused()"] };
  const { id } = await database
    .insertInto("webhook_listeners")
    .values({
      ...{ project_id: projectId, chain_id: 137, url: bad.url },
      filters: JSON.stringify(filters),
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  const place = { projectId, id };
  const { attempt } = await webhooks.sendTestEvent(place);
  expect(attempt.reason).toMatch(/^responded with 410: no more <b>x{189}$/u);
  const read = async () =>
    (await webhooks.listListeners({ projectId })).listeners;
  expect(await read()).toMatchObject([{ id, state: "active" }]);

  const target = { url: good.url, filters: { ...filters, tokenIDs: ["007"] } };
  const { listener } = await webhooks.updateListener({ ...place, ...target });
  expect(listener).toMatchObject({
    ...{ id, url: good.url },
    filters: { events: ["Paused()"], tokenIDs: ["7"] },
  });
  expect(await read()).toEqual([listener]);
  const accepted = await webhooks.sendTestEvent(place);
  expect(accepted.attempt).not.toHaveProperty("reason");
  expect(received).toMatchObject([{ event: { eventSig: "Test()" } }]);
  const { deliveries } = await webhooks.listDeliveries({ projectId });
  expect(deliveries).toEqual([]);

  const { project: other } = await operator.projects.createProject({
    name: "B",
  });
  const foreign = { projectId: other.id, id };
  const wrong = { ...filters, events: ["Paused(what)"] };
  for (const [result, name] of [
    [webhooks.updateListener.result({ ...foreign, ...target }), "NotFound"],
    [webhooks.sendTestEvent.result(foreign), "NotFound"],
    [
      webhooks.updateListener.result({ ...place, ...target, filters: wrong }),
      "InvalidArgument",
    ],
  ] as const) {
    expect(await result).toMatchObject({ error: { name } });
  }
  // The console that does not allow private targets rejects the URL.
  expect(
    await client.webhooks.updateListener.result({ ...place, ...target }),
  ).toMatchObject({ error: { name: "InvalidArgument" } });
  expect(await read()).toEqual([listener]);
});

test("lists refresh tasks with their state, remaining tokens, and reason", async () => {
  const contract = `0x${"ab".repeat(20)}`;
  await sql`
    with tasks as (
      insert into metadata_refreshes (project_id, chain_id, contract, status)
      select ${projectId}, 137, ${contract}, status
      from unnest(array['COMPLETED', 'FAILED', 'PAUSED', 'QUEUED'])
        as states (status)
      returning id, status
    ), waiting as (
      insert into jobs (queue, key, lane, payload, reason)
      select ${refreshQueue}, id::text, ${String(projectId)}, 'null',
        case when status = 'PAUSED' then 'the host is silent' end
      from tasks where status in ('PAUSED', 'QUEUED')
    )
    insert into metadata_refresh_tokens (refresh_id, token_id)
    select id, token::text from tasks, generate_series(1, 3) as token
    where status in ('PAUSED', 'QUEUED')`.execute(database);
  const { project: other } = await client.projects.createProject({ name: "B" });
  const list = async (id: number, size: number) => {
    const pages = await readAll(size, async (page) => {
      const answer = await client.activity.listRefreshTasks({
        ...{ projectId: id, page },
      });
      return { ...answer, items: answer.refreshTasks };
    });
    return pages.flat();
  };
  const tasks = await list(projectId, 3);
  expect(tasks).toEqual(await list(projectId, 200));
  expect(
    tasks.map(({ reason, state, tokensLeft }) => [state, tokensLeft, reason]),
  ).toEqual([
    ["QUEUED", 3, undefined],
    ["PAUSED", 3, "the host is silent"],
    ["FAILED", 0, undefined],
    ["COMPLETED", 0, undefined],
  ]);
  expect(tasks[0]).toMatchObject({
    ...{ projectId, chainId: 137, contractAddress: contract },
    createdAt: expect.any(String),
  });
  expect(await list(other.id, 3)).toEqual([]);
});

test("limits the entries of a page", async () => {
  const list = (size: number) =>
    client.webhooks.listDeliveries.result({ projectId, page: { size } });
  await storeDeliveries(projectId, 201);
  expect(await list(201)).toMatchObject({ error: { status: 400 } });
  expect(await list(200)).toMatchObject({
    value: { next: expect.any(String) },
  });
});
