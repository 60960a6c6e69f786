import type { EventEmitter } from "node:events";
import type { Server, Socket } from "node:net";
import {
  closeGracefully,
  type ClosableServer,
  type ShutdownOptions,
} from "../../../../runtime/typescript/hosts/node/shutdown.js";

/** The time that running requests have after SIGTERM, in milliseconds. */
const graceMs = 1000;

/** Serves on a free port, prints it, and closes gracefully after SIGTERM. */
export function listen(
  server: Server & ClosableServer,
  options: ShutdownOptions = {},
): void {
  server.listen(0, "127.0.0.1", () => announce(server));
  closeAfterSignal(server, options);
}

/** Prints the port of a server. */
export function announce(server: Pick<Server, "address">): void {
  const address = server.address();
  if (address === null || typeof address === "string") {
    throw new TypeError("the server has no port");
  }
  console.log(`Listening on http://127.0.0.1:${String(address.port)}/`);
}

/**
 * Closes a server gracefully after SIGTERM, and keeps idle connections open for
 * longer than clients do.
 */
export function closeAfterSignal(
  server: ClosableServer & EventEmitter,
  options: ShutdownOptions = {},
): void {
  Object.assign(server, { keepAliveTimeout: 75_000 });
  const upgraded = new Set<Socket>();
  server.on("upgrade", (_, socket: Socket) => {
    upgraded.add(socket);
    socket.write(
      "HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: a\r\n\r\n",
    );
  });
  process.once("SIGTERM", async () => {
    await closeGracefully(server, { graceMs, ...options });
    // Node does not list connections with another protocol.
    for (const socket of upgraded) socket.destroy();
  });
}
