import type { RpcServer } from "../../runtime/typescript/server/server.js";
import { exportedFunction, type Exports } from "./run-emitted.js";

/**
 * Connects the emitted client of a host to its emitted server without a
 * network. The server rejects invalid responses, as every server does by
 * default.
 *
 * Input: the exports of the files, the host's name as in `createShopClient`,
 * and the handlers by service.
 */
export function connectEmitted(
  exports: Exports,
  name: string,
  handlers: Readonly<Record<string, object>>,
): Exports {
  const createServer = exportedFunction(exports, `create${name}Server`);
  const server = createServer({ handlers }) as RpcServer;
  const createClient = exportedFunction(exports, `create${name}Client`);
  return Object(
    createClient({
      baseUrl: "https://example.com",
      fetch: (url: string, init: RequestInit) =>
        server.fetch(new Request(url, init)),
    }),
  );
}
