import type { AddressInfo } from "node:net";
import type { Listen } from "../system/system.js";

/** Serves HTTP at an address of this machine. */
export const listen: Listen = (listener, { host, port }) => {
  // Loaded on demand, because few commands serve HTTP.
  const { createServer } = process.getBuiltinModule("node:http");
  const server = createServer(listener);
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      const address: AddressInfo | string | null = server.address();
      const bound = typeof address === "object" ? address?.port : undefined;
      resolve({ port: bound ?? port, close });
    });
  });
};
