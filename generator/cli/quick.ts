import { resolve } from "node:path";
import type { System } from "./system/system.js";
import { createNodeSystem } from "./node/node-system.js";
import { configFileName, defaultOutput } from "./config/config.js";
import { areKept, readManifest } from "./output/up-to-date.js";
import { hashText, type Manifest } from "./project/manifest.js";
import { findDocuments, readConfigFile } from "./project/project.js";

/**
 * Does what `ridl generate` does when nothing changed: it says so. Bundled on
 * its own, with nothing that only other runs need, because loading that takes
 * longer than the work.
 *
 * Output: whether that was all; else nothing happened.
 */
export function generateQuickly(system: System = createNodeSystem()): boolean {
  if (!hasNothingToDo(system)) return false;
  system.stdout.write("nothing changed\n");
  return true;
}

function hasNothingToDo(system: System): boolean {
  try {
    const file = readConfigFile({}, system);
    if (file === null) return false;
    const out = resolve(file.root, guessOutput(file.text));
    const manifest = readManifest(out, system);
    return (
      manifest !== null &&
      manifest.version === system.version &&
      manifest.inputs.get(configFileName) === hashText(file.text) &&
      hasSameDocuments(manifest, file.root, system) &&
      areKept(manifest.inputs, file.root, system) &&
      areKept(manifest.files, out, system)
    );
  } catch {
    // Whoever does it in full says what is wrong.
    return false;
  }
}

/**
 * Where the manifest of the last run may be. A wrong guess finds none that has
 * the hash of this configuration, so YAML need not be loaded to be sure.
 */
function guessOutput(config: string): string {
  const [, out] = /^out: *["']?([^"'#\s]+)/mu.exec(config) ?? [];
  return out ?? defaultOutput;
}

function hasSameDocuments(
  { documents, schema }: Manifest,
  root: string,
  system: System,
): boolean {
  const found = schema.map((each) => findDocuments(each, root, system));
  const paths = new Set(found.flatMap(({ paths }) => paths));
  return (
    found.every(({ paths }) => paths.length > 0) &&
    JSON.stringify([...paths]) === JSON.stringify(documents)
  );
}
