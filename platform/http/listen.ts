import type { Server } from "node:http";

/**
 * The maximum number of pending connections, which the system can limit
 * further. A rejected client retries after one, three, and seven seconds.
 */
const backlog = 4096;

/**
 * Listens on an address and returns its URL. Port 0 selects a free port. What
 * handles a request permits the client to send the body; otherwise, Node would
 * permit bodies that are then refused.
 *
 * Errors: rejects if it cannot listen, e.g. if the port is taken.
 */
export async function listen(
  server: Server,
  host: string,
  port: number,
): Promise<string> {
  server.on("checkContinue", (...call) => server.emit("request", ...call));
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host, port, backlog }, resolve);
  });
  const bound = server.address();
  const boundPort = typeof bound === "object" ? bound?.port : port;
  return `http://${host.includes(":") ? `[${host}]` : host}:${boundPort}`;
}
