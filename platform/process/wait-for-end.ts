/** How often it is looked at whether npm is still there. */
const watchMs = 250;

/**
 * Settles when somebody wants this process to end: by Ctrl-C, by a signal, or by
 * ending the npm that has started it, which does not always pass signals on.
 */
export function waitForEnd(): Promise<void> {
  return new Promise((resolve) => {
    // Not once: npm and the terminal may both send it.
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
