import { renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

import { makeFolder } from "../process/programs/make-folder.js";

/**
 * Writes a JSON file that only its owner can read. Renames a temporary file, so
 * readers never see a partial one.
 */
export function writeAtomically(path: string, value: unknown): void {
  makeFolder(dirname(path));
  const unfinished = `${path}.${process.pid}`;
  writeFileSync(unfinished, `${JSON.stringify(value, null, 2)}\n`, {
    mode: 0o600,
  });
  renameSync(unfinished, path);
}
