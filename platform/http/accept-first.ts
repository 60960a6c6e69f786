import type { EventEmitter } from "node:events";

/** Starts something, now or once connections that wait have been taken. */
export type Start = (work: () => void) => void;

/** Then requests start, though more connections may be waiting. */
const maxHoldMs = 500;

/**
 * Lets a server take the connections that wait before it starts on requests.
 *
 * Node takes one connection each time it looks what has come (libuv, since
 * 1.45), and then works on all else that has. A server with much to do looks
 * some twenty times a second, so who connects would wait for seconds, while
 * those who are connected are answered over and over. As long as each look
 * finds a connection, requests are held; those that run end meanwhile, and the
 * looks become quick.
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
