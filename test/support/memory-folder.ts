import { readFileSync, statfsSync } from "node:fs";

const folder = "/dev/shm";

/** The databases of a run take up less than half of this. */
const minBytes = 4 * 2 ** 30;

/**
 * Returns an in-memory folder that has room for the files that tests write and
 * that allows programs to run. Returns null if the system has none, as in
 * containers.
 */
export function memoryFolder(): string | null {
  try {
    const mounts = readFileSync("/proc/mounts", "utf8").split("\n");
    const mount = mounts.find((each) => each.split(" ")[1] === folder);
    if (mount === undefined || /\bnoexec\b/u.test(mount)) return null;
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize < minBytes ? null : folder;
  } catch {
    return null;
  }
}
