import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { runProcess } from "../harness/run-process.js";
import { openApiOf, protoOf, ridlOf } from "./contract.js";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const root = here("../..");
const { execPath: node } = process;

/**
 * Creates a folder with the generators' output for the contract. Returns its
 * path.
 */
export function generateClients(names) {
  const folder = here(`../.work/client-${names.length}`);
  rmSync(folder, { recursive: true, force: true });
  const write = (path, text) => {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  };
  write("package.json", '{ "type": "module", "sideEffects": false }');
  write("things.ridl", ridlOf(names));
  write(
    "ridl.config.yaml",
    "schema:\n  - things.ridl\nout: ridlkit\nemit: [defaults, query: react, schemas]\n",
  );
  write("openapi.json", openApiOf(names));
  write("proto/things.proto", protoOf(names));
  write("buf.yaml", "version: v2\nmodules:\n  - path: proto\n");
  write(
    "buf.gen.yaml",
    "version: v2\nplugins:\n  - local: protoc-gen-es\n    out: connect\n    opt: target=js\n",
  );
  write(
    "hey-api.config.mjs",
    `export default {
  input: "openapi.json",
  output: { path: "hey-api" },
  plugins: ["@hey-api/typescript", "@hey-api/sdk", "@hey-api/client-fetch"],
  logs: { level: "silent" },
};
`,
  );
  runProcess([node, join(root, "bin/ridl.js"), "generate"], folder);
  const openApi = here("../node_modules/@hey-api/openapi-ts/bin/run.js");
  runProcess([node, openApi, "-f", "hey-api.config.mjs"], folder);
  const path = `PATH=${here("../node_modules/.bin")}:${process.env.PATH}`;
  runProcess(["env", path, "buf", "generate"], folder);
  return folder;
}

/** Bundles a module for browsers, minified by default. */
export async function bundle(
  source,
  folder,
  { alias = {}, isMinified = true } = {},
) {
  const { outputFiles } = await build({
    stdin: { contents: source, resolveDir: folder, loader: "ts" },
    bundle: true,
    minify: isMinified,
    format: "esm",
    platform: "browser",
    target: "es2022",
    alias,
    define: { "process.env.NODE_ENV": '"production"' },
    write: false,
  });
  return outputFiles[0].text;
}

/** Returns the size of text in bytes, compressed by gzip. */
export function gzipped(text) {
  return gzipSync(text, { level: 9 }).length;
}
