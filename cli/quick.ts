import { type AbsolutePath, resolvePath } from "./system/paths.js";
import type { System } from "./system/system.js";
import { createNodeSystem } from "./node/node-system.js";
import { configFileName, guessOutput } from "./config/config.js";
import { areUnchanged, readManifest } from "./output/up-to-date.js";
import { hashText, type Manifest } from "./project/manifest.js";
import { findDocuments, readConfigFile } from "./project/project.js";

/**
 * Handles `ridl generate` if nothing changed. This file is bundled separately,
 * because loading the rest of the program takes longer. Returns true if nothing
 * changed.
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
    // A wrong guess is harmless, because no manifest there has the hash of this
    // configuration.
    const out = resolvePath(file.root, guessOutput(file.text));
    const manifest = readManifest(out, system);
    return (
      manifest !== null &&
      manifest.version === system.version &&
      manifest.inputs.get(configFileName) === hashText(file.text) &&
      hasSameDocuments(manifest, file.root, system) &&
      areUnchanged(manifest.inputs, file.root, system) &&
      areUnchanged(manifest.files, out, system)
    );
  } catch {
    // The full program reports the error.
    return false;
  }
}

function hasSameDocuments(
  { documents, schema }: Manifest,
  root: AbsolutePath,
  system: System,
): boolean {
  const found = schema.map((each) => findDocuments(each, root, system));
  const paths = new Set(found.flatMap(({ paths }) => paths));
  return (
    found.every(({ paths }) => paths.length > 0) &&
    JSON.stringify([...paths]) === JSON.stringify(documents)
  );
}
