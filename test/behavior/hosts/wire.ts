import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** A connection to a server that can be cut. */
export interface Wire {
  readonly port: number;
  /** Closes all connections. */
  readonly cut: () => void;
  readonly close: () => void;
}

/** Forwards bytes to a local port. */
export async function startWire(target: number): Promise<Wire> {
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    const other = connect(target, "127.0.0.1");
    for (const [from, to] of [
      [socket, other],
      [other, socket],
    ] as const) {
      open.add(from);
      from.on("error", () => undefined);
      from.on("close", () => {
        open.delete(from);
        to.destroy();
      });
      from.pipe(to);
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const cut = (): void => {
    for (const socket of open) socket.destroy();
  };
  const { port } = Object(server.address());
  return {
    port: Number(port),
    cut,
    close() {
      cut();
      server.close();
    },
  };
}
