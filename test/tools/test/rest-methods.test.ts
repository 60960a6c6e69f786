import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createNodeSystem } from "../../../generator/cli/node/node-system.js";
import {
  exactOptions,
  loadGenerated,
} from "../../../generator/cli/project/load-generated.js";
import { toNodeHandler } from "../../../runtime/hosts/node/node.js";
import { createSandbox } from "../../cli/support/sandbox.js";
import { fixtures, goldenCases } from "../../support/golden-cases.js";
import { listenForTest } from "../../support/listen-for-test.js";

const schema = `${fixtures}/rest-methods/schema.ridl`;
const golden = goldenCases().find(({ name }) => name === "rest-methods");

const order = { id: 1n, state: "open" };

const options = {
  handlers: {
    orders: {
      put: () => ({ order }),
      patch: () => ({ order }),
      create: () => {},
      delete: () => {},
      reset: () => {},
      list: () => ({ orders: [order] }),
      count: () => ({ count: 1 }),
    },
  },
  verifyToken: (value: string) => value === "good",
};

let handle: ReturnType<typeof toNodeHandler>;
let remove = (): void => {};

beforeAll(async () => {
  if (golden === undefined) throw new Error("there is no such case");
  // As `ridl test` needs it: all integers are exact.
  const loaded = await loadGenerated(
    golden.contract,
    [{ name: "server" }, { name: "validators" }],
    exactOptions({}),
    createNodeSystem(),
  );
  remove = loaded.remove;
  const { createOrdersServer } = Object(await loaded.load("server.js"));
  handle = toNodeHandler(createOrdersServer(options));
});
afterAll(() => remove());

async function testServer(server: Server) {
  const { url } = await listenForTest(server);
  const sandbox = createSandbox({
    "orders.ridl": readFileSync(schema, "utf8"),
    "ridl.config.yaml": "schema: [orders.ridl]\n",
  });
  return sandbox.run([
    ...["test", url, "--writes", "--header", "Authorization: Bearer good"],
    ...["--seed", "1", "--runs", "10", "--max-time", "1000"],
  ]);
}

test("finds no fault in a server of REST methods, and checks its responses", async () => {
  const { exitCode, stdout } = await testServer(createServer(handle));
  expect(stdout).not.toContain("received:");
  expect(stdout).not.toContain("never succeeded");
  expect(exitCode).toBe(0);
});

test("finds other statuses, and bodies where there is none", async () => {
  const { exitCode, stdout } = await testServer(
    createServer((request, response) => {
      if (request.method !== "DELETE") return handle(request, response);
      response.writeHead(200, { "content-type": "application/json" });
      response.end("{}");
    }),
  );
  expect(stdout).toContain("expected: 204 without a body");
  expect(stdout).toContain("received: 200 {}");
  expect(exitCode).toBe(1);
});
