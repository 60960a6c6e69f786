// Bundles the command line and the API into dist/cli. A few files load faster
// than three hundred (decision 12), and the package needs no dependencies
// (decision 40).
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));
const out = join(root, "dist/cli");

/** Options of all bundles. */
const options = {
  absWorkingDir: root,
  outdir: out,
  bundle: true,
  format: "esm",
  platform: "node",
  target: "node20",
  // Keep names, so that crash reports are readable.
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: "none",
  // CommonJS packages load Node.js modules with `require`.
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
// Runs that change nothing and the language server each get one file, without
// any package. They are CommonJS, so that Node.js does not load its support for
// ES modules.
await build({
  ...options,
  entryPoints: ["generator/cli/quick.ts", "generator/cli/serve.ts"],
  outExtension: { ".js": ".cjs" },
  format: "cjs",
  define: { "import.meta.url": "moduleUrl" },
  banner: {
    js: 'const moduleUrl = require("node:url").pathToFileURL(__filename).href;',
  },
});

/** Folders of the bundled packages. */
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
  if (text === undefined) throw new Error(`${name} has no license text`);
  return `${name} ${version} (${license})\n\n${text.trim()}\n`;
}

const notices = [...packages].sort().map(readNotice);
writeFileSync(
  join(out, "THIRD-PARTY-NOTICES.txt"),
  `The files next to this one contain the following packages.\n\n${notices.join(`\n${"-".repeat(80)}\n\n`)}`,
);
