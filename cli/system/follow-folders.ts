import { posix } from "node:path/posix";
import { type AbsolutePath, parentOf } from "./paths.js";
import { codeOf, FileError, type System } from "./system.js";

/** Watches a list of folders. */
export interface FollowedFolders {
  /**
   * Replaces the list. Folders that are in both lists and have not been replaced
   * keep their watchers.
   */
  follow(folders: readonly AbsolutePath[]): void;
  /** Stops watching for good. */
  stop(): void;
}

/** A watcher and the folder that it was started for. */
interface Watched {
  readonly identity: string | null;
  /** Whether the folder may have been replaced since. */
  isStale: boolean;
  stop: () => void;
}

/**
 * Creates a watcher for folders. Calls `onChange` whenever an entry of one of
 * them changes or, while a folder is missing, an entry of its nearest existing
 * parent. Subfolders are not watched.
 *
 * Calls `onFault` if a folder cannot be watched, and not again before its entries
 * change.
 */
export function followFolders(
  system: Pick<System, "identify" | "watch">,
  onChange: () => void,
  onFault: (fault: FileError) => void,
): FollowedFolders {
  const watched = new Map<AbsolutePath, Watched>();
  /** Folders that could not be watched, and whether that was reported. */
  const failed = new Map<AbsolutePath, { isReported: boolean }>();
  let isStopped = false;

  const fail = (folder: AbsolutePath, error: unknown): void => {
    if (failed.get(folder)?.isReported === true) return;
    failed.set(folder, { isReported: true });
    onFault(toFault(folder, error));
  };

  const start = (folder: AbsolutePath, identity: string | null): void => {
    const started: Watched = { identity, isStale: false, stop: () => {} };
    const change = (name: string | null): void => {
      failed.delete(folder);
      // On Linux, a folder that is removed or moved reports its own name.
      if (name === posix.basename(folder)) started.isStale = true;
      onChange();
    };
    const end = (error: unknown): void => {
      if (watched.get(folder) === started) watched.delete(folder);
      const isGone = system.identify(folder) !== identity;
      // A second failure in a row is not a change, or each refresh that it
      // causes would fail again.
      if (!isGone && failed.has(folder)) return fail(folder, error);
      if (!isGone) failed.set(folder, { isReported: false });
      onChange();
    };
    try {
      started.stop = system.watch(folder, change, end);
      watched.set(folder, started);
    } catch (error) {
      if (system.identify(folder) !== identity) return onChange();
      fail(folder, error);
    }
  };

  return {
    follow: (folders) => {
      if (isStopped) return;
      const wanted = new Set(folders.map((each) => findExisting(each, system)));
      for (const folder of wanted) {
        const identity = system.identify(folder);
        const before = watched.get(folder);
        if (before?.isStale === false && before.identity === identity) continue;
        watched.delete(folder);
        // Starts before the old watcher stops, so that no change is missed.
        start(folder, identity);
        before?.stop();
      }
      for (const [folder, { stop }] of watched) {
        if (wanted.has(folder)) continue;
        watched.delete(folder);
        stop();
      }
    },
    stop: () => {
      isStopped = true;
      for (const { stop } of watched.values()) stop();
      watched.clear();
    },
  };
}

/** Returns a folder or, if it is missing, its nearest existing parent. */
function findExisting(
  folder: AbsolutePath,
  system: Pick<System, "identify">,
): AbsolutePath {
  const parent = parentOf(folder);
  return parent === folder || system.identify(folder) !== null
    ? folder
    : findExisting(parent, system);
}

function toFault(folder: AbsolutePath, error: unknown): FileError {
  const isLimit = ["EMFILE", "ENOSPC"].includes(codeOf(error));
  if (!isLimit) return new FileError(folder, "watch", error);
  return new FileError(
    folder,
    "watch",
    "programs already watch as many files as the system allows",
    "close other programs that watch files or, on Linux, raise `fs.inotify.max_user_watches` and `fs.inotify.max_user_instances`",
  );
}
