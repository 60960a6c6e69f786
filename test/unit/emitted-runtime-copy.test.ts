import { posix } from "node:path";
import { build, type Plugin } from "esbuild";
import { expect, test } from "vitest";
import { emitCase, goldenCases } from "../support/golden-cases.js";

/** Resolves imports among the given files, and nothing else. */
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

test("with its own copy of the runtime, the output needs no package", async () => {
  const golden = goldenCases().find(
    ({ name }) => name === "copied-runtime-hosts",
  );
  if (golden === undefined) throw new Error("the case is gone");
  const files = new Map(emitCase(golden).map(({ path, text }) => [path, text]));
  for (const text of files.values()) {
    expect(text).not.toMatch(/from "ridlkit/u);
  }
  const { outputFiles } = await build({
    entryPoints: ["main.ts"],
    plugins: [onlyFrom(new Map([...files, ["main.ts", program]]))],
    bundle: true,
    format: "esm",
    target: "es2022",
    write: false,
  });
  const code = Buffer.from(outputFiles[0]?.contents ?? []).toString("base64");
  const result: unknown = await import(
    /* @vite-ignore */ `data:text/javascript;base64,${code}`
  );
  expect(result).toMatchObject({
    entries: [{ id: 2n ** 63n + 1n, at: new Date("2025-01-02T03:04:05.678Z") }],
  });
});
