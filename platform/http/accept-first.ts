import type { EventEmitter } from "node:events";

/**
 * Starts work immediately, or once all pending connections have been accepted.
 */
export type Start = (work: () => void) => void;

/**
 * The time after which requests start even if connections are still pending.
 */
const maxHoldMs = 500;

/**
 * Makes a server accept all pending connections before it starts requests.
 *
 * Node accepts one connection per event-loop iteration (libuv since 1.45) and
 * then handles all other events. A busy server runs about twenty iterations a
 * second, so new clients would wait for seconds while connected clients are
 * served repeatedly. Therefore, requests are queued as long as each iteration
 * accepts a connection. Running requests finish in the meantime, so the
 * iterations become fast.
 */
export function acceptFirst(server: EventEmitter): Start {
  const held: (() => void)[] = [];
  let isLooking = false;
  let hasAccepted = false;
  let since = 0;
  const look = (): void => {
    const isLate = performance.now() - since > maxHoldMs;
    isLooking = hasAccepted && !isLate;
    hasAccepted = false;
    if (isLooking) setImmediate(look);
    else for (const start of held.splice(0)) start();
  };
  server.on("connection", () => {
    hasAccepted = true;
    if (isLooking) return;
    isLooking = true;
    since = performance.now();
    setImmediate(look);
  });
  return (work) => {
    if (isLooking) held.push(work);
    else work();
  };
}
