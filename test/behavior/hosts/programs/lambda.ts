import {
  createServer,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import { buffer } from "node:stream/consumers";
import {
  type LambdaContext,
  type LambdaEvent,
  toLambdaHandler,
} from "../../../../runtime/typescript/hosts/lambda.js";
import type { RpcServer } from "../../../../runtime/typescript/server/server.js";
import { listen } from "./listen.js";

/** Emulates a function URL. */
export function serve(server: RpcServer): void {
  const handler = toLambdaHandler(server);
  const answer = async (
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> => {
    const event = await eventOf(request).catch(() => null);
    if (event === null) return;
    const { body, headers, isBase64Encoded, statusCode } = await handler(
      event,
      contextOf(request.url ?? ""),
    );
    response.writeHead(statusCode, headers);
    response.end(Buffer.from(body, isBase64Encoded ? "base64" : "utf8"));
  };
  listen(createServer((request, response) => void answer(request, response)));
}

/**
 * Creates the context of a function that may run for five seconds, or for 20 if
 * a case needs it.
 */
function contextOf(url: string): LambdaContext {
  const isLong = /Sleep|WaitLong/u.test(url);
  const end = performance.now() + (isLong ? 20_000 : 5000);
  return { getRemainingTimeInMillis: () => end - performance.now() };
}

/**
 * Creates the event that a function URL sends for a request. Rejects if the
 * client leaves before the request is complete.
 */
export async function eventOf(request: IncomingMessage): Promise<LambdaEvent> {
  const [rawPath = "", ...query] = (request.url ?? "").split("?");
  const headers = Object.entries(request.headersDistinct).map(
    ([name, values = []]) => [
      name,
      values.join(name === "cookie" ? "; " : ","),
    ],
  );
  const body = await buffer(request);
  return {
    rawPath,
    rawQueryString: query.join("?"),
    headers: Object.fromEntries(headers),
    requestContext: {
      http: {
        method: request.method ?? "",
        sourceIp: request.socket.remoteAddress ?? "",
      },
    },
    isBase64Encoded: true,
    ...(body.length > 0 && { body: body.toString("base64") }),
  };
}
