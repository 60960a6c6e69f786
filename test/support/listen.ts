import { once } from "node:events";
import type { AddressInfo, Server, Socket } from "node:net";

/** A server that runs on a free local port. */
export interface Listening {
  readonly port: number;
  /** The base URL, such as `http://127.0.0.1:4242`. */
  readonly url: string;
  /**
   * Closes the server's connections, and resolves when the server has stopped.
   */
  readonly close: () => Promise<void>;
}

/** Starts a server created with `node:http`, `node:http2`, or `node:net`. */
export async function listen(server: Server): Promise<Listening> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const close = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy();
    if (!server.listening) return;
    server.close();
    await once(server, "close");
  };
  return { port, url: `http://127.0.0.1:${String(port)}`, close };
}
