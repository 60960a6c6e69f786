import { createServer } from "node:http";
import { pipeline } from "node:stream/promises";
import type { RpcServer } from "../../../../runtime/typescript/server/server.js";
import { deploy } from "../../typescript/lambda-runtime.js";
import { eventOf } from "./lambda.js";
import { listen } from "./listen.js";

/** Emulates a function URL that streams responses. */
export function serve(server: RpcServer): void {
  const invoke = deploy(server);
  listen(
    createServer(async (request, response) => {
      const left = new AbortController();
      response.on("close", () => left.abort());
      const event = await eventOf(request).catch(() => null);
      if (event === null) return;
      const invoked = invoke(event, undefined, left.signal);
      // There is no response if the client leaves before it starts.
      const answer = await invoked.catch(() => null);
      if (answer === null) return;
      const { body, headers, status } = answer;
      response.writeHead(status, Object.fromEntries(headers));
      if (body === null) response.end();
      // The client may leave.
      else await pipeline(body, response).catch(() => undefined);
    }),
  );
}
