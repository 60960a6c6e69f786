// Bundles the extension and its language server, and packs both into
// dist/ridl-<version>.vsix at the root of the repository.
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, rmSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, "../../..");
const stage = join(here, "dist/stage");

const options = {
  absWorkingDir: here,
  bundle: true,
  platform: "node",
  target: "node20",
  minify: true,
  // Keep names, so that crash reports are readable.
  keepNames: true,
  legalComments: "eof",
};

rmSync(join(here, "dist"), { recursive: true, force: true });
for (const path of [
  "package.json",
  "README.md",
  "language-configuration.json",
  "snippets",
  "syntaxes",
]) {
  cpSync(join(here, path), join(stage, path), { recursive: true });
}
cpSync(join(root, "LICENSE"), join(stage, "LICENSE"));

await build({
  ...options,
  entryPoints: ["src/extension.ts"],
  outfile: join(stage, "dist/extension.cjs"),
  format: "cjs",
  external: ["vscode"],
});
await build({
  ...options,
  entryPoints: ["src/server.ts"],
  outfile: join(stage, "dist/server.mjs"),
  format: "esm",
  banner: {
    js: 'import { createRequire as makeRequire } from "node:module";const require = makeRequire(import.meta.url);',
  },
});

const { version } = createRequire(import.meta.url)("./package.json");
const out = join(root, "dist", `ridl-${version}.vsix`);
mkdirSync(dirname(out), { recursive: true });
const { status } = spawnSync(
  process.execPath,
  [
    join(here, "node_modules/@vscode/vsce/vsce"),
    "package",
    "--no-dependencies",
    "--allow-missing-repository",
    "--out",
    out,
  ],
  { cwd: stage, stdio: "inherit" },
);
if (status === 0) {
  console.log(`${out}: ${Math.round(statSync(out).size / 1024)} KB`);
}
process.exitCode = status ?? 1;
