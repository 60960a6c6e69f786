// Bundles the command line, and what programs import, into dist/cli: a few files
// instead of three hundred, because most of a small run was loading (decision 12),
// and no package to install besides (decision 40).
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));
const out = join(root, "dist/cli");

/** How everything is bundled. */
const options = {
  absWorkingDir: root,
  outdir: out,
  bundle: true,
  format: "esm",
  platform: "node",
  target: "node20",
  // Names stay, so that a crash report can be read.
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: "none",
  // What was written for CommonJS asks for Node's modules by `require`.
  banner: {
    js: 'import { createRequire as makeRequire } from "node:module";const require = makeRequire(import.meta.url);',
  },
};

const { metafile } = await build({
  ...options,
  entryPoints: [
    "generator/cli/main.ts",
    "generator/cli/node/node-system.ts",
    "generator/index.ts",
  ],
  entryNames: "[name]",
  chunkNames: "[name]-[hash]",
  splitting: true,
  metafile: true,
});
// One file without any package, for runs that change nothing. CommonJS, so that
// Node need not load what it has for ES modules.
await build({
  ...options,
  entryPoints: ["generator/cli/quick.ts"],
  outExtension: { ".js": ".cjs" },
  format: "cjs",
  define: { "import.meta.url": "moduleUrl" },
  banner: {
    js: 'const moduleUrl = require("node:url").pathToFileURL(__filename).href;',
  },
});

/** Folders of the packages that went in. */
const packages = new Set(
  Object.keys(metafile.inputs).flatMap(
    (path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/u.exec(path)?.[0] ?? [],
  ),
);

function readNotice(folder) {
  const { name, version, license } = JSON.parse(
    readFileSync(join(root, folder, "package.json"), "utf8"),
  );
  const text = ["LICENSE", "LICENSE.md", "LICENSE.txt", "License.txt"]
    .map((file) => {
      try {
        return readFileSync(join(root, folder, file), "utf8");
      } catch {
        return null;
      }
    })
    .find((text) => text !== null);
  if (text === undefined) throw new Error(`${name} has no licence text`);
  return `${name} ${version} (${license})\n\n${text.trim()}\n`;
}

const notices = [...packages].sort().map(readNotice);
writeFileSync(
  join(out, "THIRD-PARTY-NOTICES.txt"),
  `The files beside this one contain the following packages.\n\n${notices.join(`\n${"-".repeat(80)}\n\n`)}`,
);
