import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createExplorerServer } from "../../../runtime/typescript/server/explorer.js";
import { composeServers } from "../../../runtime/typescript/server/server.js";
import { createServer } from "../../../runtime/typescript/codegen/create-server.js";
import { hosts, type Received, type Running } from "./hosts.js";
import { lambdaHosts } from "./lambda-hosts.js";
import { sampleMethods, sampleOptions } from "./sample-server.js";

const everywhere = [...hosts, ...lambdaHosts];

const files = {
  "index.html": `<!doctype html><title>ü</title>
<link rel="alternate" type="application/yaml" href="openapi.yaml" title="OpenAPI">
<body></body>`,
  "explorer.css": "a {}",
  "explorer.js": "start();",
  "openapi.yaml": "openapi: 3.1.0",
};

describe.each(everywhere)("the explorer on $name", ({ start }) => {
  let running: Running;
  beforeAll(async () => {
    running = await start(
      composeServers(
        createExplorerServer(files),
        createServer(sampleOptions, sampleMethods),
      ),
    );
  });
  afterAll(() => running.close());

  const send = (
    path: string,
    headers: Readonly<Record<string, string>> = {},
    verb = "GET",
  ): Promise<Received> => running.send({ verb, path, headers, body: null });

  it.each([
    ["/", "text/html; charset=utf-8", files["index.html"]],
    ["/?x=1", "text/html; charset=utf-8", files["index.html"]],
    ["/explorer.css", "text/css; charset=utf-8", files["explorer.css"]],
    ["/explorer.js", "text/javascript; charset=utf-8", files["explorer.js"]],
    ["/openapi.yaml", "application/yaml; charset=utf-8", files["openapi.yaml"]],
  ])("answers %s", async (path, type, text) => {
    const answer = await send(path);
    expect(answer).toMatchObject({ status: 200, text });
    expect(answer.header("content-type")).toBe(type);
    expect(answer.header("x-content-type-options")).toBe("nosniff");
    expect(answer.header("cache-control")).toBe("no-cache");
    const policy = answer.header("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'; script-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain("unsafe");
  });

  it("returns 304 if a page has not changed", async () => {
    const tag = (await send("/")).header("etag") ?? "";
    const again = await send("/", { "if-none-match": tag });
    expect(again).toMatchObject({ status: 304, text: "" });
    const other = await send("/explorer.js", { "if-none-match": tag });
    expect(other.status).toBe(200);
  });

  it("passes other paths to other handlers", async () => {
    expect(await send("/index.html")).toMatchObject({ status: 404 });
    expect(await send("/other.yaml")).toMatchObject({ status: 404 });
    const ping = await send("/rpc/API/Ping");
    expect(ping).toMatchObject({ status: 405 });
  });

  it("supports only reads", async () => {
    const answer = await send("/", {}, "DELETE");
    expect(answer.status).toBe(405);
    expect(answer.header("allow")).toBe("GET, HEAD");
    expect(JSON.parse(answer.text)).toMatchObject({ error: "WebrpcBadMethod" });
  });
});

it("answers HEAD without the content", async () => {
  const { fetch } = createExplorerServer(files);
  const answer = await fetch(new Request("http://a/", { method: "HEAD" }));
  expect([answer.status, await answer.text()]).toEqual([200, ""]);
  expect(answer.headers.get("content-type")).toContain("text/html");
});

it("reads its files with the given function when it is created", async () => {
  const asked: string[] = [];
  const { fetch } = createExplorerServer((name) => {
    asked.push(name);
    return new Map(Object.entries(files)).get(name) ?? "";
  });
  expect(asked.sort()).toEqual(Object.keys(files).sort());
  const answer = await fetch(new Request("http://a/explorer.js"));
  expect(await answer.text()).toBe(files["explorer.js"]);
});

const text = "</script><script>alert(1)";

it.each([
  ["values", { fields: { isbn: text, id: 2n ** 64n } }],
  [
    "the result of a function",
    () => Promise.resolve({ fields: { isbn: text, id: 2n ** 64n } }),
  ],
])("puts %s into the page as data", async (_, values) => {
  const server = createExplorerServer(files, { values });
  const page = await (await server.fetch(new Request("http://a/"))).text();
  const [, json = ""] =
    /<script type="application\/json" id="values">(.*)<\/script>\n<\/body>$/u.exec(
      page,
    ) ?? [];
  expect(json).toContain('"id":18446744073709551616');
  expect(json).not.toContain("<");
  expect(JSON.parse(json)).toMatchObject({ fields: { isbn: text } });
  const script = await server.fetch(new Request("http://a/explorer.js"));
  expect(await script.text()).toBe(files["explorer.js"]);
});

it("responds with 500 and prints the error if the `values` function fails", async () => {
  const print = vi.spyOn(console, "error").mockImplementation(() => {});
  const error = new Error("no database");
  const values = () => Promise.reject(error);
  const server = createExplorerServer(files, { values });
  const answer = await server.fetch(new Request("http://a/"));
  expect(answer.status).toBe(500);
  expect(await answer.json()).toMatchObject({ error: "WebrpcInternalError" });
  expect(print).toHaveBeenCalledExactlyOnceWith(expect.any(String), error);
  print.mockRestore();
});

it("can be mounted at a path", async () => {
  const server = createExplorerServer(files, { path: "/docs/" });
  expect(server.matches("/docs/explorer.js")).toBe(true);
  expect(server.matches("/")).toBe(false);
  const answer = await server.fetch(new Request("http://a/docs/"));
  expect(await answer.text()).toBe(files["index.html"]);
  const lost = await server.fetch(new Request("http://a/"));
  expect(lost.status).toBe(404);
});

it.each(["", "docs/", "/docs", "/?/"])("cannot be mounted at %j", (path) => {
  expect(() => createExplorerServer(files, { path })).toThrow(TypeError);
});
