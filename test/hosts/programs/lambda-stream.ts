import { createServer } from "node:http";
import { Readable } from "node:stream";
import type { RpcServer } from "../../../runtime/server/server.js";
import { deploy } from "../../runtime/lambda-runtime.js";
import { eventOf } from "./lambda.js";
import { listen } from "./listen.js";

/** Emulates a function URL that streams responses. */
export function serve(server: RpcServer): void {
  const invoke = deploy(server);
  listen(
    createServer(async (request, response) => {
      const left = new AbortController();
      response.on("close", () => left.abort());
      const event = await eventOf(request);
      const { body, headers, status } = await invoke(
        event,
        undefined,
        left.signal,
      );
      response.writeHead(status, Object.fromEntries(headers));
      if (body === null) response.end();
      else Readable.from(body).pipe(response);
    }),
  );
}
