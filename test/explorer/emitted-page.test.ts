import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import {
  explorerScript,
  explorerStyle,
} from "../../generator/4-emit/docs/embedded-page.js";
import { docsEmitter } from "../../generator/4-emit/docs/docs.js";
import { createExplorerData } from "../../generator/4-emit/docs/create-data.js";
import { goldenCases } from "../support/golden-cases.js";
import { hostileText } from "../support/hostile-contract.js";
import { emittedData, platformCase } from "./sample-models.js";

const { contract, options } = platformCase();

test("nothing is written unless it is asked for", () => {
  expect(docsEmitter.emit(contract, options)).toEqual([]);
  const files = docsEmitter.emit(contract, { ...options, docs: {} });
  expect(files.map(({ path }) => path)).toEqual([
    "explorer/index.html",
    "explorer/explorer.css",
    "explorer/explorer.js",
  ]);
});

test("the page holds the data of the contract, and says the same each time", () => {
  const docs = { addresses: { relayer: "/{network}" } };
  const { data, html } = emittedData(contract, { ...options, docs });
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
  expect(emittedData(contract, { ...options, docs }).html).toBe(html);
});

test("snippets import from where the client is", () => {
  const clientOf = (importFrom: string | undefined, ending: ".js" | "") => {
    const docs = importFrom === undefined ? {} : { importFrom };
    const all = { ...options, importExtension: ending, docs } as const;
    return emittedData(contract, all).data.hosts[0]?.client;
  };
  expect(clientOf(undefined, ".js")).toBe("./generated/api/client.js");
  expect(clientOf("./src/gen", "")).toBe("./src/gen/api/client");
  expect(clientOf("@acme/web3", ".js")).toBe("@acme/web3/api");
});

test("a hostile contract stays data", () => {
  const golden = goldenCases().find(({ name }) => name === "hostile");
  if (golden === undefined) expect.unreachable("there is no hostile case");
  const docs = { title: hostileText, addresses: { hostile: hostileText } };
  const { html, data } = emittedData(golden.contract, {
    ...golden.options,
    docs,
  });
  expect(data.title).toBe(hostileText);
  expect(data.hosts[0]?.address).toBe(hostileText);
  const [method] = data.hosts[0]?.services[0]?.methods ?? [];
  expect(method).toMatchObject({
    name: "Meth;od",
    deprecated: hostileText,
    docs: expect.stringContaining(hostileText),
  });
  expect(html.match(/<script/gu)).toHaveLength(2);
  expect(html.match(/<\/script/gu)).toHaveLength(2);
  expect(html).not.toContain("<!-- {{");
  expect(html).not.toMatch(/[\u0000\u007f-\u009f\u2028\u2029\u202e\r]/u);
  const title = /<title>([^<]*)<\/title>/u.exec(html)?.[1] ?? "";
  expect(title).toContain("&lt;/script&gt;&lt;script&gt;");
});

test("the page needs nothing of other hosts, and no inline code", () => {
  const { html } = emittedData(contract, { ...options, docs: {} });
  const shell = html.replace(/<script type[^]*?<\/script>/u, "");
  expect(shell).not.toMatch(/https?:|\sstyle=|\son\w+=/u);
  expect(explorerStyle).not.toMatch(/@import|url\(/u);
  expect(explorerScript).not.toMatch(
    /innerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function/u,
  );
  expect(explorerScript + explorerStyle).not.toContain("</script");
});

test("script and style are those of their sources", () => {
  const script = "scripts/embed-explorer.js";
  const run = () => execFileSync("node", [script, "--check"]).toString();
  expect(run).not.toThrow();
});
