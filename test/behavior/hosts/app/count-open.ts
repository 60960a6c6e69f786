import { endsWithRequest } from "../../../../runtime/typescript/server/model/request-scope.js";

/** The timers of this process that have neither fired nor been canceled. */
const timers = new Set<unknown>();
const { clearTimeout: clear, setTimeout: start } = globalThis;

/** Returns the number of timers that keep the process alive. */
export function timerCount(): number {
  // Workers cancels the timers of a request that ends, without running any code.
  if (endsWithRequest()) return 0;
  return [...timers].filter(keepsAlive).length;
}

function keepsAlive(timer: unknown): boolean {
  const { hasRef } = Object(timer) as { hasRef?: () => boolean };
  return hasRef === undefined || hasRef.call(timer);
}

Object.assign(globalThis, {
  setTimeout: (callback: (...words: unknown[]) => void, ms?: number) => {
    const timer = start(() => {
      timers.delete(timer);
      callback();
    }, ms);
    timers.add(timer);
    return timer;
  },
  clearTimeout: (timer: ReturnType<typeof start>) => {
    timers.delete(timer);
    clear(timer);
  },
});
