import { EndlessModuleError } from "../system/system.js";

/** How long a thread must ignore its own timer before it is interrupted. */
const graceMs = 1_000;

/**
 * Runs code of a module for a limited time. A timer ends code that waits. Code that
 * never waits blocks timers, so a second thread interrupts it.
 *
 * Errors: everything that the code throws, and {@link EndlessModuleError}.
 */
export type LimitTime = <Result>(
  module: string,
  milliseconds: number,
  run: () => Result | Promise<Result>,
) => Promise<Result>;

/**
 * Creates a function that limits the time of code in the main thread. It starts a
 * thread only if all that it has started are in use, because a start takes 45 ms.
 */
export function createTimeLimit(): LimitTime {
  const idle: Watcher[] = [];
  return async (module, milliseconds, run) => {
    const watcher = idle.pop() ?? (await startWatcher());
    // An interrupt also drops what other code has queued, so let that run first.
    await new Promise(setImmediate);
    let isLate = false;
    let release = (): void => {};
    const late = new Promise<never>((_, reject) => {
      const fail = (fact: string): void =>
        reject(new EndlessModuleError(module, fact));
      watcher.begin(milliseconds + graceMs);
      const timer = setTimeout(() => {
        isLate = true;
        watcher.stop();
        fail(`takes longer than ${milliseconds / 1000} s`);
      }, milliseconds).unref();
      // Nothing is left that could settle what the code waits for.
      const onIdle = (): void => fail("waits for a promise that never settles");
      process.once("beforeExit", onIdle);
      release = () => {
        clearTimeout(timer);
        process.off("beforeExit", onIdle);
        watcher.end();
        if (!isLate) idle.push(watcher);
      };
    });
    try {
      // An interrupt ends the task that runs, which must not be this function.
      return await Promise.race([late, Promise.resolve().then(run)]);
    } finally {
      release();
    }
  };
}

/** A thread that interrupts the main thread unless the time ends before. */
interface Watcher {
  readonly begin: (milliseconds: number) => void;
  readonly end: () => void;
  /** Ends the thread, which does not watch again after an interrupt. */
  readonly stop: () => void;
}

async function startWatcher(): Promise<Watcher> {
  const { Worker } = process.getBuiltinModule("node:worker_threads");
  // The time in milliseconds, or 0 while there is nothing to watch.
  const time = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(`(${interruptWhenLate.toString()})();`, {
    eval: true,
    execArgv: [],
    workerData: time,
  });
  // Without an inspector, as in some builds of Node, only code that waits ends.
  worker.on("error", () => {});
  await new Promise((resolve) =>
    worker.once("online", resolve).once("exit", resolve),
  );
  worker.unref();
  const set = (milliseconds: number): void => {
    Atomics.store(time, 0, milliseconds);
    Atomics.notify(time, 0);
  };
  const stop = (): void => void worker.terminate();
  return { begin: set, end: () => set(0), stop };
}

/** Runs as a program of its own in the second thread, until it interrupts. */
function interruptWhenLate(): void {
  const { workerData } = process.getBuiltinModule("node:worker_threads");
  const { Session } = process.getBuiltinModule("node:inspector");
  const time: Int32Array = workerData;
  for (;;) {
    Atomics.wait(time, 0, 0);
    const milliseconds = Atomics.load(time, 0);
    if (milliseconds === 0) continue;
    if (Atomics.wait(time, 0, milliseconds, milliseconds) === "timed-out")
      break;
  }
  const session = new Session();
  session.connectToMainThread();
  session.post("Runtime.terminateExecution", () => session.disconnect());
}
