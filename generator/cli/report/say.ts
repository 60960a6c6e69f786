import type { System } from "../system/system.js";
import type { Format } from "./report.js";

/**
 * Writes what a run did to standard output, line by line. Programs, which ask
 * for another format than text, learn it from the exit code.
 */
export function say(
  lines: readonly string[],
  format: Format,
  { stdout }: System,
): void {
  if (format !== "text") return;
  stdout.write(lines.map((line) => `${line}\n`).join(""));
}
