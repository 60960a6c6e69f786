import { dirname } from "node:path";
import { explainFailure } from "../report/failure.js";
import type { System, Output } from "../system/system.js";
import { say, type Format } from "../report/report.js";

/** What one run came to. */
export interface RunResult {
  readonly exitCode: number;
  /** Absolute folders whose contents the result depends on. */
  readonly folders: readonly string[];
  /** Documents that were read, by absolute path; null where there was none. */
  readonly inputs: ReadonlyMap<string, string | null>;
}

/** Editors write a file in several steps; a run waits for this much quiet. */
const quietMs = 20;

/**
 * Runs again whenever one of the folders that the last run depended on
 * changes, until the user interrupts. Faults of any kind are shown, and
 * watching goes on.
 *
 * Input: `run` is given the system whose output it has to use.
 * Output: the exit code of the last run.
 */
export async function watchRuns(
  run: (system: System) => Promise<RunResult>,
  format: Format,
  system: System,
): Promise<number> {
  const changes = createSignal();
  let isStopped = false;
  void system.untilInterrupted().then(() => {
    isStopped = true;
    changes.raise();
  });
  let folders: readonly string[] = [system.workingFolder];
  let stop = system.watch(folders, changes.raise);
  let exitCode = 0;
  const news = createNews(format, system);
  // The first run may have nothing to say, and would look as if it hung.
  say(["watching for changes; press Ctrl-C to stop"], format, system);
  while (!isStopped) {
    try {
      const result = await run(news.system);
      exitCode = result.exitCode;
      // A run that failed early knows fewer folders; the old ones still count.
      folders = [...new Set([...(exitCode ? folders : []), ...result.folders])];
      // The old watchers are alive until the new ones are, so that nothing is
      // missed but in folders that are new: there a look at the files tells.
      const watchBefore = stop;
      stop = system.watch(existing(folders, system), changes.raise);
      watchBefore();
      news.tell(exitCode);
      if (hasChanged(result.inputs, system)) continue;
    } catch (error) {
      exitCode = explainFailure(error, format, news.system);
      news.tell(exitCode);
    }
    await changes.settled(quietMs);
  }
  stop();
  return exitCode;
}

/** What a run says, held back until it is known whether it is new. */
interface News {
  readonly system: System;
  /** Writes what the run said, unless that is no news. */
  tell(exitCode: number): void;
}

/**
 * Keeps runs from repeating the faults that the last one told of: changes of
 * foreign files are followed by runs, too, and what is told may go to such a
 * file. That files were written is always news to who looks on.
 */
function createNews(format: Format, system: System): News {
  let said: { readonly to: Output; readonly text: string }[] = [];
  let before = "";
  let wasFaulty = false;
  const hold = (to: Output): Output => ({
    get isTerminal() {
      return to.isTerminal;
    },
    write: (text) => said.push({ to, text }),
  });
  return {
    system: {
      ...system,
      stdout: hold(system.stdout),
      stderr: hold(system.stderr),
    },
    tell: (exitCode) => {
      const all = said.map(({ text }) => text).join("");
      const isNews = exitCode === 0 && format === "text";
      if (isNews || all !== before)
        for (const { to, text } of said) to.write(text);
      // A fault that is gone again must not be the last that people see.
      if (isNews && wasFaulty && all === "") {
        say(["nothing changed"], format, system);
      }
      wasFaulty = exitCode !== 0;
      before = all;
      said = [];
    },
  };
}

function hasChanged(inputs: RunResult["inputs"], system: System): boolean {
  return [...inputs].some(([path, text]) => system.readText(path) !== text);
}

/** The folders, or the nearest ones above that exist. */
function existing(folders: readonly string[], system: System): string[] {
  const found = folders.map((folder) => {
    let path = folder;
    while (system.listFolder(path) === null && dirname(path) !== path) {
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
