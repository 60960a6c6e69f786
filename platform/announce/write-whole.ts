import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Writes JSON that only its owner can read. It renames a temporary file, so
 * that readers never see a partial file.
 */
export function writeWhole(path: string, value: unknown): void {
  mkdirSync(dirname(path), { recursive: true });
  const unfinished = `${path}.${process.pid}`;
  writeFileSync(unfinished, `${JSON.stringify(value, null, 2)}\n`, {
    mode: 0o600,
  });
  renameSync(unfinished, path);
}
