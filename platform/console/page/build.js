// Bundles the page into dist/console: `index.html`, plus scripts and styles
// with content hashes in their names, so that browsers can cache them. Each
// file has a compressed copy.
import {
  cpSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { constants, gzipSync } from "node:zlib";
import { build } from "esbuild";

const here = fileURLToPath(new URL(".", import.meta.url));
const out = join(here, "../../../dist/console");

rmSync(out, { recursive: true, force: true });
const { metafile } = await build({
  absWorkingDir: here,
  entryPoints: ["main.tsx", "styles/main.css"],
  entryNames: "console-[hash]",
  chunkNames: "[name]-[hash]",
  outdir: out,
  bundle: true,
  splitting: true,
  format: "esm",
  target: "es2022",
  jsx: "automatic",
  charset: "utf8",
  minify: true,
  legalComments: "none",
  define: { "process.env.NODE_ENV": '"production"' },
  metafile: true,
  logLevel: "warning",
});

function outputOf(source) {
  const entry = Object.entries(metafile.outputs).find(
    ([, { entryPoint }]) => entryPoint === source,
  );
  if (entry === undefined)
    throw new Error(`no output was built from ${source}`);
  return [basename(entry[0]), entry[1]];
}

const [script, { imports }] = outputOf("main.tsx");
const [styles] = outputOf("styles/main.css");
// Without these, the browser would only find the imports in the script.
const preloads = imports
  .filter(({ kind }) => kind === "import-statement")
  .map(({ path }) => `<link rel="modulepreload" href="/${basename(path)}" />`);
const page = readFileSync(join(here, "index.html"), "utf8")
  .replace("<!-- preloads -->", preloads.join(""))
  .replace("main.js", script)
  .replace("main.css", styles);
writeFileSync(join(out, "index.html"), page);
cpSync(join(here, "../../../docs/site/assets/logo.svg"), join(out, "logo.svg"));

for (const name of readdirSync(out)) {
  const level = constants.Z_BEST_COMPRESSION;
  const bytes = gzipSync(readFileSync(join(out, name)), { level });
  writeFileSync(join(out, `${name}.gz`), bytes);
}
