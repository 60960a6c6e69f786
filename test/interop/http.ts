import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

/** A server on a free port of this machine. */
export interface RunningServer {
  readonly baseUrl: string;
  close(): Promise<void>;
}

/** Starts a server with that listener. */
export async function startServer(
  listener: RequestListener,
): Promise<RunningServer> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}
