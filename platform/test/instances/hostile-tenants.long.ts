import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";

import { TokenEvent } from "../../../generated/indexer/types.js";
import { openSiteForTest } from "../support/local-site.js";
import { type Cluster, startCluster } from "./cluster.js";
import { cpuSeconds, shareOf } from "./cpu-seconds.js";
import {
  contactsOfFile,
  openLists,
  startCalls,
  startConsole,
} from "./hostile-calls.js";
import {
  addListeners,
  costlyTopic,
  createProjects,
  fillLimits,
  isTimed,
  limits,
  rowsFor,
} from "./hostile-projects.js";
import {
  createMeasure,
  type Delays,
  watchHealth,
  watchSteps,
} from "./noticed-delays.js";

/** The numbers of hostile projects, of which each run adds more. */
const counts = (process.env["RIDLKIT_TENANTS"] ?? "1").split(",").map(Number);

/** The number of rounds in which the other project is measured. */
const rounds = isTimed ? 8 : 2;

/** The number of pending webhooks that new hostile projects share. */
const pending = isTimed ? limits.webhooks : limits.webhooks / 10;

/** The budgets of a project and of all projects in a block, as in the settings. */
const budget = { ofProject: 20_000, ofAll: 200_000 };

/** How long a block may take until it is stored, and a step of the event loop. */
const [maxBlockMs, maxStepMs] = [5000, 50];

/** The work of an attempt to decode a costly event. */
const attempt = 118;

/** A receiver that never answers hostile projects. */
async function openReceiver() {
  const told = { quiet: 0, costly: 0 };
  const { url } = await openSiteForTest((request, response) => {
    if (request.url === "/hostile") return;
    if (request.url === "/quiet") told.quiet += 1;
    if (request.url === "/costly") told.costly += 1;
    response.end();
  });
  return { told, url };
}

/** Lets the database compute something all the time. */
function startLoad({ store: { database } }: Cluster): void {
  let isOver = false;
  const ended = (async () => {
    while (!isOver) {
      await sql`select sum(n) from generate_series(1, 100000) as n`.execute(
        database,
      );
    }
  })();
  onTestFinished(async () => {
    isOver = true;
    await ended;
  });
}

/** Activates or deactivates the listeners of all projects but one. */
async function setActive(
  { ready, store: { database } }: Cluster,
  active: boolean,
  url: string,
): Promise<void> {
  await database
    .updateTable("webhook_listeners")
    .set({ active })
    .where("project_id", "!=", ready().projectId)
    .where("url", "=", url)
    .execute();
}

const readHolders = ({ store: { database } }: Cluster) =>
  database
    .selectFrom("followed_chains")
    .select(["follower", "holder"])
    .orderBy("follower")
    .execute();

/** The largest number of a hostile project's rows in a table. */
async function mostRows(
  { ready, store: { database } }: Cluster,
  table: string,
  where = sql`true`,
): Promise<number> {
  const { rows } = await sql<{ readonly count: number }>`
    select count(*)::int as count from ${sql.table(table)}
    where project_id <> ${ready().projectId} and ${where}
    group by project_id order by 1 desc limit 1`.execute(database);
  return rows[0]?.count ?? 0;
}

const isUnfinished = sql`status not in ('COMPLETED', 'FAILED')`;

/** No work and no rows exceed the limits, whatever hostile projects do. */
async function expectLimits(cluster: Cluster, count: number): Promise<string> {
  const { projectId } = cluster.ready();
  const most = {
    listeners: await mostRows(cluster, "webhook_listeners", sql`active`),
    sponsors: await mostRows(cluster, "gas_sponsors"),
    refreshes: await mostRows(cluster, "metadata_refreshes", isUnfinished),
    calls: await mostRows(cluster, "logged_calls"),
    webhooks: await mostWebhooks(cluster),
    answers: await mostRows(cluster, "idempotent_answers"),
    relays: await mostRows(cluster, "relays", sql`state = 'pending'`),
  };
  expect(most.listeners).toBe(limits.listeners);
  expect(most.sponsors).toBeLessThanOrEqual(limits.sponsors);
  expect(most.refreshes).toBeLessThanOrEqual(limits.refreshes);
  expect(most.refreshes).toBeGreaterThanOrEqual(rowsFor("refreshes", count));
  expect(most.relays).toBeLessThanOrEqual(limits.relays);
  expect(most.relays).toBeGreaterThanOrEqual(rowsFor("relays", count));
  // A busy instance may end an import at its deadline.
  const contacts = await mostContacts(cluster);
  expect(contacts).toBeGreaterThan(0);
  expect(contacts).toBeLessThanOrEqual(contactsOfFile);
  expect(most.webhooks).toBeLessThanOrEqual(limits.webhooks);
  expect(most.webhooks).toBeGreaterThanOrEqual(Math.floor(pending / count));
  const listed = await listEverything(cluster);
  expect(cluster.output()).not.toContain("too many rows");
  const unsent = await cluster.store.database
    .selectFrom("webhook_listeners")
    .select(["project_id as projectId", "skipped_logs as skipped"])
    .where((where) =>
      where.or([
        where("set_aside_reason", "is not", null),
        where("skipped_logs", ">", 0),
      ]),
    )
    .execute();
  expect(unsent.map((each) => each.projectId)).not.toContain(projectId);
  const skipping = unsent.filter(({ skipped }) => skipped > 0).length;
  const aside = unsent.length - skipping;
  expect(skipping).toBe(count);
  // This much fits into both budgets.
  const done = Math.min(count * 3 * budget.ofProject, budget.ofAll);
  const all = count * (limits.listeners - 4);
  expect(aside).toBeGreaterThan(Math.max(0, all - (2 * done) / attempt));
  return `${aside} of ${all} listeners set aside; at most ${JSON.stringify(most)} per project; ${listed}`;
}

/** The largest number of webhooks of a project that wait. */
async function mostWebhooks({ store: { database } }: Cluster): Promise<number> {
  const { rows } = await sql<{ readonly count: number }>`
    select count(*)::int as count from jobs
    where queue = 'webhooks' and dead_at is null
    group by lane order by 1 desc limit 1`.execute(database);
  return rows[0]?.count ?? 0;
}

/** The largest number of contacts in an audience. */
async function mostContacts({ store: { database } }: Cluster): Promise<number> {
  const { rows } = await sql<{ readonly count: number }>`
    select count(*)::int as count from audience_contacts
    group by audience_id order by 1 desc limit 1`.execute(database);
  return rows[0]?.count ?? 0;
}

/** Opens the lists of the newest hostile project. Returns the largest size. */
async function listEverything(cluster: Cluster): Promise<string> {
  const { id } = await cluster.store.database
    .selectFrom("projects")
    .select("id")
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirstOrThrow();
  const { usage, ...pages } = await openLists(cluster, id);
  for (const rows of Object.values(pages)) {
    expect(rows.length).toBeLessThanOrEqual(200);
  }
  const sizes = Object.values({ ...pages, usage }).map(
    (rows) => JSON.stringify(rows).length,
  );
  // The filters of all listeners together have a limit.
  const largest = Math.max(...sizes);
  expect(largest).toBeLessThan(2_000_000);
  return `console pages of at most ${largest} characters`;
}

/** Returns the first lines of the log with errors that are no refusals. */
function bugsIn(output: string): string {
  return output
    .split("\n")
    .filter((line) => /"msg":"failed"/u.test(line))
    .filter((line) => !line.includes("WebrpcRequestFailed"))
    .slice(0, 3)
    .join("\n");
}

const listTimes = (times: readonly number[]): string =>
  times.map((ms) => `${ms.toFixed(0)} ms`).join(" and ");

function describe(quiet: Delays, attacked: Delays): string {
  return (["blocks", "calls", "relays", "webhooks"] as const)
    .map(
      (name) =>
        `${name} ${quiet[name].toFixed(0)} → ${attacked[name].toFixed(0)} ms`,
    )
    .join(", ");
}

test(
  `keeps what another project notices while ${counts.join(", ")} projects use every limit`,
  { timeout: 3_600_000 },
  async () => {
    const cluster = await startCluster(2);
    const { fixtures, projectId } = cluster.ready();
    const receiver = await openReceiver();
    const muteUrl = `${receiver.url}/hostile`;
    const gold = {
      contractAddresses: [fixtures.gold],
      events: [TokenEvent.ERC20_TRANSFER],
    };
    const own = { id: projectId };
    const address = fixtures.guestbook;
    await cluster.client().relayer.addGasSponsor({ projectId, address });
    await addListeners(cluster, own, `${receiver.url}/quiet`, [gold]);
    const byTopic = { topicHashes: [costlyTopic] };
    await addListeners(cluster, own, `${receiver.url}/costly`, [byTopic]);
    const measure = createMeasure(cluster, receiver.told, rounds);
    startLoad(cluster);
    const all: Awaited<ReturnType<typeof createProjects>>[number][] = [];
    for (const count of counts) {
      // First, as many quiet projects.
      const added = await createProjects(cluster, count - all.length);
      all.push(...added);
      for (const project of added) {
        await addListeners(cluster, project, receiver.url, [gold]);
      }
      await setActive(cluster, false, muteUrl);
      await setActive(cluster, true, receiver.url);
      await measure.warmUp();
      const usual = await startCalls(cluster, all, null);
      const usualHealthOf = watchHealth(cluster);
      const quiet = await measure.run();
      const usualHealth = await usualHealthOf();
      await usual.stop();

      await setActive(cluster, false, receiver.url);
      await setActive(cluster, true, muteUrl);
      await fillLimits(cluster, added, muteUrl, pending);
      // At first, only with listeners.
      const listenersHealthOf = watchHealth(cluster);
      const listenersStepsOf = watchSteps(cluster);
      await measure.attack();
      await measure.warmUp();
      const listenersHealth = await listenersHealthOf();
      const listenersSteps = listenersStepsOf();
      const holders = await readHolders(cluster);
      const hostile = await startCalls(cluster, all, muteUrl);
      const operator = await startConsole(cluster, all);
      const before = cpuSeconds();
      const healthOf = watchHealth(cluster);
      const stepsOf = watchSteps(cluster);
      const attacked = await measure.run();
      const health = await healthOf();
      const steps = stepsOf();
      const { calls, errors } = await hostile.stop();
      const { failures, imports, lists } = await operator.stop();
      const used = shareOf(before, cpuSeconds());
      const after = await readHolders(cluster);
      expect(lists).toBeGreaterThan(0);
      const work = await expectLimits(cluster, count);
      console.log(
        `${count} projects: ${describe(quiet, attacked)}, longest /healthz ${usualHealth.toFixed(0)} → ${health.toFixed(0)} ms, with listeners alone ${listenersHealth.toFixed(0)} ms; longest step of each instance ${listTimes(steps)}, with listeners alone ${listTimes(listenersSteps)}; ${calls} hostile calls: ${JSON.stringify(errors)}; ${imports} imports, ${lists} times all lists, ${JSON.stringify(failures)}; ${work}; CPU time: ${used}`,
      );
      if ("WebrpcInternalError" in errors)
        console.log(bugsIn(cluster.output()));
      if (!isTimed) continue;
      expect(after).toEqual(holders);
      expect(attacked.blocks).toBeLessThan(maxBlockMs);
      expect(listenersHealth).toBeLessThan(100);
      expect(Math.max(...listenersSteps)).toBeLessThan(maxStepMs);
      // Calls that fill both cores delay it whoever makes them.
      expect(health).toBeLessThan(2 * usualHealth);
      if (count > 40) continue;
      for (const name of ["calls", "webhooks", "relays"] as const) {
        expect(attacked[name]).toBeLessThan(2 * quiet[name]);
      }
    }
  },
);
