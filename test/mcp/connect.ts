import { Client } from "@modelcontextprotocol/client";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport as OldTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { Server as OldServer } from "@modelcontextprotocol/sdk/server/index.js";
import {
  CallToolRequestSchema,
  ListToolsRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { InMemoryTransport, Server } from "@modelcontextprotocol/server";
import type { ToolHandlers } from "../../runtime/typescript/client/mcp.js";

/** A Model Context Protocol client that uses either version of the SDK. */
export interface ToolClient {
  /** Returns the tools as in a `tools/list` result. */
  list(): Promise<readonly ListedTool[]>;
  /** Calls a tool. Errors: the errors of the protocol. */
  call(
    name: string,
    args?: Record<string, unknown>,
    signal?: AbortSignal,
  ): Promise<ToolOutcome>;
  close(): Promise<void>;
}

/** The parts of a tool that tests check. */
export interface ListedTool {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly inputSchema: object;
  readonly outputSchema?: object | undefined;
  readonly annotations?: object | undefined;
}

/** The result of a call. */
export interface ToolOutcome {
  readonly isError: boolean;
  /** The text of the result, parsed as JSON. */
  readonly text: unknown;
  readonly structured: unknown;
  /** Texts after the first one. */
  readonly notes: readonly string[];
}

const identity = { name: "test", version: "1.0.0" };
const capabilities = { capabilities: { tools: {} } };

/** Mounts tools on a server of SDK version 1, and connects a client to it. */
export async function connectOld(handlers: ToolHandlers): Promise<ToolClient> {
  const server = new OldServer(identity, capabilities);
  server.setRequestHandler(ListToolsRequestSchema, handlers.listTools);
  server.setRequestHandler(CallToolRequestSchema, handlers.callTool);
  const [near, far] = OldTransport.createLinkedPair();
  await server.connect(far);
  const client = new OldClient(identity);
  await client.connect(near);
  return {
    list: async () => (await client.listTools()).tools,
    call: async (name, args, signal) => {
      const request = { name, ...(args && { arguments: args }) };
      const options = signal && { signal };
      return outcomeOf(await client.callTool(request, undefined, options));
    },
    close: () => client.close(),
  };
}

/** Mounts tools on a server of SDK version 2, and connects a client to it. */
export async function connectNew(handlers: ToolHandlers): Promise<ToolClient> {
  const server = new Server(identity, capabilities);
  server.setRequestHandler("tools/list", handlers.listTools);
  server.setRequestHandler("tools/call", handlers.callTool);
  const [near, far] = InMemoryTransport.createLinkedPair();
  await server.connect(far);
  const client = new Client(identity);
  await client.connect(near);
  return clientOf(client);
}

/** Creates a connected client of version 2. */
export function clientOf(client: Client): ToolClient {
  return {
    list: async () => (await client.listTools()).tools,
    call: async (name, args, signal) => {
      const request = { name, ...(args && { arguments: args }) };
      return outcomeOf(await client.callTool(request, signal && { signal }));
    },
    close: () => client.close(),
  };
}

function outcomeOf(result: object): ToolOutcome {
  const { content, isError = false, structuredContent } = Object(result);
  const [text, ...notes] = content.map((block: object) =>
    Reflect.get(block, "text"),
  );
  return {
    isError,
    text: readText(text),
    structured: structuredContent,
    notes,
  };
}

function readText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
