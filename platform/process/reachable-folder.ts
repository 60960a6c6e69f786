import { createHash } from "node:crypto";
import { statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

import type { Account } from "./account.js";

/** Where root keeps what an account without rights cannot reach elsewhere. */
const fallbackFolder = "/var/lib/ridlkit-platform";

/**
 * A folder that a program of this account can get at: the given one if all
 * folders above it let everybody pass, as those in a home of root do not; else
 * one of its own outside, always the same for the same folder.
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

/** Whether everybody may pass through a folder and all above it. */
export function isReachable(folder: string): boolean {
  const stats = statSync(folder, { throwIfNoEntry: false });
  const isOpen = stats === undefined || (stats.mode & 0o001) !== 0;
  const parent = dirname(folder);
  return isOpen && (parent === folder || isReachable(parent));
}
