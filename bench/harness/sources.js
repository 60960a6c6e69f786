import { createHash } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { transform } from "esbuild";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** The runtime, and an example of all that is generated to use it. */
const served = ["runtime/typescript", "generated"];

/** The folders of the sources that each benchmark measures. */
export const measured = {
  client: served,
  connections: served,
  editor: ["cli", "generator", "tools"],
  generation: ["cli", "generator"],
  hostile: served,
  hosts: served,
  server: served,
  streams: served,
  typecheck: served,
  validation: served,
};

/**
 * Returns a hash of the sources that a benchmark measures. Comments, formatting
 * and types of sources do not count, because they have no effect on the figures.
 * Generated code counts as it is, because types are what `typecheck` measures.
 */
export async function hashSources(name, folder = root) {
  const paths = measured[name].flatMap((part) =>
    readdirSync(join(folder, part), { recursive: true })
      .filter(
        (path) =>
          path.endsWith(".ts") && !/^(?:dist|node_modules)\b/u.test(path),
      )
      .map((path) => `${part}/${path.replaceAll("\\", "/")}`),
  );
  const hash = createHash("sha256");
  for (const path of paths.sort()) {
    const text = readFileSync(join(folder, path), "utf8");
    const code = path.startsWith("generated/")
      ? text
      : await withoutTypes(text);
    if (code !== "") hash.update(`${path}\n${code}\n`);
  }
  return hash.digest("hex").slice(0, 16);
}

async function withoutTypes(text) {
  const { code } = await transform(text, {
    loader: "ts",
    minifyWhitespace: true,
    tsconfigRaw: {},
  });
  return code;
}

const hashLine = /^Hash of the measured sources: `([0-9a-f]+)`\.$/mu;

/** Adds the hash of the measured sources to a report. */
export async function withHash(name, report) {
  return `${report}\nHash of the measured sources: \`${await hashSources(name)}\`.\n`;
}

/**
 * Returns why the report of a benchmark does not describe the current sources,
 * or false if it does.
 */
export async function findStale(name, report, folder = root) {
  const [, hash] = hashLine.exec(report) ?? [];
  return (
    hash !== (await hashSources(name, folder)) &&
    `bench/results/${name}.md measured other sources; run \`npm run bench -- ${name}\``
  );
}
