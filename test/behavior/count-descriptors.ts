import { readdirSync, readlinkSync } from "node:fs";
import { join } from "node:path";

/** What a descriptor of a socket leads to. */
export const socketName = /^socket:/u;

/** What a descriptor of a regular file leads to. */
export const fileName = /^\/(?!dev|proc)/u;

/**
 * Returns the number of descriptors of a process that lead to such a name, or 0
 * without `/proc`.
 */
export function countDescriptors(
  name: RegExp,
  pid: number | "self" = "self",
): number {
  const folder = `/proc/${pid}/fd`;
  const isCounted = (descriptor: string): boolean => {
    try {
      return name.test(readlinkSync(join(folder, descriptor)));
    } catch {
      // It has been closed in the meantime, like the handle of the folder itself.
      return false;
    }
  };
  return list(folder).filter(isCounted).length;
}

function list(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
