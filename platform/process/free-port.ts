import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/** Below those that systems give away by themselves, e.g. to outgoing calls. */
const firstPort = 15_000;
const lastPort = 32_000;

const maxTries = 50;

/**
 * A port that nobody listens on, for a program that is to have the same one when
 * it is started again: in between, nobody should get it by chance.
 *
 * Errors: Error when none is found.
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
