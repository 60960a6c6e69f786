import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { docsEmitter } from "../../generator/4-emit/docs/docs.js";
import { withoutInvisible } from "../../generator/4-emit/emitter/invisible.js";
import { createExplorerData } from "../../generator/4-emit/docs/create-data.js";
import { emitContract } from "../../generator/4-emit/emit.js";
import { goldenCases, readTree } from "../support/golden-cases.js";
import type { Contract } from "../../generator/ir/contract.js";
import { hostileText } from "../support/hostile-contract.js";
import { emittedData, platformCase } from "./sample-models.js";

const { contract, options } = platformCase();

/** The files that `npm run build` writes. */
const explorerFiles = readTree("dist/explorer");

test("writes the page with its script and style on request", () => {
  const context = { runtimeSources: new Map(), explorerFiles };
  const files = emitContract(contract, [docsEmitter], options, context);
  expect(files.map(({ path }) => path)).toEqual([
    "explorer/explorer.css",
    "explorer/explorer.js",
    "explorer/index.html",
    "explorer/openapi.yaml",
  ]);
  expect(files[1]?.text).toBe(explorerFiles.get("explorer.js"));
});

test("the page contains the data of the contract, and is the same in every run", () => {
  const docs = { addresses: { relayer: "/{network}" } };
  const { data, html } = emittedData(contract, options, docs);
  const described = createExplorerData(contract, options, docs);
  expect(data.hosts.map(({ name }) => name)).toEqual(
    contract.hosts.map(({ name }) => name),
  );
  expect(data.hosts.map(({ address }) => address)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
    "/{network}",
  ]);
  expect(data.title).toBe("api, indexer, marketplace, metadata, relayer");
  expect(data.types).toHaveLength(contract.types.length);
  expect(data.types).toMatchObject(
    described.types.map(({ kind, name }) => ({ kind, name })),
  );
  expect(emittedData(contract, options, docs).html).toBe(html);
});

test("the contract can be downloaded in other forms", () => {
  const docs = { addresses: { relayer: "/{network}" } };
  const context = {
    runtimeSources: new Map(),
    schemas: new Map([["schema/relayer.ridl", "name = relayer\n"]]),
  };
  const linksOf = (contract: Contract): readonly string[] =>
    Array.from(
      emittedData(contract, options, docs, context).html.matchAll(
        /<link rel="alternate".*>/gu,
      ),
      ([link]) => link,
    );
  expect(linksOf(contract)).toEqual([
    '<link rel="alternate" type="application/yaml" href="openapi.yaml" title="OpenAPI">',
    '<link rel="alternate" type="text/plain" href="relayer.ridl" title="RIDL of relayer">',
  ]);
  const files = docsEmitter.with(docs).emit(contract, options, context);
  expect(files.map(({ path }) => path)).toEqual([
    "explorer/index.html",
    "explorer/openapi.yaml",
    "explorer/relayer.ridl",
  ]);
  expect(files[1]?.text).toContain("/rpc/API/GetSwapPrice:");
  expect(files[2]?.text).toBe("name = relayer\n");
  // One document cannot contain hosts with the same path.
  const [host] = contract.hosts;
  if (host === undefined) expect.unreachable("there is no host");
  const twice = { ...contract, hosts: [host, { ...host, name: "api2" }] };
  expect(linksOf(twice)).toEqual([
    expect.stringContaining('href="api-openapi.yaml" title="OpenAPI of api"'),
    expect.stringContaining('href="api2-openapi.yaml" title="OpenAPI of api2"'),
  ]);
});

test("snippets import the client from its location", () => {
  const clientOf = (importFrom: string | undefined, ending: ".js" | "") => {
    const docs = importFrom === undefined ? {} : { importFrom };
    const all = { ...options, importExtension: ending } as const;
    return emittedData(contract, all, docs).data.hosts[0]?.client;
  };
  expect(clientOf(undefined, ".js")).toBe("./generated/api/client.js");
  expect(clientOf("./src/gen", "")).toBe("./src/gen/api/client");
  expect(clientOf("@acme/web3", ".js")).toBe("@acme/web3/api");
});

test("treats a hostile contract as data", () => {
  const golden = goldenCases().find(({ name }) => name === "hostile");
  if (golden === undefined) expect.unreachable("there is no hostile case");
  const docs = { title: hostileText, addresses: { hostile: hostileText } };
  const { html, data } = emittedData(golden.contract, golden.options, docs);
  expect(data.title).toBe(hostileText);
  expect(data.hosts[0]?.address).toBe(hostileText);
  const [method] = data.hosts[0]?.services[0]?.methods ?? [];
  expect(method).toMatchObject({
    name: "Meth;od",
    deprecated: hostileText,
    docs: expect.stringContaining(withoutInvisible(hostileText)),
  });
  expect(html.match(/<script/gu)).toHaveLength(2);
  expect(html.match(/<\/script/gu)).toHaveLength(2);
  expect(html).not.toContain("<!-- {{");
  expect(html).not.toMatch(/[\u0000\u007f-\u009f\u2028\u2029\u202e\r]/u);
  const title = /<title>([^<]*)<\/title>/u.exec(html)?.[1] ?? "";
  expect(title).toContain("&lt;/script&gt;&lt;script&gt;");
});

test("the page needs no other hosts and no inline code", () => {
  const { html } = emittedData(contract, options);
  const shell = html
    .replace(/<script type[^]*?<\/script>/u, "")
    .replace(/<meta http-equiv="Content-Security-Policy"[^>]*>/u, "")
    .replace(/<link rel="icon" href="data:[^>]*>/u, "");
  expect(shell).not.toMatch(/https?:|\sstyle=|\son\w+=/u);
  const style = explorerFiles.get("explorer.css") ?? "";
  const script = explorerFiles.get("explorer.js") ?? "";
  expect(style).toMatch(/^\/\* Generated by ridlkit/u);
  expect(style).not.toMatch(/@import|url\(/u);
  expect(script).toMatch(/^\/\* Generated by ridlkit/u);
  expect(script).not.toMatch(
    /innerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function/u,
  );
  expect(script + style).not.toContain("</script");
});

test("the script is small", () => {
  const script = explorerFiles.get("explorer.js") ?? expect.unreachable();
  expect(gzipSync(script, { level: 9 }).length).toBeLessThanOrEqual(30_150);
});
