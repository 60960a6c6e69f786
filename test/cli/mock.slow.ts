import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { createSandbox } from "./support/sandbox.js";
import { other, schema, startMock } from "./support/start-mock.js";

const withKey = { "x-key": "any" };

test("ridl mock serves all hosts and the explorer, keeps no temporary folder, and stops serving when it is interrupted", async () => {
  const order = `{"order":{"id":9007199254740991,"total":"12","label":"AAE="}}`;
  const args = ["--overrides", "answers"];
  const { call, folders, output, stop, url } = await startMock(args, {
    "answers/Shop/GetOrder.json": `[
      { "request": { "id": 404 }, "error": "OrderNotFound" },
      { "request": { "id": 7 }, "response": ${order} }
    ]`,
    "answers/Shop/Watch.json": order,
    "answers/notes.txt": "not an answer",
    "depot.ridl": other.replace("CountItems()", "CountItems(kinds: []string)"),
    "ridl.config.yaml": "schema: [shop.ridl]\nnullAsEmpty: true\n",
  });
  expect(output()).toContain(`explorer  ${url}/\n`);
  expect(output()).toContain(`shop      ${url}/rpc/\n`);
  expect(output()).toContain(`depot     ${url}/{place}/rpc/\n`);

  const page = await (await fetch(url)).text();
  expect(page).toContain("GetOrder");
  expect((await fetch(`${url}/explorer.js`)).status).toBe(200);
  expect(await (await fetch(`${url}/openapi.yaml`)).text()).toMatch(
    /^openapi: /mu,
  );

  const refused = await call("rpc/Shop/GetOrder", { id: 1 });
  expect(await refused.json()).toMatchObject({ error: "Unauthorized" });
  const invalid = await call("rpc/Shop/GetOrder", { id: "x" }, withKey);
  expect(invalid.status).toBe(400);
  const answer = await call("rpc/Shop/GetOrder", { id: 1 }, withKey);
  expect(await answer.json()).toMatchObject({
    order: { id: expect.any(Number), total: expect.any(String) },
  });
  expect(answer.headers.get("access-control-allow-origin")).toBe("*");
  const empty = { kinds: null };
  const count = await call("vienna/rpc/Depot/CountItems", empty);
  expect(await count.json()).toEqual({ count: expect.any(Number) });
  expect((await call("rpc/Shop/GetPhoto")).status).toBe(200);

  const known = await call("rpc/Shop/GetOrder", { id: 7 }, withKey);
  expect(await known.text()).toBe(order);
  const gone = await call("rpc/Shop/GetOrder", { id: 404 }, withKey);
  expect(await gone.json()).toMatchObject({ error: "OrderNotFound" });
  const stream = await call("rpc/Shop/Watch");
  expect((await stream.text()).trim()).toBe(order);

  expect(folders.map((folder) => existsSync(folder))).toEqual([false]);
  expect(await stop()).toMatchObject({ exitCode: 0, stderr: "" });
  await expect(fetch(url)).rejects.toThrow();
});

test("ridl mock finds overrides by extra members at any depth", async () => {
  const entry = (request: string, name: string): string =>
    `{ "request": ${request}, "response": { "name": "${name}", "color": "r" } }`;
  const { call, stop } = await startMock(["--overrides", "answers"], {
    "shop.ridl": `webrpc = v1
name = shop
version = v1.0.0

struct Part
  - kind: string
    + enum = part
  - since?: timestamp
  - rest?: map<string,any>
    + extra = true

struct Whole
  - kind: string
    + enum = whole
  - parts: []Part

type Thing: any
  + oneOf = Part|Whole
  + tag = kind

struct Request
  - thing: Thing
  - rest: map<string,bigint>
    + extra = true

struct Response
  - name: string
  - rest: map<string,string>
    + extra = true

service Shop
  - Find(Request) => (Response)
`,
    "answers/Shop/Find.json": `[
      ${entry('{ "thing": { "parts": [{ "hue": [1] }] } }', "nested")},
      ${entry('{ "total": "12" }', "outer")},
      ${entry('{ "rest": "5" }', "rest")}
    ]`,
  });
  const find = async (thing: object, more: object = {}): Promise<unknown> => {
    const answer = await call("rpc/Shop/Find", { thing, ...more });
    return answer.json();
  };
  const part = { kind: "part", hue: [1] };
  const whole = { kind: "whole", parts: [part] };
  expect(await find(whole)).toEqual({ name: "nested", color: "r" });
  expect(await find(part, { total: "12" })).toMatchObject({ name: "outer" });
  expect(await find(part, { rest: "5" })).toMatchObject({ name: "rest" });
  expect(await find(part)).not.toMatchObject({ color: "r" });
  expect(await stop()).toMatchObject({ exitCode: 0, stderr: "" });
});

const schemaWithData = `${schema}
struct Search
  - id: uint32
  - cost: bigint
  - similar: []string

type OrderNotFoundData: Search
  + dataOf = OrderNotFound
`;

test("ridl mock generates the data of errors, or reads it from overrides", async () => {
  const data = { id: 7, cost: "12345678901234567890", similar: ["a"] };
  const given = { request: { id: 7 }, error: "OrderNotFound", data };
  const entries = [given, { error: "OrderNotFound" }];
  const { call, stop } = await startMock(["--overrides", "answers"], {
    "answers/Shop/GetOrder.json": JSON.stringify(entries),
    "shop.ridl": schemaWithData,
  });
  const known = await call("rpc/Shop/GetOrder", { id: 7 }, withKey);
  expect(await known.json()).toMatchObject({ error: "OrderNotFound", data });
  const gone = await call("rpc/Shop/GetOrder", { id: 1 }, withKey);
  expect(await gone.json()).toMatchObject({
    error: "OrderNotFound",
    data: { id: expect.any(Number), similar: expect.any(Array) },
  });
  await stop();
});

test.each([
  [
    { error: "OrderNotFound", data: { id: 7, cost: "x", similar: [] } },
    "data of `OrderNotFound`: cost: expected",
  ],
  [{ error: "Unauthorized", data: {} }, "the error `Unauthorized` has no data"],
  [{ response: {}, data: {} }, "has `data` without an `error`"],
])("ridl mock reports wrong data in the override %j", async (entry, fault) => {
  const sandbox = createSandbox({
    "shop.ridl": schemaWithData,
    "answers/Shop/GetOrder.json": JSON.stringify([entry]),
  });
  const args = ["--port", "0", "--overrides", "answers"];
  const { exitCode, stderr } = await sandbox.run([
    "mock",
    "shop.ridl",
    ...args,
  ]);
  expect(stderr).toContain(fault);
  expect(exitCode).toBe(1);
});

test("ridl mock listens for Ctrl-C before it generates code, and prints IPv6 addresses", async () => {
  const sandbox = createSandbox({ "shop.ridl": schema });
  const events: string[] = [];
  const args = ["mock", "shop.ridl", "--host", "::1"];
  const { exitCode, stdout } = await sandbox.run(args, {
    untilInterrupted: async () => void events.push("hears Ctrl-C"),
    patch: (system) => ({
      createTemporaryFolder: () => {
        events.push("makes a folder");
        return system.createTemporaryFolder();
      },
      removeFolder: (path) => {
        events.push("removes it");
        system.removeFolder(path);
      },
      // Simulates the address, because not every machine has IPv6.
      listen: async () => ({ port: 8123, close: async () => undefined }),
    }),
  });
  expect(events).toEqual(["hears Ctrl-C", "makes a folder", "removes it"]);
  expect(stdout).toContain("shop      http://[::1]:8123/rpc/\n");
  expect(exitCode).toBe(0);
});

test("ridl mock reports faults in overrides", async () => {
  const faults = {
    "Shop/Nothing": ["{}", "the contract has no such method"],
    "Shop/GetOrder": ["{", "it is not valid JSON: "],
    "Shop/Watch": ["{}", "order: expected an object, got nothing"],
    "Shop/GetPhoto": ["{}", "the method returns a file"],
    "Shop/Ping": ["[{}]", "an entry in its list has neither"],
    "Depot/CountItems": [
      '[{"error":"No"}]',
      "the method cannot return the error",
    ],
  };
  const sandbox = createSandbox({ "shop.ridl": schema, "depot.ridl": other });
  for (const [name, [text = ""]] of Object.entries(faults)) {
    sandbox.write({ [`answers/${name}.json`]: text });
  }
  const args = ["--port", "0", "--overrides", "answers"];
  const paths = ["shop.ridl", "depot.ridl"];
  const { exitCode, stderr } = await sandbox.run(["mock", ...paths, ...args]);
  for (const [name, [, message]] of Object.entries(faults)) {
    const fault = `error[invalid-override]: override \`${name}.json\`: ${message}`;
    expect(stderr).toContain(fault);
  }
  expect(exitCode).toBe(1);
});

test.each([
  [["--port", "x"], "`--port` must be a whole number from 0 to 65535"],
  [["--error-rate", "2"], "`--error-rate` must be a number from 0 to 1"],
  [["--latency", "9-1"], "`--latency` must be a number of milliseconds"],
  [["--overrides", "none"], "there is no folder `none`"],
])("ridl mock rejects %j", async (args, message) => {
  const sandbox = createSandbox({ "shop.ridl": schema });
  const result = await sandbox.run(["mock", "shop.ridl", ...args]);
  expect(result).toMatchObject({ exitCode: 2 });
  expect(result.stderr).toContain(message);
});

test("ridl mock serves path patterns, and the explorer beside a method at `/`", async () => {
  const { output, url } = await startMock([], {
    "shop.ridl": `webrpc = v1
name = shop
version = v1.0.0
basepath = "/v{version}/rpc"

service Shop
  @get:"/"
  - Root() => (root: uint8)
  @get:"/files/{name}.json"
  - File(name: string) => (file: uint8)
  @http:"POST /files/{name}:archive 202"
  - Archive(name: string) => (archived: uint8)
  - Ping() => (ping: uint8)
`,
  });
  expect(output()).toContain(`explorer  ${url}/explorer/\n`);
  expect(output()).toContain(`shop      ${url}/v{version}/rpc/\n`);
  const call = async (verb: string, path: string): Promise<unknown> => {
    const headers = { "content-type": "application/json" };
    const init = {
      method: verb,
      headers,
      ...(verb === "POST" && { body: "{}" }),
    };
    const response = await fetch(url + path, init);
    return [response.status, ...Object.keys(Object(await response.json()))];
  };
  expect(await call("GET", "/")).toEqual([200, "root"]);
  expect(await call("GET", "/files/a.json")).toEqual([200, "file"]);
  expect(await call("POST", "/files/a:archive")).toEqual([202, "archived"]);
  expect(await call("POST", "/v1/rpc/Shop/Ping")).toEqual([200, "ping"]);
  expect((await fetch(`${url}/v/rpc/Shop/Ping`)).status).toBe(404);
  const page = await (await fetch(`${url}/explorer/`)).text();
  expect(page).toContain("/files/{name}.json");
});
