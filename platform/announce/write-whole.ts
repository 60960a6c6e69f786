import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Writes JSON that only its owner reads, by renaming: whoever waits for the file
 * never finds half of it.
 */
export function writeWhole(path: string, value: unknown): void {
  mkdirSync(dirname(path), { recursive: true });
  const unfinished = `${path}.${process.pid}`;
  writeFileSync(unfinished, `${JSON.stringify(value, null, 2)}\n`, {
    mode: 0o600,
  });
  renameSync(unfinished, path);
}
