// Bundles the platform in a folder, such as a checkout of the last release, into
// the file that the upgrade tests start beside the current version:
//   node scripts/bundle-version.js ../last-release
// Packages from the registry are not included.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, parse, resolve } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { build } from "esbuild";

const root = resolve(process.argv[2] ?? ".");
const prefix = "@ridlkit/runtime/";
const runtime = JSON.parse(
  readFileSync(join(root, "runtime/typescript/package.json"), "utf8"),
);
const runtimeSources = {
  name: "runtime-sources",
  setup: ({ onResolve }) =>
    onResolve({ filter: /^@ridlkit\/runtime\// }, ({ path }) => ({
      path: join(
        root,
        runtime.exports[`./${path.slice(prefix.length)}`]
          .replace("./dist/", "runtime/typescript/")
          .replace(/\.js$/, ".ts"),
      ),
    })),
};
const { outputFiles } = await build({
  absWorkingDir: root,
  entryPoints: ["platform/main.ts"],
  plugins: [runtimeSources],
  packages: "external",
  bundle: true,
  minify: true,
  legalComments: "none",
  format: "esm",
  platform: "node",
  target: "node20",
  write: false,
  logLevel: "error",
  tsconfigRaw: {},
});
const read = (path) => readFileSync(join(root, "platform", path), "utf8");
const sources = readdirSync(join(root, "platform/database/migrations"));
const scripts = sources
  .filter((name) => name.endsWith(".sql"))
  .map((name) => [name, read(`database/migrations/${name}`)]);
const version = {
  migrations: sources
    .filter((name) => /^\d/.test(name))
    .map((name) => parse(name).name),
  files: {
    "main.js": outputFiles[0].text,
    "guard.js": read("process/programs/guard.js"),
    "config.yaml": read("config.yaml"),
    "network-facts.yaml": read("settings/network-facts.yaml"),
    ...Object.fromEntries(scripts),
  },
};
writeFileSync(
  "platform/test/upgrade/version-before.br",
  brotliCompressSync(JSON.stringify(version)),
);
