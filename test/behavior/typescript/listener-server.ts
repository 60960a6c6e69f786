import { createServer } from "node:http";
import { connect } from "node:net";
import {
  type FetchHandler,
  type ListenerOptions,
  toNodeListener,
} from "../../../runtime/typescript/hosts/node/node-listener.js";
import { listenForTest } from "../../support/listen-for-test.js";

/** A web-standard handler that is served until the test ends. */
export interface Served {
  readonly url: string;
  /**
   * Sends bytes, and returns everything that arrives before the connection
   * ends.
   */
  readonly sendRaw: (text: string) => Promise<string>;
}

/** Serves a handler on a free port. */
export async function serve(
  handler: FetchHandler,
  options?: ListenerOptions,
): Promise<Served> {
  const server = createServer(toNodeListener(handler, options));
  const { port, url } = await listenForTest(server);
  return {
    url,
    sendRaw: async (text) => {
      const socket = connect(port, "127.0.0.1");
      socket.write(text);
      let answer = "";
      for await (const chunk of socket) answer += String(chunk);
      return answer;
    },
  };
}
