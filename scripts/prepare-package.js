// Removes declarations from `dist` that the API of `ridlkit` does not reach, and
// writes the runtime that projects copy into one file for each language. The
// package would otherwise have a thousand files more.
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { publishedDeclarations } from "./published-declarations.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const dist = join(root, "dist");

const published = publishedDeclarations([join(dist, "cli/index.d.ts")]);
for (const name of readdirSync(dist, { recursive: true })) {
  const path = join(dist, name);
  if (name.endsWith(".d.ts") && !published.has(path)) rmSync(path);
}

const runtime = join(root, "runtime/typescript");
const copies = {
  typescript: [runtime, /^(?!dist|node_modules).*\.ts$/u],
  javascript: [join(runtime, "dist"), /\.[jt]s$/u],
};
mkdirSync(join(dist, "runtime"), { recursive: true });
for (const [language, [folder, pattern]] of Object.entries(copies)) {
  const texts = readdirSync(folder, { recursive: true })
    .map((name) => name.replaceAll("\\", "/"))
    .filter((name) => pattern.test(name))
    .sort()
    .map((name) => [name, readFileSync(join(folder, name), "utf8")]);
  writeFileSync(
    join(dist, `runtime/${language}.json`),
    JSON.stringify(Object.fromEntries(texts)),
  );
}
