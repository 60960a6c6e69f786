import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Instances, repeatedCalls, upgradedCalls } from "../repeated-calls.js";
import { runCommand } from "../run-command.js";
import { idempotencyContract, serveIdempotency } from "../serve-idempotency.js";
import {
  type AnswersDatabase,
  startAnswersDatabase,
} from "../start-database.js";
import { writeSet } from "../write-set.js";

const here = import.meta.dirname;
const work = mkdtempSync(join(tmpdir(), "ridlkit-go-keys-"));
const module = join(work, "go");
const stops: (() => unknown)[] = [];
let database: AnswersDatabase;
let goUrl = "";

beforeAll(async () => {
  database = await startAnswersDatabase();
  stops.push(database.stop);
  // The driver of these tests encrypts by default.
  goUrl = `${database.url}?sslmode=disable`;
  writeSet("go", idempotencyContract, work, "example.com/orders");
  appendFileSync(
    join(module, "go.mod"),
    "\nrequire github.com/lib/pq v1.10.9\n",
  );
  writeFileSync(
    join(module, "go.sum"),
    "github.com/lib/pq v1.10.9 h1:YXG7RB+JIjhP29X+OtkiDnYaXQwpS4JEWq7dtCCRUEw=\n" +
      "github.com/lib/pq v1.10.9/go.mod h1:AlVN5x4E4T544tWzH6hKfbfQvm3HdbOxrmggDNAPY9o=\n",
  );
  const program = join(module, "cmd", "server");
  mkdirSync(program, { recursive: true });
  cpSync(join(here, "idempotency_server.go"), join(program, "main.go"));
  for (const file of ["idempotency_test.go", "pools_test.go"])
    cpSync(join(here, file), join(module, file));
  expect(await runCommand("gofmt", ["-l", "."], module)).toBe("");
  expect(await runCommand("go", ["vet", "./..."], module)).toBe("");
  const args = ["build", "-race", "-o", "server.exe", "./cmd/server"];
  await runCommand("go", args, module);
});
afterAll(async () => {
  for (const stop of stops.reverse()) await stop();
  rmSync(work, { recursive: true, force: true });
});

/** Starts a server in Go, and returns its URL. */
async function startGo(url = ""): Promise<string> {
  const server = spawn(join(module, "server.exe"), {
    env: { ...process.env, DATABASE: url },
    stdio: ["ignore", "pipe", "inherit"],
  });
  stops.push(async () => {
    const ended = once(server, "close");
    server.kill();
    await ended;
  });
  const [port] = (await once(server.stdout, "data")) as [Buffer];
  return `http://127.0.0.1:${port.toString().trim()}`;
}

async function startTypeScript(): Promise<string> {
  const { close, url } = await serveIdempotency(database.answers);
  stops.push(close);
  return url;
}

describe.each([
  ["a server in Go with memory", async () => [await startGo()]],
  [
    "two servers in Go with PostgreSQL",
    () => Promise.all([startGo(goUrl), startGo(goUrl)]),
  ],
  [
    "servers in Go and TypeScript with PostgreSQL",
    () => Promise.all([startGo(goUrl), startTypeScript()]),
  ],
  [
    "servers in TypeScript and Go with PostgreSQL",
    () => Promise.all([startTypeScript(), startGo(goUrl)]),
  ],
])("%s", (_, start) => {
  let instances: Instances;
  beforeAll(async () => {
    await database.forget();
    instances = new Instances(...(await start()));
  });

  it.each(Object.entries(repeatedCalls))("%s", async (__, check) => {
    await check(instances);
    expect(instances.count).toBeGreaterThan(1);
  });
});

describe.each([
  ["Go", () => Promise.all([startGo(goUrl), startGo(goUrl)])],
  ["Go and TypeScript", () => Promise.all([startGo(goUrl), startTypeScript()])],
])("instances in %s that replace earlier ones repeat", (_, start) => {
  let instances: Instances;
  beforeAll(async () => {
    await database.forget();
    await database.addFormer();
    instances = new Instances(...(await start()));
  });

  it.each(Object.entries(upgradedCalls))("%s", (__, check) => check(instances));
});

it("keeps answers in Go", async () => {
  const env = { DATABASE: goUrl };
  const args = ["test", "-race", "-timeout", "2m", "."];
  expect(await runCommand("go", args, module, env)).toMatch(/^ok /u);
});
