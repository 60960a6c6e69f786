import { PassThrough, type Readable, type Writable } from "node:stream";
import { type CallToolResult, Server } from "@modelcontextprotocol/server";
import {
  serveStdio,
  StdioServerTransport,
} from "@modelcontextprotocol/server/stdio";
import type { ToolHandlers } from "./method-tool.js";

/** The tools that a Model Context Protocol server provides. */
export interface ServedTools extends ToolHandlers {
  readonly name: string;
  readonly version: string;
}

/** The streams that carry messages. */
export interface MessageStreams {
  readonly input: Readable;
  readonly output: Writable;
}

/**
 * Maximum time that running calls may take after the input has ended, in
 * milliseconds.
 */
const graceMs = 10_000;

/**
 * Serves tools until the input ends and running calls have been answered, or
 * until the output closes.
 */
export async function serveTools(
  { callTool, listTools, name, version }: ServedTools,
  { input, output }: MessageStreams,
  warn: (text: string) => void,
): Promise<void> {
  const ended = new Promise<void>((resolve) => {
    input.once("end", resolve).once("close", resolve);
  });
  const gone = new Promise<void>((resolve) => {
    output.once("error", () => resolve()).once("close", resolve);
    if (output.destroyed) resolve();
  });
  const running = new Set<Promise<CallToolResult>>();
  const runTool: ServedTools["callTool"] = (request, context) => {
    const call = callTool(request, context);
    running.add(call);
    return call.finally(() => running.delete(call));
  };
  const createServer = (): Server => {
    const server = new Server(
      { name, version },
      { capabilities: { tools: {} } },
    );
    server.setRequestHandler("tools/list", listTools);
    server.setRequestHandler("tools/call", runTool);
    return server;
  };
  // The SDK drops running calls when its input ends, so do not let its input
  // end.
  const endless = input.pipe(new PassThrough(), { end: false });
  const transport = new StdioServerTransport(endless, output);
  const onerror = (error: Error) =>
    // The SDK's description of an invalid message is a hundred lines long.
    warn(
      "issues" in error ? "a message does not conform to MCP" : error.message,
    );
  const handle = serveStdio(createServer, { transport, onerror });
  await Promise.race([ended, gone]);
  await Promise.race([gone, settle(running)]);
  input.unpipe(endless).pause();
  await handle.close();
}

/** Waits until all calls are answered or the grace period ends. */
async function settle(running: ReadonlySet<Promise<unknown>>): Promise<void> {
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, graceMs);
  });
  // Wait for received messages to start calls, and later for results to be
  // sent.
  await turn();
  await Promise.race([late, Promise.allSettled(running)]);
  await turn();
  clearTimeout(timer);
}
