import { createServer } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createNodeSystem } from "../../../cli/node/node-system.js";
import {
  exactOptions,
  loadGenerated,
} from "../../../cli/project/load-generated.js";
import { compileContract } from "../../../generator/compile.js";
import { toNodeHandler } from "../../../runtime/typescript/hosts/node/node.js";
import { createSandbox } from "../../cli/support/sandbox.js";
import { listenForTest } from "../../support/listen-for-test.js";
import { desk } from "../../support/desk-contract.js";
import { drawSome } from "../../support/draw-some.js";

let handle: ReturnType<typeof toNodeHandler>;
let remove = (): void => {};

/** Returns what a handler does with the requests whose text has a length. */
function choose<T>(text: string, outcomes: readonly (() => T)[]): T {
  const outcome = outcomes[text.length % outcomes.length];
  return (outcome ?? expect.unreachable())();
}

beforeAll(async () => {
  const { value } = compileContract(["desk.ridl"], { read: () => desk });
  const loaded = await loadGenerated(
    value ?? expect.unreachable(),
    [{ name: "server" }, { name: "validators" }],
    exactOptions({}),
    createNodeSystem(),
  );
  remove = loaded.remove;
  const { createDeskServer } = Object(await loaded.load("server.js"));
  const errors = Object(await loaded.load("errors.js"));
  const fail = (name: string, options?: object) => (): never => {
    throw new errors[`${name}Error`](options);
  };
  const report = { id: "7" };
  const busy = { left: 1, resetAt: 9, scopes: ["a", "b"] };
  handle = toNodeHandler(
    createDeskServer({
      handlers: {
        desk: {
          create: ({ name }: { name: string }) =>
            choose<object>(name, [
              () => ({ report }),
              () => ({ ticket: { position: 1 } }),
              () => ({}),
              fail("Busy", { data: busy }),
              fail("Locked", { data: { left: 0 } }),
              fail("Refused", { status: 402, data: { code: "x" } }),
              fail("Refused", { data: { code: "x" } }),
            ]),
          put: ({ name }: { name: string }) =>
            choose<object>(name, [
              () => ({ status: 200, report }),
              () => ({ status: 201, report }),
              fail("NotFound", { data: { detail: "gone" } }),
            ]),
          refresh: ({ id }: { id: string }) =>
            choose<object>(id, [
              () => ({}),
              fail("Moved", { data: { location: "/new" } }),
            ]),
          touch: () => ({}),
          remove: () => ({}),
          draft: () => ({ report, location: "/7", tags: ["a"], count: 2 }),
        },
      },
      verifyKey: (key: string) => key === "good",
      onError: () => {},
    }),
  );
});
afterAll(() => remove());

async function testServer(
  answer: Parameters<typeof createServer>[1],
  ...flags: readonly string[]
) {
  const { url } = await listenForTest(createServer(answer));
  const sandbox = createSandbox({
    "desk.ridl": desk,
    "ridl.config.yaml": "schema: [desk.ridl]\n",
  });
  return sandbox.run([
    ...["test", url, "--writes", "--seed", "1", "--max-time", "1000"],
    ...["--header", "X-Key: good", ...flags],
  ]);
}

test("finds no fault in a server that sends every status and error", async () => {
  const { exitCode, stdout } = await testServer(
    (...exchange) => void handle(...exchange),
    ...["--runs", "25"],
  );
  expect(stdout).not.toContain("received:");
  expect(stdout).not.toContain("note:");
  expect(exitCode).toBe(0);
});

const json = { "content-type": "application/json" };

/** What is wrong, the method, the response, and a part of the report. */
const faults: readonly (readonly [
  string,
  string,
  readonly [status: number, headers: object, body?: string],
  string,
])[] = [
  [
    "a status that the contract does not declare",
    "Create",
    [206, json, '{"id":"7"}'],
    '206 {"id":"7"}, which is not a status of the method',
  ],
  [
    "the body of another status",
    "Create",
    [202, json, '{"id":"7"}'],
    "where ticket.position: expected",
  ],
  [
    "null in place of a body",
    "Create",
    [202, json, "null"],
    "202 null, where the body is null",
  ],
  [
    "no body with a status that has one",
    "Put",
    [201, json],
    "201 without a body",
  ],
  [
    "a body with a status that has none",
    "Refresh",
    [201, json, "{}"],
    "received: 201 {}",
  ],
  [
    "a body where there is none",
    "Touch",
    [200, json, "{}"],
    "received: 200 {}",
  ],
  ["a body in place of 204", "Remove", [200, json, "{}"], "received: 200 {}"],
  [
    "a missing header",
    "Draft",
    [201, { ...json, "x-count": "2" }, '{"id":"7"}'],
    "where location: expected a string, got nothing",
  ],
  [
    "a header of another type",
    "Draft",
    [201, { ...json, location: "/7", "x-count": "two" }, '{"id":"7"}'],
    "where count: expected",
  ],
  [
    "a redirect without its address",
    "Refresh",
    [301, json, "{}"],
    "where data: location: expected a string, got nothing",
  ],
  [
    "the body of another error",
    "Create",
    [429, json, '{"code":"Busy","reason":"busy"}'],
    "where data: left: expected",
  ],
  [
    "an error of any status that lacks its header",
    "Create",
    [402, json, "{}"],
    "402 with the body {}, which is no error of the method",
  ],
  [
    "an error that the contract does not declare",
    "Put",
    [418, json, '{"code":"Teapot","reason":"short"}'],
    '418 with the body {"code":"Teapot","reason":"short"}, which is no error of the method',
  ],
  [
    "an error of no shape in the contract",
    "Put",
    [404, json, '{"problem":{"title":"gone"}}'],
    "where data: code: expected",
  ],
  [
    "an error without a body",
    "Put",
    [404, {}],
    "which is not the body of an error",
  ],
];

const places: Readonly<Record<string, RegExp>> = {
  Create: /^POST \/reports$/u,
  Put: /^PUT /u,
  Refresh: /^POST .*\/refresh$/u,
  Touch: /^POST .*\/touch$/u,
  Remove: /^DELETE /u,
  Draft: /^POST \/drafts$/u,
};

test.each(drawSome(faults, 5))("finds %s", async (_, method, answer, text) => {
  const { exitCode, stdout } = await testServer(
    (request, response) => {
      const called = `${request.method} ${request.url}`;
      const isRefused = request.headers["x-key"] !== "good";
      const [status, headers, body] = answer;
      if (isRefused || !places[method]?.test(called)) {
        return void handle(request, response);
      }
      request.resume();
      response.writeHead(status, { ...headers }).end(body);
    },
    ...["--method", `Desk.${method}`, "--runs", "3"],
  );
  expect(stdout).toContain(text);
  expect(exitCode).toBe(1);
});

test("names the statuses that a server never sends", async () => {
  const { exitCode, stdout } = await testServer(
    (request, response) => {
      if (request.method !== "PUT") return void handle(request, response);
      request.resume();
      response.writeHead(200, json).end('{"id":"7"}');
    },
    ...["--method", "Desk.Put,Desk.Refresh", "--runs", "5"],
  );
  expect(stdout).toContain(
    "note: never answered with these statuses, so their responses were not checked: Desk.Put (201);",
  );
  expect(exitCode).toBe(1);
});
