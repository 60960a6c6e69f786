import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/**
 * A range below the ports that systems assign automatically, e.g. to outgoing
 * connections.
 */
const firstPort = 15_000;
const lastPort = 32_000;

const maxTries = 50;

/**
 * Finds a free port for a program that must keep its port after a restart. The
 * port is outside the range that systems assign automatically.
 *
 * Errors: Error if none is found.
 */
export async function findFreePort(): Promise<number> {
  for (let attempt = 0; attempt < maxTries; attempt += 1) {
    const port = randomInt(firstPort, lastPort);
    if (await isFree(port)) return port;
  }
  throw new Error(`no port from ${firstPort} to ${lastPort} is free`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}
