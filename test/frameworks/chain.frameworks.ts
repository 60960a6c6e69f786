import { describe, expect, test } from "vitest";
import { createRequest } from "../../apps/explorer/calls/request.js";
import { createModel } from "../../apps/explorer/calls/model.js";
import { parseJson } from "../../apps/explorer/calls/json-text.js";
import { sendCall } from "../../apps/explorer/calls/send.js";
import { startMock } from "../cli/support/start-mock.js";
import { connectionOf, dataIn } from "../explorer/sample-models.js";
import { listenForTest } from "../support/listen-for-test.js";
import {
  type Call,
  callers,
  callWithCommand,
  type Outcome,
} from "./callers.js";
import { importApp, type Imported } from "./import-app.js";
import { bugs, createBuggyServer } from "./plant-bug.js";
import { type App, apps } from "./start-app.js";

/** The most failures that a report may have for an app without bugs. */
const maxFalseAlarms = 3;

const book = { title: "Dune", price: 9 };

/** Calls that succeed, one of each operation. */
function callsOf({ methods: [list, get, add, remove] }: App): readonly Call[] {
  return [
    { method: add, request: book },
    { method: get, request: { id: 2 } },
    { method: list, request: { limit: 2 } },
    { method: remove, request: { id: 2 }, token: "good" },
  ];
}

/** Calls that fail with each declared error. */
function failuresOf({ methods: [, get, , remove] }: App): readonly Call[] {
  return [
    { method: get, request: { id: 9 } },
    { method: remove, request: { id: 1 }, token: "bad" },
  ];
}

/** Returns the body of a response, which is its only member or all of them. */
function bodyOf(outcome: Outcome): unknown {
  if ("error" in outcome) return outcome;
  const members: readonly unknown[] = Object.values(Object(outcome.value));
  return members.length === 1 ? members[0] : outcome.value;
}

async function testServer({ sandbox }: Imported, url: string): Promise<string> {
  const flags = ["--seed", "1", "--writes", "--max-time", "1000"];
  const ids = ["--value", "id=1", "--value", "id=9"];
  const header = ["--header", "Authorization: Bearer good"];
  return (await sandbox.run(["test", url, ...flags, ...ids, ...header])).stdout;
}

describe.each(apps)("$framework", (app) => {
  test.each(callers)("works with $name", async ({ makeCalls }) => {
    const imported = await importApp(app);
    const calls = [...callsOf(app), ...failuresOf(app)];
    const outcomes = await makeCalls(imported, calls);
    expect(outcomes.map(bodyOf)).toMatchObject([
      book,
      book,
      [{}, book],
      {},
      { error: { name: "NotFound", message: "no such book", status: 404 } },
      { error: { name: "Unauthorized", message: "who are you?", status: 401 } },
    ]);
  });

  test("can be mocked", async () => {
    const { sandbox } = await importApp(app);
    const { url } = await startMock([], {
      "shop.ridl": sandbox.read("shop.ridl"),
    });
    for (const call of callsOf(app)) {
      const outcome = await callWithCommand({ sandbox, url }, call);
      expect(outcome).toMatchObject({ value: {} });
    }
  });

  test("can be called in the explorer", async () => {
    const { sandbox, url } = await importApp(app);
    const config = "schema: [shop.ridl]\nemit: [docs]\n";
    sandbox.write({ "ridl.config.yaml": config });
    expect(await sandbox.run(["generate"])).toMatchObject({ exitCode: 0 });
    const model = createModel(
      dataIn(sandbox.read("generated/explorer/index.html")),
    );
    const answers: string[] = [];
    for (const call of [...callsOf(app), ...failuresOf(app)]) {
      const { method, request, token = "" } = call;
      const entry = model.entries.find((each) => each.method.name === method);
      const message = parseJson(JSON.stringify(request));
      if (entry === undefined || !message.isValid) return expect.unreachable();
      const keys = { Authorization: token };
      const connection = connectionOf({ [entry.host.name]: url }, {}, keys);
      const outcome = await sendCall(
        createRequest(model, entry, message.node, [], connection),
        { signal: new AbortController().signal, origin: url, onLine: null },
      );
      if (outcome.kind !== "answer") return expect.unreachable();
      answers.push(`${outcome.response.status} ${await outcome.body.text()}`);
    }
    expect(answers).toEqual([
      expect.stringMatching(/^201 .*"Dune"/u),
      expect.stringMatching(/^200 .*"Dune"/u),
      expect.stringMatching(/^200 \[.*"Dune"/u),
      expect.stringMatching(/^204 /u),
      expect.stringMatching(/^404 .*"no such book"/u),
      expect.stringMatching(/^401 .*"who are you\?"/u),
    ]);
  });

  test(`causes at most ${maxFalseAlarms} false alarms`, async () => {
    const imported = await importApp(app);
    const report = await testServer(imported, imported.url);
    const [, count = "none"] = /(\d+) failures?, seed 1$/mu.exec(report) ?? [];
    expect(Number(count), report).toBeLessThanOrEqual(maxFalseAlarms);
    expect(report).not.toContain("not tried");
  });

  test.each(bugs)("is caught if it $what", async (bug) => {
    const imported = await importApp(app);
    const server = createBuggyServer(imported.url, bug);
    const { url } = await listenForTest(server);
    expect(await testServer(imported, url)).toMatch(bug.found);
  });
});
