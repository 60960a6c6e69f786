// Bundles the playground into dist/playground, with the runtime and the
// explorer that `npm run build` created. The result is static: any web server
// can serve it.
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = fileURLToPath(new URL(".", import.meta.url));
const root = join(here, "../..");
const out = join(root, "dist/playground");

/** Reads the files below a folder, as pairs of path and text. */
function readTexts(folder, pattern) {
  return readdirSync(folder, { recursive: true })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => pattern.test(path))
    .sort()
    .map((path) => [path, readFileSync(join(folder, path), "utf8")]);
}

const examples = ["shop", "orders", "chat"].map((name) => ({
  name,
  documents: readTexts(join(here, "examples", name), /\.ridl$/u),
}));

rmSync(out, { recursive: true, force: true });
mkdirSync(join(out, "explorer"), { recursive: true });
await build({
  absWorkingDir: here,
  entryPoints: [
    "main.ts",
    "worker/language-worker.ts",
    "mock/mock-worker.ts",
    "playground.css",
  ],
  entryNames: "[name]",
  outdir: out,
  bundle: true,
  format: "esm",
  splitting: true,
  target: "es2022",
  minify: true,
  define: { EXAMPLES: JSON.stringify(examples) },
});
await build({
  absWorkingDir: here,
  entryPoints: ["mock/frame.ts"],
  outdir: join(out, "explorer"),
  bundle: true,
  format: "iife",
  target: "es2022",
  minify: true,
});
// The logo is part of the page, which works without a network once it is loaded.
const logo = readFileSync(join(root, "docs/site/assets/logo.svg"), "base64");
const page = readFileSync(join(here, "index.html"), "utf8");
writeFileSync(
  join(out, "index.html"),
  page.replace('href="data:,"', `href="data:image/svg+xml;base64,${logo}"`),
);
cpSync(join(here, "mock/frame.html"), join(out, "explorer/frame.html"));
cpSync(join(root, "dist/explorer"), join(out, "explorer"), { recursive: true });

const runtime = readTexts(join(root, "runtime/typescript/dist"), /\.js$/u);
writeFileSync(join(out, "runtime.json"), JSON.stringify(runtime));
