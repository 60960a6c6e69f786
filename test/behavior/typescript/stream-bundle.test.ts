import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { expect, it } from "vitest";

async function bundleOf(source: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: source, resolveDir: import.meta.dirname, loader: "ts" },
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2022",
    write: false,
  });
  return outputFiles[0]?.text ?? "";
}

it("a bundle of one stream is small and contains no server code", async () => {
  const text = await bundleOf(`
    import { openStream } from "../../../runtime/typescript/client/stream.ts";
    import { stream } from "../../../runtime/typescript/codegen/create-streams.ts";
    const watch = /* @__PURE__ */ stream("/rpc/Chat/Watch");
    export const open = (options) => openStream(options, watch, {});
  `);
  expect(text).toContain("StreamLost");
  expect(text).not.toContain('webrpcError":');
  expect(text).not.toContain("x-accel-buffering");
  expect(gzipSync(text, { level: 9 }).length).toBeLessThanOrEqual(3213);
});

it("a client without streams contains no code for them", async () => {
  const text = await bundleOf(`
    import { createClient, rpc } from "../../../runtime/typescript/codegen/create-client.ts";
    const ping = /* @__PURE__ */ rpc("/rpc/Chat/Ping");
    export const client = (options) => createClient(options, { ping });
  `);
  for (const part of ["StreamLost", "asyncIterator", "getReader"]) {
    expect(text).not.toContain(part);
  }
});
