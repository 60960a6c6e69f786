import { readFileSync } from "node:fs";

/** A case that fails on a host. */
export interface Exception {
  readonly host: string;
  /** The name of the case. */
  readonly name: string;
  readonly reason: string;
}

/**
 * The cases in `exceptions.txt`, whose lines have the form
 * `host | case | reason`.
 */
export const exceptions: readonly Exception[] = readFileSync(
  new URL("exceptions.txt", import.meta.url),
  "utf8",
)
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))
  .map((line) => {
    const [host = "", name = "", reason = ""] = line.split(" | ");
    return { host, name, reason };
  });

/** Whether a case fails on a host. */
export function isException(host: string, name: string): boolean {
  return exceptions.some((each) => each.host === host && each.name === name);
}
