import { posix, resolve } from "node:path";
import type { CliHost } from "./host.js";
import { createNodeHost } from "./node/node-host.js";
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
export function generateQuickly(host: CliHost = createNodeHost()): boolean {
  if (!hasNothingToDo(host)) return false;
  if (host.stdout.isTerminal) host.stdout.write("nothing changed\n");
  return true;
}

function hasNothingToDo(host: CliHost): boolean {
  try {
    const file = findConfig({}, host);
    const config = readSimpleConfig(file);
    if (config === null) return false;
    const { value: project, diagnostics } = createProject(file, config, host);
    const out = resolve(project.root, config.out);
    const manifest = readManifest(out, host);
    if (manifest === null || diagnostics.length > 0) return false;
    const isKept = (path: string, hash: string): boolean =>
      isFileKept(posix.join(project.root, path), hash, host);
    const changed = findChanged(project, isKept, manifest, host);
    return changed?.length === 0 && isOutputKept(manifest, out, host);
  } catch {
    // Whoever does it in full says what is wrong.
    return false;
  }
}
