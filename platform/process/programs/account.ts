import { readFileSync } from "node:fs";

/** An operating system account that a program can run as. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/**
 * Returns an unprivileged account for PostgreSQL, which refuses to run as root.
 *
 * Returns null if this process does not run as root.
 * Errors: Error if there is no such account.
 */
export function unprivilegedAccount(): Account | null {
  if (process.getuid?.() !== 0) return null;
  const entries = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .map((line) => line.split(":"));
  const entry = entries.find(([name]) => name === "nobody");
  const [, , uid, gid] = entry ?? [];
  if (uid === undefined || gid === undefined) {
    throw new Error(
      "PostgreSQL refuses to run as root, and there is no `nobody` account; " +
        "run the platform as another user, or set DATABASE_URL",
    );
  }
  return { uid: Number(uid), gid: Number(gid) };
}
