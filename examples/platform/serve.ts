import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";

import { toNodeHandler } from "@ridlkit/runtime/node";

import { createIndexerWebhookReceiver } from "../../generated/indexer/server.js";
import { createExamplePlatform } from "./handlers.js";
import { createWebhookHandler } from "./indexer.js";
import { printCalls } from "./print-calls.js";

/** The path where the example receives webhooks, as an application would. */
export const webhookPath = "/webhook";

/** A running example. */
export interface RunningExample {
  /** The base URL, for example `http://127.0.0.1:4242`. */
  readonly baseUrl: string;
  /** Stops the server and closes open connections. */
  close(): Promise<void>;
}

/**
 * Serves all of the platform's hosts, with example handlers, on one port.
 *
 * Input: the port, or 0 for any free port, and a function that prints lines.
 * Errors: rejects if the port is in use.
 */
export async function serveExample(
  port: number,
  print: (line: string) => void,
): Promise<RunningExample> {
  const onError = (error: unknown): void => {
    print(`  ${error instanceof Error ? error.stack : String(error)}`);
  };
  const platform = createExamplePlatform(onError);
  const receiver = createIndexerWebhookReceiver({
    handlers: { indexerWebhook: createWebhookHandler(print) },
    onError,
  });
  const answerCall = toNodeHandler({
    ...platform,
    ...printCalls(platform, print),
  });
  const answerWebhook = toNodeHandler(receiver);
  const answer: RequestListener = (request, response) => {
    if (request.url === webhookPath) answerWebhook(request, response);
    else answerCall(request, response);
  };
  // The server permits a client to send a body only if it reads it.
  const server = createServer(answer).on("checkContinue", answer);
  const baseUrl = await listen(server, port);
  return { baseUrl, close: () => close(server) };
}

function listen(server: Server, port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => {
      const address: AddressInfo | string | null = server.address();
      const bound = typeof address === "object" ? address?.port : undefined;
      resolve(`http://127.0.0.1:${bound ?? port}`);
    });
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => {
      resolve();
    });
    server.closeAllConnections();
  });
}
