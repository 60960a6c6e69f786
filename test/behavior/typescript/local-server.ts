import {
  createServer,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import { listen } from "../../support/listen.js";

/** A request as a local server received it. */
export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly rawHeaders: readonly string[];
  readonly body: string;
}

/** A server on 127.0.0.1 whose responses a function writes. */
export interface LocalServer {
  readonly url: string;
  readonly seen: SeenRequest[];
  close(): Promise<void>;
}

export async function startServer(
  answer: (response: ServerResponse, request: SeenRequest) => void,
): Promise<LocalServer> {
  const seen: SeenRequest[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const one = {
        method: request.method ?? "",
        url: request.url ?? "",
        headers: request.headers,
        rawHeaders: request.rawHeaders,
        body: Buffer.concat(parts).toString(),
      };
      seen.push(one);
      answer(response, one);
    });
  });
  const { url, close } = await listen(server);
  return { url, seen, close };
}

/** Responds with JSON. */
export function reply(
  response: ServerResponse,
  status: number,
  body: string,
  type = "application/json",
): void {
  response.writeHead(status, { "content-type": type });
  response.end(body);
}
