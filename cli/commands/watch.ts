import { followFolders } from "../system/follow-folders.js";
import { explainFailure } from "../report/failure.js";
import type { AbsolutePath } from "../system/paths.js";
import type { Output, RunningCommand, System } from "../system/system.js";
import { say, type Format } from "../report/report.js";

/** The result of one run. */
export interface RunResult {
  readonly exitCode: number;
  /** Folders whose contents the result depends on. */
  readonly folders: readonly AbsolutePath[];
  /** Text of each document by path, or null if it is missing. */
  readonly inputs: ReadonlyMap<AbsolutePath, string | null>;
}

/**
 * Editors save a file in several steps, so a run waits for a pause this long,
 * in milliseconds.
 */
const debounceMs = 20;

/** How many such pauses a run waits for, because some programs write all the time. */
const maxPauses = 50;

/**
 * Calls `run` once, and then again whenever one of the folders that the last
 * run depended on changes, until the user interrupts. Errors are shown and do
 * not stop the loop.
 *
 * `run` must write to the outputs of the system that it receives. The
 * commands start after the first run without errors, and the loop ends when one
 * of them ends. Returns the exit code of that command, or else that of the last
 * run.
 */
export async function watchRuns(
  run: (system: System) => Promise<RunResult>,
  format: Format,
  system: System,
  commands: readonly string[],
): Promise<number> {
  const changes = createSignal();
  let isStopped = false;
  const end = (): void => {
    isStopped = true;
    changes.raise();
  };
  void system.untilInterrupted().then(end);
  let running: readonly RunningCommand[] | null = null;
  let commandCode: number | null = null;
  const start = (text: string): RunningCommand => {
    const started = system.startCommand(text, system.workingFolder);
    void started.ended.then((code) => {
      if (!isStopped) commandCode ??= code;
      end();
    });
    return started;
  };
  let folders: readonly AbsolutePath[] = [system.workingFolder];
  const watching = followFolders(system, changes.raise, (fault) => {
    explainFailure(fault, format, system);
  });
  let exitCode = 0;
  const news = bufferOutput(format, system);
  // Without this line, a first run that prints nothing would seem to hang.
  say(["watching for changes; press Ctrl-C to stop"], format, system);
  while (!isStopped) {
    try {
      // Before files are read, so that no change in these folders is missed.
      watching.follow(folders);
      const result = await run(news.system);
      exitCode = result.exitCode;
      // A failed run may return fewer folders, so also keep the previous
      // folders.
      folders = [...new Set([...(exitCode ? folders : []), ...result.folders])];
      // For new folders, `hasChanged` compares the inputs below.
      watching.follow(folders);
      news.flush(exitCode);
      if (exitCode === 0) running ??= commands.map(start);
      if (hasChanged(result.inputs, system)) continue;
    } catch (error) {
      exitCode = explainFailure(error, format, news.system);
      news.flush(exitCode);
    }
    await changes.settled(debounceMs);
  }
  watching.stop();
  for (const each of running ?? []) each.stop();
  await Promise.all((running ?? []).map(({ ended }) => ended));
  return commandCode ?? exitCode;
}

/** Buffers the output of a run until it is known whether the output is new. */
interface BufferedOutput {
  readonly system: System;
  /** Writes the output unless the output repeats the errors of the last run. */
  flush(exitCode: number): void;
}

/**
 * Creates a buffer that does not repeat the errors of the last run, because
 * changes to unrelated files, such as the file that the output is redirected
 * to, also trigger runs.
 */
function bufferOutput(format: Format, system: System): BufferedOutput {
  let buffer: { readonly to: Output; readonly text: string }[] = [];
  let before = "";
  let wasFaulty = false;
  const hold = (to: Output): Output => ({
    get isTerminal() {
      return to.isTerminal;
    },
    write: (text) => buffer.push({ to, text }),
  });
  return {
    system: {
      ...system,
      stdout: hold(system.stdout),
      stderr: hold(system.stderr),
    },
    flush: (exitCode) => {
      const all = buffer.map(({ text }) => text).join("");
      const isNews = exitCode === 0 && format === "text";
      if (isNews || all !== before)
        for (const { to, text } of buffer) to.write(text);
      // Also show that the last error is fixed.
      if (isNews && wasFaulty && all === "") {
        say(["nothing changed"], format, system);
      }
      wasFaulty = exitCode !== 0;
      before = all;
      buffer = [];
    },
  };
}

function hasChanged(inputs: RunResult["inputs"], system: System): boolean {
  return [...inputs].some(([path, text]) => {
    // A folder counts as a missing document.
    if (system.listFolder(path) !== null) return text !== null;
    return system.readText(path) !== text;
  });
}

/** A signal that can be raised at any time and awaited. */
interface Signal {
  readonly raise: () => void;
  /**
   * Resolves once the signal was raised and has been quiet for this long, or has
   * never been quiet for {@link maxPauses} times as long.
   */
  settled(debounceMs: number): Promise<void>;
}

function createSignal(): Signal {
  let isRaised = false;
  let wake = (): void => {};
  return {
    raise: () => {
      isRaised = true;
      wake();
    },
    settled: async (debounceMs) => {
      if (!isRaised) await new Promise<void>((resolve) => (wake = resolve));
      for (let pauses = 0; isRaised && pauses < maxPauses; pauses += 1) {
        isRaised = false;
        await new Promise((resolve) => setTimeout(resolve, debounceMs));
      }
      isRaised = false;
    },
  };
}
