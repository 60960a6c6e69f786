import { createServer } from "node:net";
import type { AddressInfo } from "node:net";

/** Finds a free port. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0);
  await new Promise((resolve) => server.once("listening", resolve));
  const address = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return address.port;
}
