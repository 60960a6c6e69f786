import { EndlessModuleError } from "../system/system.js";

/** How long a thread must ignore its own timer before it is interrupted. */
const graceMs = 1_000;

/**
 * Runs code of a module for a limited time. Works in the main thread only. A
 * timer ends code that waits. Code that never waits blocks timers, so a second
 * thread interrupts it.
 *
 * Errors: everything that the code throws, and {@link EndlessModuleError}.
 */
export async function limitTime<Result>(
  module: string,
  milliseconds: number,
  run: () => Result | Promise<Result>,
): Promise<Result> {
  const { Worker } = process.getBuiltinModule("node:worker_threads");
  const isAwake = new Int32Array(new SharedArrayBuffer(4));
  const watcher = new Worker(`(${interruptUnlessAwake.toString()})();`, {
    eval: true,
    execArgv: [],
    workerData: { isAwake, milliseconds: milliseconds + graceMs },
  });
  // Without an inspector, as in some builds of Node, only code that waits ends.
  watcher.on("error", () => {});
  // An interrupt also drops what other code has queued, so let that run first.
  await new Promise((resolve) =>
    watcher.once("online", resolve).once("exit", resolve),
  );
  watcher.unref();
  const wake = (): void => {
    Atomics.store(isAwake, 0, 1);
    Atomics.notify(isAwake, 0);
  };
  let release = (): void => {};
  const late = new Promise<never>((_, reject) => {
    const fail = (fact: string): void =>
      reject(new EndlessModuleError(module, fact));
    const timer = setTimeout(() => {
      wake();
      fail(`takes longer than ${milliseconds / 1000} s`);
    }, milliseconds).unref();
    // Nothing is left that could settle what the code waits for.
    const onIdle = (): void => fail("waits for a promise that never settles");
    process.once("beforeExit", onIdle);
    release = () => {
      clearTimeout(timer);
      process.off("beforeExit", onIdle);
      wake();
    };
  });
  try {
    // An interrupt ends the task that runs, which must not be this function.
    return await Promise.race([late, Promise.resolve().then(run)]);
  } finally {
    release();
  }
}

/**
 * Runs as a program of its own in the second thread. Interrupts the main thread
 * unless it wakes up in time.
 */
function interruptUnlessAwake(): void {
  const { workerData } = process.getBuiltinModule("node:worker_threads");
  const { Session } = process.getBuiltinModule("node:inspector");
  const { isAwake, milliseconds } = workerData;
  if (Atomics.wait(isAwake, 0, 0, milliseconds) !== "timed-out") return;
  const session = new Session();
  session.connectToMainThread();
  session.post("Runtime.terminateExecution", () => session.disconnect());
}
