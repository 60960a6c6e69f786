/** The interval between checks whether npm is still running. */
const watchMs = 250;

/**
 * Settles when this process should exit: on Ctrl-C, on a signal, or when the
 * npm process that started it exits, because npm does not always forward
 * signals.
 */
export function waitForEnd(): Promise<void> {
  return new Promise((resolve) => {
    // Do not use `once`, because npm and the terminal may both send the signal.
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
      process.on(signal, () => resolve());
    }
    if (process.env["npm_lifecycle_event"] === undefined) return;
    const parent = process.ppid;
    const timer = setInterval(() => {
      if (process.ppid === parent) return;
      clearInterval(timer);
      resolve();
    }, watchMs);
    timer.unref();
  });
}
