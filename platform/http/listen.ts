import type { Server } from "node:http";

/**
 * The queue of pending connections, as far as the system allows. A client that
 * is rejected retries after one, three and seven seconds.
 */
const backlog = 4096;

/**
 * Listens on an address. Port 0 selects a free port. Output: the URL.
 *
 * Errors: rejects if the port is taken.
 */
export async function listen(
  server: Server,
  host: string,
  port: number,
): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host, port, backlog }, resolve);
  });
  const bound = server.address();
  const boundPort = typeof bound === "object" ? bound?.port : port;
  return `http://${host.includes(":") ? `[${host}]` : host}:${boundPort}`;
}
