import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import {
  compile,
  generate,
  linkPackages,
  readBlocks,
  textOf,
} from "../../../test/readme/program.js";
import type { Sandbox } from "../../../test/cli/support/sandbox.js";
import { createDatabase } from "../support/test-database.js";

/** Returns the only unnamed program on a page that contains each of some texts. */
function snippetOf(page: string, ...texts: readonly string[]): string {
  const [found, ...others] = readBlocks(page)
    .filter(({ language, path }) => language === "ts" && path === "")
    .map(({ text }) => text)
    .filter((text) => texts.every((each) => text.includes(each)));
  expect(others).toEqual([]);
  return found ?? expect.unreachable(`${page} has no ${texts.join()}`);
}

async function compileProgram(
  page: string,
  contract: string,
  program: string,
): Promise<Sandbox> {
  const sandbox = await generate({ [contract]: textOf(page, contract) });
  linkPackages(join(sandbox.root, "node_modules"), ["pg", "@types/pg"]);
  compile(sandbox, { "main.ts": program });
  return sandbox;
}

/** Starts a program, which prints a line for each thing that has happened. */
function start({ root }: Sandbox, url: string) {
  const env = { ...process.env, PGAPPNAME: "documented", DATABASE: url };
  const program = spawn(process.execPath, ["dist/main.js"], {
    cwd: root,
    env,
    stdio: ["pipe", "pipe", "inherit"],
  });
  onTestFinished(() => void program.kill("SIGKILL"));
  const lines = createInterface(program.stdout)[Symbol.asyncIterator]();
  return {
    next: async () => String((await lines.next()).value),
    say: () => program.stdin.write("\n"),
    ended: once(program, "close").then(([code]) => code as unknown),
  };
}

async function openDatabase(): Promise<readonly [string, pg.Client]> {
  const url = await createDatabase();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  return [url, client];
}

/** Waits until connections of the program are in a state, and ends them. */
async function endConnections(client: pg.Client, where: string): Promise<void> {
  const found = `FROM pg_stat_activity WHERE application_name = 'documented' AND ${where}`;
  const count = `SELECT count(*)::int4 AS count ${found}`;
  await expect
    .poll(async () => (await client.query(count)).rows[0].count)
    .toBeGreaterThan(0);
  await client.query(`SELECT pg_terminate_backend(pid) ${found}`);
}

const idempotencyPage = "docs/idempotency.md";

test.each([
  ["at once", snippetOf(idempotencyPage, "pgConnection(pool));")],
  ["when they join", snippetOf(idempotencyPage, "beginsOnJoin: true")],
])(
  "documented transactions that begin %s survive the end of their connection",
  async (_, answers) => {
    const handler = snippetOf(idempotencyPage, "answers.join").replace(
      "transfers …",
      "transfers (recipient, cents) VALUES ($1, $2)",
    );
    const sandbox = await compileProgram(
      idempotencyPage,
      "bank.ridl",
      `import { once } from "node:events";
import pg from "pg";
import { inProcess } from "@ridlkit/runtime/in-process";
import { answersTable, idempotency, pgConnection, postgresAnswers } from "@ridlkit/runtime/idempotency";
import { createBankClient } from "./generated/index.js";
import { createBankServer } from "./generated/server.js";

const pool = new pg.Pool({ connectionString: String(process.env["DATABASE"]) });
await pool.query(answersTable);
await pool.query("CREATE TABLE transfers (id serial, recipient text, cents int)");
${answers}
const server = createBankServer({
  handlers: { bank: {
${handler}
  } },
  idempotency: idempotency(answers),
  onError: () => undefined,
});
const bank = createBankClient({ baseUrl: "", fetch: inProcess(server) });
const call = async () => {
  const options = { idempotencyKey: "one" };
  const outcome = await bank.transfer.result({ to: "a", cents: 1 }, options);
  console.log(outcome.ok ? outcome.value.id : outcome.error.status);
};
console.log("ready");
await once(process.stdin, "data");
await call();
await once(process.stdin, "data");
await call();
await call();
process.stdin.destroy();
await pool.end();
`,
    );
    const [url, client] = await openDatabase();
    const { ended, next, say } = start(sandbox, url);
    expect(await next()).toBe("ready");
    await client.query("BEGIN");
    await client.query("LOCK TABLE transfers");
    say();
    await endConnections(client, "wait_event_type = 'Lock'");
    expect(await next()).toBe("500");
    await client.query("COMMIT");
    say();
    expect([await next(), await next()]).toEqual(["1", "1"]);
    expect(await ended).toBe(0);
    const { rows } = await client.query("SELECT recipient FROM transfers");
    expect(rows).toEqual([{ recipient: "a" }]);
  },
);

test("a documented log survives the end of its connections", async () => {
  const page = "docs/streams.md";
  const sandbox = await compileProgram(
    page,
    "scores.ridl",
    `import { once } from "node:events";
import pg from "pg";
import { itemsTables, pgItems, streamLog } from "@ridlkit/runtime/stream-log";
import { GoalsGoneError } from "./generated/errors.js";

const { Client, Pool } = pg;
const config = { connectionString: String(process.env["DATABASE"]) };
const pool = new Pool(config);
await pool.query(itemsTables);
const onError = () => undefined;
${snippetOf(page, "pgItems(pool")}
const log = streamLog({
  store,
  place: (number, team: string) => ({ number, team }),
  gone: () => new GoalsGoneError(),
});
const read = async () => {
  for await (const { team } of log.subscribe("derby", { after: 0 })) {
    console.log(team);
    if (team === "b") return;
  }
};
const reading = read();
await log.publish("derby", "a");
await once(process.stdin, "data");
// The pool may not know yet that a connection has ended.
while (!(await log.publish("derby", "b").then(() => true, () => false)));
await reading;
await store.close();
await pool.end();
process.stdin.destroy();
`,
  );
  const [url, client] = await openDatabase();
  const { ended, next, say } = start(sandbox, url);
  expect(await next()).toBe("a");
  await endConnections(client, "pid <> pg_backend_pid()");
  say();
  expect(await next()).toBe("b");
  expect(await ended).toBe(0);
});
