// Bundles the command line into dist/cli, a few files instead of three hundred:
// most of a small run was loading. Decision 12 has the figures.
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));
const out = join(root, "dist/cli");
const { dependencies } = JSON.parse(
  readFileSync(join(root, "package.json"), "utf8"),
);
/** What `ridl package` alone loads, the compiler inside of it included. */
const external = ["ts-morph"];

/** Handlebars is loaded when the first template is filled; few runs do. */
const lazyTemplates = {
  name: "lazy-templates",
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^handlebars$/ }, ({ importer }) =>
      importer.endsWith("templates.ts")
        ? { path: "handlebars", namespace: "lazy" }
        : null,
    );
    onLoad({ filter: /.*/, namespace: "lazy" }, () => ({
      contents:
        'export default { create: () => require("handlebars").create() };',
      resolveDir: root,
    }));
  },
};

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
  external,
  plugins: [lazyTemplates],
  // What was written for CommonJS asks for Node's modules by `require`.
  banner: {
    js: 'import { createRequire as makeRequire } from "node:module";const require = makeRequire(import.meta.url);',
  },
};

const { metafile } = await build({
  ...options,
  entryPoints: ["generator/cli/main.ts", "generator/cli/node/node-host.ts"],
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
  const text = ["LICENSE", "LICENSE.md", "LICENSE.txt"]
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

for (const name of Object.keys(dependencies)) {
  if (
    !external.includes(name) &&
    ![...packages].some((folder) => folder.endsWith(`node_modules/${name}`))
  ) {
    throw new Error(`${name} is not in ${relative(root, dirname(out))}`);
  }
}
