import { createHash } from "node:crypto";
import { statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

import type { Account } from "./account.js";

/**
 * The folder for root's data if an unprivileged account cannot access the usual
 * location.
 */
const fallbackFolder = "/var/lib/ridlkit-platform";

/**
 * Returns a folder that an account's programs can access. This is the given
 * folder if everyone can traverse its parents, which is not the case in root's
 * home directory. Otherwise, it is a folder elsewhere, which is always the same
 * for the same input.
 */
export function reachableFolder(
  folder: string,
  account: Account | null,
): string {
  const path = resolve(folder);
  if (account === null || isReachable(dirname(path))) return path;
  const name = createHash("sha256").update(path).digest("hex").slice(0, 12);
  return join(fallbackFolder, name);
}

/** Returns whether everyone can traverse a folder and its parents. */
export function isReachable(folder: string): boolean {
  const stats = statSync(folder, { throwIfNoEntry: false });
  const isOpen = stats === undefined || (stats.mode & 0o001) !== 0;
  const parent = dirname(folder);
  return isOpen && (parent === folder || isReachable(parent));
}
