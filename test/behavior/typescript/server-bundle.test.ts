import { gzipSync } from "node:zlib";
import { transform } from "esbuild";
import { describe, expect, it } from "vitest";
import { methodNames, ridlOf } from "../../../bench/client/contract.js";
import { emitContract } from "../../../generator/4-emit/emit.js";
import { emitters } from "../../../generator/4-emit/registry.js";
import { compileContract } from "../../../generator/compile.js";
import { bundleGenerated } from "../conformance/load-contract.js";

/** Bundles the server of a contract with the host `things` for Node. */
async function bundleOf(ridl: string): Promise<string> {
  const { value } = compileContract(["things.ridl"], { read: () => ridl });
  if (value === null) throw new Error("the contract has mistakes");
  const files = emitContract(
    value,
    emitters,
    {
      int64: "number",
      timestamp: "string",
      runtime: "import",
      importExtension: ".js",
    },
    { runtimeSources: new Map() },
  );
  const contents = `
    import { createServer } from "node:http";
    import { toNodeHandler } from "@ridlkit/runtime/node";
    import { createThingsServer } from "./server.js";
    export const serve = (options) =>
      createServer(toNodeHandler(createThingsServer(options)));`;
  return bundleGenerated(files, { contents, resolveDir: import.meta.dirname });
}

/** Lists those of the optional modules of the runtime that a bundle contains. */
function partsIn(bundle: string): readonly string[] {
  return optional.filter((path) => bundle.includes(`/server/${path}.ts\n`));
}

const fields = "requests/rest-fields";
const rest = "requests/rest-message";
const form = "requests/form-fields";
const file = "requests/body-file";
const parts = "requests/form-reader";
const optional = [fields, rest, form, file, parts];

it("a server of 40 methods takes at most 30 kB, and has only what they use", async () => {
  const bundle = await bundleOf(ridlOf(methodNames(40)));
  expect(partsIn(bundle)).toEqual([]);
  const { code } = await transform(bundle, { minify: true });
  expect(gzipSync(code).length).toBeLessThanOrEqual(30_000);
});

describe("the bundle of a server contains only the readers of", () => {
  const cases = {
    "a file in a message": [
      "- Put(id: string, content: file) => (id: string)",
      [parts],
    ],
    "an address": [
      '@http:"PUT /things/{id}"\n  - Put(id: string, name: string) => (id: string)',
      [fields, rest],
    ],
    "a form": [
      '@http:"PUT /things/{id}" @form\n  - Put(id: string, name: string) => (id: string)',
      [fields, rest, form],
    ],
    "a form with files": [
      '@http:"PUT /things/{id}" @form\n  - Put(id: string, content: file) => (id: string)',
      [fields, rest, form, parts],
    ],
    "a file": [
      '@http:"PUT /things/{id}" @requestBody:content\n  - Put(id: string, content: file) => (id: string)',
      [fields, rest, file],
    ],
  } as const;
  it.each(Object.entries(cases))("%s", async (_name, [method, expected]) => {
    const ridl = `webrpc = v1\nname = things\nversion = v1\n\nservice Things\n  ${method}\n`;
    expect(partsIn(await bundleOf(ridl))).toEqual(expected);
  });
});
