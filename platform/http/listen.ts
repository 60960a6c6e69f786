import type { Server } from "node:http";

/**
 * So many connections may come at once, if the system lets them: whom it turns
 * away tries again after one second, then after three, then after seven.
 */
const backlog = 4096;

/**
 * Listens on an address; port 0 takes any that is free. Output: its URL.
 *
 * Errors: rejects when the port is taken.
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
