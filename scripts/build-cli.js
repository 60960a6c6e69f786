// Bundles the command line, and what programs import, into dist/cli: a few files
// instead of three hundred, because most of a small run was loading (decision 12),
// and no package to install besides (decision 40).
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { keepReachable } from "./keep-reachable.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const out = join(root, "dist/cli");
// Resolved from ts-morph, which has its own copy of the compiler.
const fromMorph = createRequire(
  createRequire(import.meta.url).resolve("ts-morph"),
);

const common = fromMorph("@ts-morph/common");

/**
 * Of ts-morph what prints structures goes in, and of what that is made of: a
 * seventh of it. The compiler inside, which is never called for that, and is
 * nine tenths of what loading ts-morph costs, leaves its tables alone.
 */
const onlyPrinting = {
  name: "only-printing",
  setup({ onLoad }) {
    const morph = readPart(createRequire(import.meta.url), "ts-morph", [
      "printStructure",
      "StructureKind",
    ]);
    const wanted = [...morph.matchAll(/\bcommon\.(\w+)/gu)];
    const shared = readPart(fromMorph, "@ts-morph/common", [
      ...new Set(wanted.map(([, name]) => name)),
    ]);
    const names = new Set(`${morph}${shared}`.match(/\w+/gu));
    const load = (filter, contents) =>
      onLoad({ filter }, () => ({ contents, loader: "js" }));
    load(/ts-morph[\\/]dist[\\/]ts-morph\.js$/, morph);
    load(/ts-morph-common\.js$/, shared);
    load(
      /@ts-morph[\\/]common[\\/]dist[\\/]typescript\.js$/,
      writeCompilerTables(common.ts, names),
    );
  },
};

/** The part of a package that some of its exports need. */
function readPart(require, name, exported) {
  return keepReachable(
    common.ts,
    readFileSync(require.resolve(name), "utf8"),
    exported,
  );
}

/** Constants and enums of the compiler; its functions throw when called. */
function writeCompilerTables(compiler, names) {
  const entries = Object.entries(compiler).flatMap(([name, value]) => {
    if (name === "createScanner" || !names.has(name)) return [];
    if (typeof value === "function")
      return [`${name}: absent(${JSON.stringify(name)})`];
    return isTable(value) ? [`${name}: ${JSON.stringify(value)}`] : [];
  });
  return `
function absent(name) {
  return () => {
    throw new Error("the compiler's " + name + " is not in the bundle");
  };
}
// ts-morph asks it where a parameter ends; no comment follows one here.
function createScanner() {
  let text = "";
  let end = 0;
  return {
    setText(next) {
      text = next ?? "";
      end = 0;
    },
    scan() {
      const kinds = module.exports.SyntaxKind;
      if (end === text.length) return kinds.EndOfFileToken;
      end = text.length;
      return kinds.Identifier;
    },
    getTokenFullStart: () => end,
  };
}
module.exports = { createScanner, ${entries.join(",\n")} };
`;
}

function isTable(value) {
  if (typeof value === "string" || typeof value === "number") return true;
  if (typeof value !== "object" || value === null) return false;
  const values = Object.values(value);
  return (
    values.length > 0 &&
    values.every((each) => typeof each === "number" || typeof each === "string")
  );
}

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
  plugins: [onlyPrinting, lazyTemplates],
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
