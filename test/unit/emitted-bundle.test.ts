import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { runtimeEntries } from "../support/runtime-entries.js";

const root = fileURLToPath(new URL("../../", import.meta.url));

/**
 * Returns the code that a browser loads for a program with the `platform`
 * golden case.
 */
async function bundle(program: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: program, resolveDir: root, loader: "ts" },
    alias: {
      golden: `${root}test/golden/fixtures/platform/expected/index.ts`,
      ...runtimeEntries,
    },
    bundle: true,
    format: "esm",
    minifySyntax: true,
    treeShaking: true,
    write: false,
  });
  return outputFiles.map(({ text }) => text).join("\n");
}

const methodPaths = [
  "/rpc/Shop/GetItem",
  "/rpc/Shop/PutItem",
  "/rpc/Shop/FindItem",
  "/items/{network}/{ids}",
  "/rpc/Health/Ping",
  "/{network}/rpc/Stock/Count",
  "/{network}/rpc/Stock/Ping",
];

function pathsIn(text: string): readonly string[] {
  return methodPaths.filter((path) => text.includes(path));
}

test("a bundle of one method includes neither other methods nor error classes", async () => {
  const text = await bundle(`
    import { connect } from "@ridlkit/runtime/client";
    import { shopGetItem } from "golden";
    const { call } = connect({ baseUrl: "https://shop.example.com" });
    call(shopGetItem, { id: 7 }).then(console.log);
  `);
  expect(pathsIn(text)).toEqual(["/rpc/Shop/GetItem"]);
  expect(text).not.toMatch(/NotFound|PermissionDenied|InvalidArgument/u);
  expect(text).not.toMatch(/WebrpcEndpoint|WebrpcStreamLost/u);
  expect(text).not.toContain("Authorization");
});

test("a named error class is included without the other classes", async () => {
  const text = await bundle(`
    import { connect } from "@ridlkit/runtime/client";
    import { NotFoundError, stockPing } from "golden";
    const { call } = connect({ baseUrl: "https://shop.example.com" });
    call(stockPing, {}).catch((error) => {
      if (error instanceof NotFoundError) console.log(error.code);
    });
  `);
  expect(pathsIn(text)).toEqual(["/{network}/rpc/Stock/Ping"]);
  expect(text.match(/class extends RpcError/gu)).toHaveLength(1);
  expect(text).toMatch(/NotFoundError = class extends RpcError/u);
});

test("a client of one service includes only its methods", async () => {
  const text = await bundle(`
    import { createHealthClient } from "golden";
    createHealthClient({ baseUrl: "https://shop.example.com" }).ping();
  `);
  expect(pathsIn(text)).toEqual(["/rpc/Health/Ping"]);
});

test("the platform client includes every method, so the other checks are able to fail", async () => {
  const text = await bundle(`
    import { createPlatformClient } from "golden";
    console.log(createPlatformClient);
  `);
  expect(pathsIn(text)).toEqual(methodPaths);
});
