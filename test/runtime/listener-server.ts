import { once } from "node:events";
import { createServer } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { afterEach } from "vitest";
import {
  type FetchHandler,
  type ListenerOptions,
  toNodeListener,
} from "../../runtime/node-listener.js";

/** A web-standard handler that is served until the test ends. */
export interface Served {
  readonly url: string;
  /** Sends bytes; gives all that comes until the connection ends. */
  readonly sendRaw: (text: string) => Promise<string>;
}

const closing: (() => Promise<void>)[] = [];

afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

/** Serves a handler at a free port. */
export async function serve(
  handler: FetchHandler,
  options?: ListenerOptions,
): Promise<Served> {
  const server = createServer(toNodeListener(handler, options));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  closing.push(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  });
  return {
    url: `http://127.0.0.1:${String(port)}`,
    sendRaw: async (text) => {
      const socket = connect(port, "127.0.0.1");
      socket.write(text);
      let answer = "";
      for await (const chunk of socket) answer += String(chunk);
      return answer;
    },
  };
}
