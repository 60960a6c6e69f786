import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { describe, expect, it } from "vitest";
import { runtimeEntries } from "../../support/runtime-entries.js";

/** Bundles code as a browser loads it: as one minified module. */
async function bundleOf(source: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: source, resolveDir: import.meta.dirname, loader: "ts" },
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2022",
    alias: runtimeEntries,
    write: false,
  });
  return outputFiles[0]?.text ?? "";
}

function gzipped(text: string): number {
  return gzipSync(text, { level: 9 }).length;
}

const oneMethod = `
  import { call } from "../../../runtime/typescript/client/client.ts";
  import { rpc } from "../../../runtime/typescript/codegen/create-client.ts";
  const accessKey = ["accessKey", "x-access-key"];
  const getPrice = /* @__PURE__ */ rpc("/rpc/API/GetPrice", { credentials: [accessKey] });
  const getOther = /* @__PURE__ */ rpc("/rpc/API/GetOther", { credentials: [accessKey] });
  export const price = (options) => call(options, getPrice, {});
`;

describe("a bundle of one method", () => {
  it("stays small", async () => {
    expect(gzipped(await bundleOf(oneMethod))).toBeLessThanOrEqual(1234);
  });

  it("contains no other methods, no error classes, and no server", async () => {
    const text = await bundleOf(oneMethod);
    expect(text).toContain("/rpc/API/GetPrice");
    for (const other of [
      "GetOther",
      "StreamLost",
      "hasInstance",
      "got a",
      "Lambda",
      // These features are opt-in: addresses with placeholders, interceptors,
      // and exact JSON.
      "has items with commas",
      "retry-after",
      "BigInt",
    ]) {
      expect(text).not.toContain(other);
    }
  });
});

describe("a Standard Schema of one method", () => {
  // The generated code for a request with one string.
  const schema = `
    import { isRecord } from "../../../runtime/typescript/values/validation.ts";
    import { schemaOf } from "../../../runtime/typescript/codegen/create-schemas.ts";
    function check(value, report) {
      if (!isRecord(value)) return report.fail("an object", value);
      if (typeof value["id"] !== "string")
        report.failAt("id", "a string", value["id"]);
    }
    export const schema = /* @__PURE__ */ schemaOf(check);
  `;

  it("adds at most 0.5 kB to the bundle of a client", async () => {
    const client = gzipped(await bundleOf(oneMethod));
    const both = gzipped(await bundleOf(oneMethod + schema));
    expect(both - client).toBeLessThanOrEqual(500);
  });
});

describe("a bundle of a client", () => {
  it("adds little more than the names of its methods", async () => {
    const names = Array.from({ length: 40 }, (_, i) => `getThing${i}`);
    const table = names.map((name) => `${name}: rpc("/rpc/API/${name}")`);
    const text = await bundleOf(`
      import { createClient, rpc } from "../../../runtime/typescript/codegen/create-client.ts";
      export const client = (options) => createClient(options, { ${table.join()} });
    `);
    expect(gzipped(text)).toBeLessThanOrEqual(1700);
  });

  it("contains only the interceptors in use", async () => {
    const text = await bundleOf(`
      import { createClient, rpc } from "../../../runtime/typescript/codegen/create-client.ts";
      import { retry } from "../../../runtime/typescript/client/interceptors.ts";
      const read = rpc("/rpc/API/Read", { safety: "readonly" });
      export const client = createClient({ baseUrl: "", use: [retry()] }, { read });
    `);
    expect(text).toContain("retry-after");
    expect(text).not.toContain("request-timeout-ms");
    expect(text).not.toContain("levels");
  });
});

describe("a bundle of the platform's client", () => {
  const price = `
    import { call } from "../../../runtime/typescript/client/client.ts";
    import { apiGetSwapPrice } from "../../../generated/index.ts";
    export const price = (options, request) =>
      call(options, apiGetSwapPrice, request);
  `;

  it("is small with one method", async () => {
    expect(gzipped(await bundleOf(price))).toBeLessThanOrEqual(1235);
  });

  it("contains code to read the response of only that method", async () => {
    const text = await bundleOf(
      price.replaceAll("apiGetSwapPrice", "indexerAddWebhookListener"),
    );
    expect(text).toContain("tokenIDs:");
    // This field belongs to another response.
    expect(text).not.toContain("order:");
  });

  it("is small with all methods and all errors", async () => {
    const all = `export { createPlatformClient } from "../../../generated/index.ts";`;
    const table = `export { errors } from "../../../generated/index.ts";`;
    // One method sends idempotency keys, which takes 240 bytes, and one has an
    // address and asks for JSON, which takes 47.
    expect(gzipped(await bundleOf(all))).toBeLessThanOrEqual(2951);
    expect(gzipped(await bundleOf(all + table))).toBeLessThanOrEqual(3335);
  });
});

describe("a bundle of a method with pages", () => {
  const client = `
    import { createShopClient } from "../../golden/fixtures/pages/expected/index.ts";
    export const shop = createShopClient({ baseUrl: "" });
  `;
  const paged = `
    import { items, pages } from "../../../runtime/typescript/client/pages.ts";
    import { shopListNotesPaging } from "../../golden/fixtures/pages/expected/index.ts";
    export const all = () => items(shop.listNotes, shopListNotesPaging, { owner: "" });
    export { pages };
  `;

  it("contains nothing about pages unless it reads them", async () => {
    expect(await bundleOf(client)).not.toMatch(/already read|nextCursor/);
    expect(await bundleOf(client + paged)).toMatch(/already read/);
  });

  it("grows by at most 250 bytes if it reads them", async () => {
    const without = gzipped(await bundleOf(client));
    const growth = gzipped(await bundleOf(client + paged)) - without;
    expect(growth).toBeGreaterThan(0);
    expect(growth).toBeLessThanOrEqual(250);
  });
});

describe("a bundle of a method with a key", () => {
  const method = (more: string): string => `
    import { call } from "../../../runtime/typescript/client/client.ts";
    import { sendKey } from "../../../runtime/typescript/codegen/idempotency-key.ts";
    const order = { path: "/rpc/Shop/Order", safety: "idempotent", ${more} };
    export const run = (options) => call(options, order, {});
  `;

  it("grows by at most 250 bytes", async () => {
    const without = gzipped(await bundleOf(method("")));
    const growth = gzipped(await bundleOf(method("use: [sendKey]"))) - without;
    expect(growth).toBeGreaterThan(0);
    expect(growth).toBeLessThanOrEqual(250);
  });

  it("contains nothing about keys if the method has none", async () => {
    expect(await bundleOf(method(""))).not.toContain("dempotencyKey");
    expect(await bundleOf(method("use: [sendKey]"))).toContain("dempotencyKey");
  });
});

describe("a bundle of a validator", () => {
  const check = "checkGetSwapPriceRequest";
  const from = `from "../../../generated/api/validators.ts"`;

  it("contains no validators of other messages", async () => {
    const text = await bundleOf(`export { ${check} } ${from};`);
    expect(text).toContain("slippagePercentage");
    // These fields belong to other messages.
    expect(text).not.toMatch(/maxPrice|linkedWalletAddress|contactCount/);
  });

  it("is small as a Standard Schema", async () => {
    const schema = await bundleOf(`
      import { ${check} } ${from};
      import { convertingSchemaOf, floatForm } from "../../../runtime/typescript/codegen/create-schemas.ts";
      export const schema = convertingSchemaOf(${check}, () => ({
        slippagePercentage: floatForm,
      }));
    `);
    const validator = await bundleOf(`export { ${check} } ${from};`);
    expect(gzipped(schema) - gzipped(validator)).toBeLessThanOrEqual(650);
  });
});

describe("a bundle of streams", () => {
  it("is small with one stream, and contains no server code", async () => {
    const text = await bundleOf(`
    import { openStream } from "../../../runtime/typescript/client/stream.ts";
    import { stream } from "../../../runtime/typescript/codegen/create-streams.ts";
    const watch = /* @__PURE__ */ stream("/rpc/Chat/Watch");
    export const open = (options) => openStream(options, watch, {});
  `);
    expect(text).toContain("StreamLost");
    expect(text).not.toContain('webrpcError":');
    expect(text).not.toContain("x-accel-buffering");
    expect(gzipped(text)).toBeLessThanOrEqual(3304);
  });

  it("contains nothing about streams if the client has none", async () => {
    const text = await bundleOf(`
    import { createClient, rpc } from "../../../runtime/typescript/codegen/create-client.ts";
    const ping = /* @__PURE__ */ rpc("/rpc/Chat/Ping");
    export const client = (options) => createClient(options, { ping });
  `);
    for (const part of ["StreamLost", "asyncIterator", "getReader"]) {
      expect(text).not.toContain(part);
    }
  });
});
