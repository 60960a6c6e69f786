import { createServer, type Server } from "node:http";
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

const contract = `webrpc = v1
name = shop
version = v1.0.0

struct Failure
  - error: Problem

struct Problem
  - code: string
    + error = name
  - message: string
    + error = message
  - at?: uint32

type Failures: Failure
  + errorBody = "application/problem+json"

error 4 NotFound "not found" HTTP 404

service Shop
  @http:"PUT /books/{id}"
  - Put(id: uint32, title: string) => (pages: uint32) errors NotFound
`;

let handle: ReturnType<typeof toNodeHandler>;
const removals: (() => void)[] = [];

/** Loads the modules of a contract. */
async function loadModules(text: string) {
  const { value } = compileContract(["shop.ridl"], { read: () => text });
  const loaded = await loadGenerated(
    value ?? expect.unreachable(),
    [{ name: "server" }, { name: "validators" }],
    exactOptions({}),
    createNodeSystem(),
  );
  removals.push(loaded.remove);
  const { createShopServer } = Object(await loaded.load("server.js"));
  const errors = Object(await loaded.load("errors.js"));
  return { createShopServer, errors };
}

beforeAll(async () => {
  const { createShopServer, errors } = await loadModules(contract);
  const { NotFoundError } = errors;
  const put = ({ id }: { id: number }): object => {
    if (id % 2 === 0) throw new NotFoundError({ data: { error: { at: 7 } } });
    return { pages: 1 };
  };
  handle = toNodeHandler(createShopServer({ handlers: { shop: { put } } }));
});
afterAll(() => removals.forEach((remove) => remove()));

async function testServer(server: Server, text = contract) {
  const { url } = await listenForTest(server);
  const sandbox = createSandbox({
    "shop.ridl": text,
    "ridl.config.yaml": "schema: [shop.ridl]\n",
  });
  return sandbox.run([
    ...["test", url, "--writes", "--seed", "1", "--runs", "4"],
    ...["--max-time", "1000"],
  ]);
}

test("accepts a server whose errors have the body of the contract", async () => {
  const { exitCode, stderr, stdout } = await testServer(createServer(handle));
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  expect(stdout).toContain("0 failures");
});

test.each([
  [
    "envelopes",
    { error: "NotFound", code: 4, msg: "a", status: 404 },
    'where data: error: expected an object, got "NotFound"',
  ],
  [
    "other types",
    { error: { code: "NotFound", message: 7 } },
    "where data: error.message: expected a string, got 7",
  ],
  ["text", "failed", "not the body of an error"],
])("finds a server that sends %s", async (_, body, text) => {
  const server = createServer((_, response) => {
    response.writeHead(404, { "content-type": "application/json" });
    response.end(JSON.stringify(body));
  });
  const { exitCode, stdout } = await testServer(server);
  expect(stdout).toContain(text);
  expect(exitCode).toBe(1);
});

/** A body that has no name, and errors that only have a status. */
const unnamed = `webrpc = v1
name = shop
version = v1.0.0

struct Failure
  - detail: string
    + error = message

type Failures: Failure
  + errorBody = "application/problem+json"

error 3 SoldOut "sold out" HTTP 409
error 4 Locked "locked" HTTP 409
error 5 Broken "broken" HTTP 500

service Shop
  @http:"PUT /books/{id}"
  - Put(id: uint32, title: string) => (pages: uint32) errors SoldOut | Locked | Broken
`;

test("accepts a server whose errors have no name", async () => {
  const { createShopServer, errors } = await loadModules(unnamed);
  const { BrokenError, LockedError, SoldOutError } = errors;
  const put = ({ title }: { title: string }): object => {
    if (title.length === 1) throw new SoldOutError();
    if (title.length === 2) throw new LockedError();
    if (title.length === 3) throw new BrokenError();
    return { pages: 1 };
  };
  const listen = toNodeHandler(
    createShopServer({ handlers: { shop: { put } }, onError: () => {} }),
  );
  let requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    if (requests % 20 > 0) return void listen(request, response);
    // The server is busy for some requests.
    response.writeHead(503, { "content-type": "application/problem+json" });
    response.end('{"detail":"request failed"}');
  });
  const { exitCode, stderr, stdout } = await testServer(server, unnamed);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  expect(stdout).toContain("0 failures");
});

test("finds an undeclared error without a name", async () => {
  const server = createServer((_, response) => {
    response.writeHead(418, { "content-type": "application/problem+json" });
    response.end('{"detail":"a"}');
  });
  const { exitCode, stdout } = await testServer(server, unnamed);
  expect(stdout).toContain("which is no error of the method");
  expect(exitCode).toBe(1);
});

test("recognizes an error of any status by data in headers", async () => {
  const text = `webrpc = v1
name = shop
version = v1.0.0

struct Failure
  - detail: string
    + error = message

struct Refusal
  - detail: string
    + error = message
  - reason: string
    + header = X-Reason

type Failures: Failure
  + errorBody = application/json

type RefusedData: Refusal
  + dataOf = Refused
  + anyStatus = true

error 5 Refused "refused" HTTP 500

service Shop
  @http:"PUT /books/{id}"
  - Put(id: uint32, title: string) => (pages: uint32) errors Refused
`;
  const { createShopServer, errors } = await loadModules(text);
  const { RefusedError } = errors;
  const put = ({ id }: { id: number }): object => {
    if (id % 2 === 0) return { pages: 1 };
    throw new RefusedError({
      status: 402,
      data: { detail: "no", reason: "no credit" },
    });
  };
  const server = createServer(
    toNodeHandler(createShopServer({ handlers: { shop: { put } } })),
  );
  const { exitCode, stdout } = await testServer(server, text);
  expect({ exitCode, stdout }).toMatchObject({ exitCode: 0 });
});
