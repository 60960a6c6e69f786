import type { Readable, Writable } from "node:stream";
import {
  Server,
  type CallToolRequest,
  type CallToolResult,
  type ListToolsResult,
  type ServerContext,
} from "@modelcontextprotocol/server";
import {
  serveStdio,
  StdioServerTransport,
} from "@modelcontextprotocol/server/stdio";

/** What a server of the Model Context Protocol offers. */
export interface ServedTools {
  readonly name: string;
  readonly version: string;
  readonly listTools: () => ListToolsResult;
  readonly callTool: (
    request: CallToolRequest,
    context: ServerContext,
  ) => Promise<CallToolResult>;
}

/** Where messages come from and go to. */
export interface MessageStreams {
  readonly input: Readable;
  readonly output: Writable;
}

/** Serves tools until the input ends. */
export async function serveTools(
  { callTool, listTools, name, version }: ServedTools,
  { input, output }: MessageStreams,
  onError: (error: Error) => void,
): Promise<void> {
  const ended = new Promise<void>((resolve) => {
    input.once("end", resolve).once("close", resolve);
  });
  const createServer = (): Server => {
    const server = new Server(
      { name, version },
      { capabilities: { tools: {} } },
    );
    server.setRequestHandler("tools/list", listTools);
    server.setRequestHandler("tools/call", callTool);
    return server;
  };
  const transport = new StdioServerTransport(input, output);
  const handle = serveStdio(createServer, { transport, onerror: onError });
  await ended;
  await handle.close();
}
