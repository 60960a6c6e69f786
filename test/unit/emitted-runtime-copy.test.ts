import { posix } from "node:path";
import { build, type Plugin } from "esbuild";
import { expect, test } from "vitest";
import type { EmitOptions } from "../../generator/4-emit/emitter/emitter.js";
import { emitCase, goldenCases } from "../support/golden-cases.js";

/** Resolves imports only among the given files. */
function onlyFrom(files: ReadonlyMap<string, string>): Plugin {
  const resolve = (importer: string, path: string): string => {
    const target = posix.join(posix.dirname(importer), path);
    return (
      [target, target.replace(/\.js$/u, ".ts"), `${target}.ts`].find(
        (candidate) => files.has(candidate),
      ) ?? ""
    );
  };
  return {
    name: "only-from",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^node:/ }, ({ path }) => ({ path, external: true }));
      onResolve({ filter: /./ }, ({ importer, path, kind }) =>
        kind === "entry-point"
          ? { path, namespace: "emitted" }
          : { path: resolve(importer, path), namespace: "emitted" },
      );
      onLoad({ filter: /./, namespace: "emitted" }, ({ path }) => ({
        contents: files.get(path) ?? "",
        loader: "ts",
      }));
    },
  };
}

const program = `
import { createLedgerClient } from "./ledger/client.ts";
import { createLedgerServer } from "./ledger/server.ts";

const at = new Date("2025-01-02T03:04:05.678Z");
const server = createLedgerServer({
  handlers: { ledger: { list: ({ from }) => ({ entries: [{ id: from + 1n, at }] }) } },
});
const client = createLedgerClient({
  baseUrl: "https://ledger.example.com",
  fetch: (url, init) => server.fetch(new Request(url, init)),
});
export const { entries } = await client.list({ from: 2n ** 63n });
`;

/**
 * The same program over `node:http`, with files that no generated code imports.
 */
const servedProgram = `
import { once } from "node:events";
import { createServer } from "node:http";
import { createLedgerClient } from "./ledger/client.ts";
import { createLedgerServer } from "./ledger/server.ts";
import { observe } from "./runtime/client/interceptors.ts";
import { toNodeListener } from "./runtime/hosts/node/node-listener.ts";

const at = new Date("2025-01-02T03:04:05.678Z");
const server = createLedgerServer({
  handlers: { ledger: { list: ({ from }) => ({ entries: [{ id: from + 1n, at }] }) } },
});
const http = createServer(toNodeListener(server.fetch)).listen(0, "127.0.0.1");
await once(http, "listening");
export const statuses: unknown[] = [];
const client = createLedgerClient({
  baseUrl: \`http://127.0.0.1:\${http.address().port}\`,
  use: [observe({ onEnd: (_call, { status }) => statuses.push(status) })],
});
export const { entries } = await client.list({ from: 2n ** 63n });
http.closeAllConnections();
http.close();
`;

/**
 * Returns the exports of a program next to the output, without other packages.
 */
async function run(
  text: string,
  options: Partial<EmitOptions> = {},
  contract = "copied-runtime-hosts",
): Promise<unknown> {
  const golden = goldenCases().find(({ name }) => name === contract);
  if (golden === undefined) throw new Error("the case is gone");
  const emitted = emitCase({
    ...golden,
    options: { ...golden.options, ...options },
  });
  const files = new Map(emitted.map(({ path, text }) => [path, text]));
  for (const each of files.values()) {
    expect(each).not.toMatch(/from "@?ridlkit/u);
  }
  const { outputFiles } = await build({
    entryPoints: ["main.ts"],
    plugins: [onlyFrom(new Map([...files, ["main.ts", text]]))],
    bundle: true,
    format: "esm",
    target: "es2022",
    write: false,
  });
  const code = Buffer.from(outputFiles[0]?.contents ?? []).toString("base64");
  return import(/* @vite-ignore */ `data:text/javascript;base64,${code}`);
}

/** A server whose calls have keys, with what it cannot be made without. */
const keyedProgram = `
import { createShopServer } from "./server.ts";
import { idempotency, memoryAnswers } from "./runtime/server/idempotency.ts";
import { memoryItems, streamLog } from "./runtime/server/stream-log.ts";

export const log = streamLog({ store: memoryItems() });
let orderCount = 0;
const server = createShopServer({
  caller: () => "anybody",
  idempotency: idempotency(memoryAnswers()),
  handlers: {
    shop: {
      order: () => ({ orderId: String((orderCount += 1)) }),
      addNote: () => ({ noteId: 1 }),
      setNote: () => undefined,
      countOrders: () => ({ count: orderCount }),
    },
  },
});
const order = async () => {
  const request = new Request("https://shop.example/rpc/Shop/Order", {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "idempotency-key": '"one"',
    },
    body: JSON.stringify({ sku: "a", count: 1 }),
  });
  return (await server.fetch(request)).json();
};
export const orders = [await order(), await order()];
`;

const entries = [
  { id: 2n ** 63n + 1n, at: new Date("2025-01-02T03:04:05.678Z") },
];

test("the output needs no package if it has its own copy of the runtime", async () => {
  expect(await run(program)).toMatchObject({ entries });
});

test("programs find requested entries in the copy", async () => {
  const runtimeFiles = ["node-listener", "interceptors"];
  const result = await run(servedProgram, { runtimeFiles });
  expect(result).toMatchObject({ entries, statuses: [200] });
});

test("a server with idempotency keys works with a copy of the runtime", async () => {
  const options = {
    runtime: "copy",
    importExtension: ".ts",
    runtimeFiles: ["idempotency", "stream-log"],
  } as const;
  const result = await run(keyedProgram, options, "idempotency-keys");
  expect(result).toMatchObject({
    orders: [{ orderId: "1" }, { orderId: "1" }],
  });
});
