import { dirname } from "node:path";
import { explainFailure } from "./failure.js";
import type { CliHost } from "./host.js";
import type { Format } from "./report/report.js";

/** What one run came to. */
export interface RunResult {
  readonly exitCode: number;
  /** Absolute folders whose contents the result depends on. */
  readonly folders: readonly string[];
}

/** Editors write a file in several steps; a run waits for this much quiet. */
const quietMs = 60;

/**
 * Runs again whenever one of the folders that the last run depended on
 * changes, until the user interrupts. Faults of any kind are shown, and
 * watching goes on.
 *
 * Output: the exit code of the last run.
 */
export async function watchRuns(
  run: () => Promise<RunResult>,
  format: Format,
  host: CliHost,
): Promise<number> {
  const changes = createSignal();
  let isStopped = false;
  void host.untilInterrupted().then(() => {
    isStopped = true;
    changes.raise();
  });
  let folders: readonly string[] = [host.workingFolder];
  let stop = (): void => {};
  let exitCode = 0;
  while (!isStopped) {
    try {
      const result = await run();
      exitCode = result.exitCode;
      // A run that failed early knows fewer folders; the old ones still count.
      folders = [...new Set([...(exitCode ? folders : []), ...result.folders])];
    } catch (error) {
      exitCode = explainFailure(error, format, host);
    }
    // The old watchers are alive until here: what changed meanwhile is known.
    stop();
    stop = host.watch(existing(folders, host), changes.raise);
    await changes.settled(quietMs);
  }
  stop();
  return exitCode;
}

/** The folders, or the nearest ones above that exist. */
function existing(folders: readonly string[], host: CliHost): string[] {
  const found = folders.map((folder) => {
    let path = folder;
    while (host.listFolder(path) === null && dirname(path) !== path) {
      path = dirname(path);
    }
    return path;
  });
  return [...new Set(found)];
}

/** Something that happens at any time, and is waited for. */
interface Signal {
  readonly raise: () => void;
  /** Resolves once it was raised, and then not raised again for a while. */
  settled(quietMs: number): Promise<void>;
}

function createSignal(): Signal {
  let isRaised = false;
  let wake = (): void => {};
  return {
    raise: () => {
      isRaised = true;
      wake();
    },
    settled: async (quietMs) => {
      if (!isRaised) await new Promise<void>((resolve) => (wake = resolve));
      while (isRaised) {
        isRaised = false;
        await new Promise((resolve) => setTimeout(resolve, quietMs));
      }
    },
  };
}
