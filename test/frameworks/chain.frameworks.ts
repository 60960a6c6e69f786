import { describe, expect, onTestFinished, test } from "vitest";
import { createSandbox, type Sandbox } from "../cli/support/sandbox.js";
import { listenForTest } from "../support/listen-for-test.js";
import { bugs, createBuggyServer } from "./plant-bug.js";
import { type App, apps, startApp } from "./start-app.js";

/** The most failures that a report may have for an app without bugs. */
const maxFalseAlarms = 3;

interface Imported {
  readonly url: string;
  readonly sandbox: Sandbox;
}

/** Starts an app, and imports its document. */
async function importApp(app: App): Promise<Imported> {
  const { document, stop, url } = await startApp(app);
  onTestFinished(stop);
  const sandbox = createSandbox({ "shop.json": document });
  const imported = await sandbox.run(["import", "openapi", "shop.json"]);
  expect(imported).toMatchObject({ exitCode: 0 });
  return { url, sandbox };
}

/** Calls a method with the generated client, and returns what it prints. */
async function call({ sandbox, url }: Imported, ...args: readonly string[]) {
  const common = ["--url", url, "--check", "--format", "json"];
  const { exitCode, stderr, stdout } = await sandbox.run([
    ...["call", ...args, ...common],
  ]);
  const value: unknown = stdout === "" ? null : JSON.parse(stdout);
  return { exitCode, stderr, value };
}

async function testServer(
  { sandbox }: Imported,
  url: string,
  { header }: App,
): Promise<string> {
  const flags = ["--seed", "1", "--writes", "--max-time", "1000"];
  const ids = ["--value", "id=1", "--value", "id=9"];
  return (
    await sandbox.run(["test", url, ...flags, ...ids, "--header", header])
  ).stdout;
}

describe.each(apps)("$framework", (app) => {
  test("has callable operations", async () => {
    const imported = await importApp(app);
    const [list, get, add, remove] = app.methods;
    const book = { title: "Dune", price: 9 };
    const caller = ["--header", app.header];
    const answers = [
      await call(imported, add, "title=Dune", "price:=9"),
      await call(imported, get, "id:=2"),
      await call(imported, list, "limit:=2"),
      await call(imported, remove, "id:=2", ...caller),
    ];
    expect(answers).toMatchObject([
      { exitCode: 0, stderr: "", value: book },
      { exitCode: 0, stderr: "", value: { book } },
      { exitCode: 0, stderr: "", value: { books: [{}, book] } },
      { exitCode: 0, stderr: "", value: {} },
    ]);
  });

  test("has errors with their names and texts", async () => {
    const imported = await importApp(app);
    const [, get, , remove] = app.methods;
    const missing = await call(imported, get, "id:=9");
    expect(missing.value).toMatchObject({
      error: "NotFound",
      msg: "no such book",
      status: 404,
    });
    const wrong = ["--header", "Authorization: Bearer bad"];
    const refused = await call(imported, remove, "id:=1", ...wrong);
    expect(refused.value).toMatchObject({
      error: "Unauthorized",
      msg: "who are you?",
      status: 401,
    });
  });

  test(`causes at most ${maxFalseAlarms} false alarms`, async () => {
    const imported = await importApp(app);
    const report = await testServer(imported, imported.url, app);
    const [, count = "none"] = /(\d+) failures?, seed 1$/mu.exec(report) ?? [];
    expect(Number(count), report).toBeLessThanOrEqual(maxFalseAlarms);
    expect(report).not.toContain("not tried");
  });

  test.each(bugs)("is caught if it $what", async (bug) => {
    const imported = await importApp(app);
    const server = createBuggyServer(imported.url, bug);
    const { url } = await listenForTest(server);
    expect(await testServer(imported, url, app)).toMatch(bug.found);
  });
});
