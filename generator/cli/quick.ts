import { posix, resolve } from "node:path";
import type { System } from "./system/system.js";
import { createNodeSystem } from "./node/node-system.js";
import {
  findChanged,
  isFileKept,
  isOutputKept,
  readManifest,
} from "./output/up-to-date.js";
import {
  createProject,
  findConfig,
  readSimpleConfig,
} from "./project/project.js";

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
    const file = findConfig({}, system);
    const config = readSimpleConfig(file);
    if (config === null) return false;
    const { value: project, diagnostics } = createProject(file, config, system);
    const out = resolve(project.root, config.out);
    const manifest = readManifest(out, system);
    if (manifest === null || diagnostics.length > 0) return false;
    const isKept = (path: string, hash: string): boolean =>
      isFileKept(posix.join(project.root, path), hash, system);
    const changed = findChanged(project, isKept, manifest, system);
    return changed?.length === 0 && isOutputKept(manifest, out, system);
  } catch {
    // Whoever does it in full says what is wrong.
    return false;
  }
}
