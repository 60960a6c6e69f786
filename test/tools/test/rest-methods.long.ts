import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createNodeSystem } from "../../../cli/node/node-system.js";
import {
  exactOptions,
  loadGenerated,
} from "../../../cli/project/load-generated.js";
import { toNodeHandler } from "../../../runtime/typescript/hosts/node/node.js";
import { createSandbox } from "../../cli/support/sandbox.js";
import { fixtures, goldenCases } from "../../support/golden-cases.js";
import { listenForTest } from "../../support/listen-for-test.js";

const schema = `${fixtures}/rest-methods/schema.ridl`;
const cases = goldenCases();

/** Loads the server of a golden case with exact integers, as `ridl test` needs. */
async function loadServer(name: string) {
  const golden = cases.find((each) => each.name === name);
  if (golden === undefined) throw new Error("there is no such case");
  const loaded = await loadGenerated(
    golden.contract,
    [{ name: "server" }, { name: "validators" }],
    exactOptions({}),
    createNodeSystem(),
  );
  removals.push(loaded.remove);
  return Object(await loaded.load("server.js"));
}

const removals: (() => void)[] = [];

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
      joined: () => ({ orders: [order] }),
      revise: () => ({ order }),
      texts: () => ({ orders: [order] }),
      copy: () => ({ order, location: "/orders/1", count: 1, tags: ["open"] }),
      lock: () => ({ revision: "a" }),
      move: () => ({ ids: [1] }),
      merge: () => ({ status: 201, orders: [order] }),
      first: () => ({ code: 203, order }),
      queue: () => {},
      archive: () => {},
      json: () => ({ order }),
      count: () => ({ count: 1 }),
    },
  },
  verifyToken: (value: string) => value === "good",
};

let handle: ReturnType<typeof toNodeHandler>;

beforeAll(async () => {
  const { createOrdersServer } = await loadServer("rest-methods");
  handle = toNodeHandler(createOrdersServer(options));
});
afterAll(() => removals.forEach((remove) => remove()));

async function testServer(server: Server, path = schema) {
  const { url } = await listenForTest(server);
  const sandbox = createSandbox({
    "orders.ridl": readFileSync(path, "utf8"),
    "ridl.config.yaml": "schema: [orders.ridl]\n",
  });
  return sandbox.run([
    ...["test", url, "--writes", "--header", "Authorization: Bearer good"],
    ...["--seed", "1", "--runs", "4", "--max-time", "1000"],
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

/** Sends a request to another server. */
function passOn(
  url: URL,
  { headersDistinct, method = "" }: IncomingMessage,
  body: Uint8Array<ArrayBuffer>,
): Promise<Response> {
  const ofConnection = ["connection", "content-length", "host"];
  const headers = Object.entries(headersDistinct).flatMap(
    ([name, values = []]) =>
      ofConnection.includes(name)
        ? []
        : values.map((value): [string, string] => [name, value]),
  );
  const init = { method, headers, redirect: "manual" as const };
  return fetch(url, body.length > 0 ? { ...init, body } : init);
}

/** Returns a status for a request that a server refuses by mistake, or null. */
type Refusal = (body: string, type: string) => number | null;

const wrongRefusals: Readonly<Record<string, Refusal>> = {
  "an unknown field `no such field`": (body) =>
    body.includes("no such field") ? 500 : null,
  "an unknown field `__proto__`": (body) =>
    body.includes("__proto__") ? 500 : null,
  "content type application/json; charset=utf-8": (_, type) =>
    type === "application/json; charset=utf-8" ? 415 : null,
  "white space around the body": (body) => (body.startsWith("\r") ? 400 : null),
};

test.each(Object.entries(wrongRefusals))(
  "finds a server that refuses %s",
  async (what, refuse) => {
    const { url } = await listenForTest(createServer(handle));
    const { exitCode, stdout } = await testServer(
      createServer(async (request, response) => {
        const body = new Uint8Array(Buffer.concat(await request.toArray()));
        const { headers, url: path = "" } = request;
        const type = headers["content-type"] ?? "";
        const isRest = path.startsWith("/orders");
        const refused = isRest
          ? refuse(new TextDecoder().decode(body), type)
          : null;
        if (refused !== null) {
          response.writeHead(refused).end();
          return;
        }
        const answer = await passOn(new URL(path, url), request, body);
        response.writeHead(answer.status, Object.fromEntries(answer.headers));
        response.end(Buffer.from(await answer.arrayBuffer()));
      }),
    );
    expect(stdout).toContain(what);
    expect(exitCode).toBe(1);
  },
);

test("finds no fault in a server of forms", async () => {
  const { createShopServer } = await loadServer("forms");
  const forms = createShopServer({
    handlers: {
      shop: {
        order: () => ({ order: 1n }),
        save: (request: object) => request,
        search: () => ({ count: 1 }),
        attach: () => ({ count: 1 }),
        setLogo: () => ({}),
      },
    },
    verifyToken: (value: string) => value === "good",
  });
  const path = `${fixtures}/forms/schema.ridl`;
  const server = createServer(toNodeHandler(forms));
  const { exitCode, stdout } = await testServer(server, path);
  expect(stdout).not.toContain("received:");
  expect(stdout).not.toContain("never succeeded");
  expect(exitCode).toBe(0);
});

test("finds no fault in a server of files as bodies", async () => {
  const { createPicturesServer } = await loadServer("file-bodies");
  const file = (): File => new File(["x"], "x.txt", { type: "text/plain" });
  const pictures = createPicturesServer({
    handlers: {
      pictures: {
        add: () => ({ picture: { id: "1", bytes: 1n } }),
        put: () => ({}),
        scan: () => ({ text: "" }),
        get: () => ({ file: file() }),
        render: () => ({ image: file() }),
        convert: () => ({ result: file() }),
        merge: () => ({ file: file() }),
      },
    },
  });
  const path = `${fixtures}/file-bodies/schema.ridl`;
  const server = createServer(toNodeHandler(pictures));
  const { exitCode, stdout } = await testServer(server, path);
  expect(stdout).not.toContain("received:");
  expect(stdout).not.toContain("never succeeded");
  expect(exitCode).toBe(0);
});
