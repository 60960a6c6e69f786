// Sends the requests of a document with the client that hey-api generates.
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { file, fileText } from "./expected.js";

/**
 * Generates a client. `packages` is the folder with `@hey-api/openapi-ts`. Returns
 * null if hey-api cannot read the document.
 */
export async function createHeyApi(path, folder, packages, fetch) {
  mkdirSync(folder, { recursive: true });
  const config = join(folder, "config.mjs");
  const settings = {
    input: path,
    output: join(folder, "out"),
    plugins: ["@hey-api/typescript", "@hey-api/sdk", "@hey-api/client-fetch"],
  };
  writeFileSync(config, `export default ${JSON.stringify(settings)};\n`);
  const command = resolve(packages, "node_modules/.bin/openapi-ts");
  const { status, stdout, stderr } = spawnSync(command, ["-f", config], {
    cwd: packages,
    encoding: "utf8",
    maxBuffer: 1e9,
  });
  if (status !== 0) {
    console.error((stdout + stderr).slice(-500));
    return null;
  }
  const entry = join(folder, "entry.ts");
  writeFileSync(
    entry,
    'export * as sdk from "./out/sdk.gen.js";\nexport { client } from "./out/client.gen.js";\n',
  );
  const outfile = join(folder, "client.mjs");
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    logLevel: "error",
  });
  const { client, sdk } = await import(pathToFileURL(outfile).href);
  client.setConfig({ baseUrl: "http://host", fetch });
  const source = readFileSync(join(folder, "out/sdk.gen.ts"), "utf8");
  const functions = new Map();
  const pattern =
    /export const (\w+) = (?:(?!export const )[^])*?\.(get|post|put|patch|delete|head|options)<(?:(?!export const )[^])*?url: '([^']*)'/gu;
  for (const [, name, verb, url] of source.matchAll(pattern)) {
    functions.set(`${verb} ${url}`, sdk[name]);
  }
  return ({ path: url, verb, values }) => {
    const call = functions.get(`${verb} ${url}`);
    if (call === undefined) return [];
    const at = (place) =>
      Object.fromEntries(
        values
          .filter((each) => each.in === place)
          .map((each) => [each.name, each.value]),
      );
    return [
      async (body) => {
        const options = {
          path: at("path"),
          query: at("query"),
          headers: at("header"),
          body: withFiles(body?.value),
        };
        await call(options);
      },
    ];
  };
}

/** Writes files in place of what stands for them. */
function withFiles(value) {
  if (value === file) return new Blob([fileText]);
  if (Array.isArray(value)) return value.map(withFiles);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, withFiles(each)]),
  );
}
