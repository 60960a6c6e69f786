import { createServer, type RequestListener } from "node:http";
import { listen } from "../support/listen.js";

/** A server on a free local port. */
export interface RunningServer {
  readonly baseUrl: string;
  close(): Promise<void>;
}

/** Starts a server with the given listener. */
export async function startServer(
  listener: RequestListener,
): Promise<RunningServer> {
  const { url, close } = await listen(createServer(listener));
  return { baseUrl: url, close };
}
