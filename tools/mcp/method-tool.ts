import type {
  CallToolRequest,
  CallToolResult,
  ListToolsResult,
  ServerContext,
} from "@modelcontextprotocol/server";
import type { ErrorDeclaration } from "../../generator/ir/contract.js";

/** The description of a tool in `tools/list`. */
export type ToolDefinition = ListToolsResult["tools"][number];

/** A method that agents can call. */
export interface MethodTool {
  readonly definition: ToolDefinition;
  /** The declared errors that the method can return. */
  readonly errors: readonly ErrorDeclaration[];
}

/** Handlers of `tools/list` and `tools/call`. */
export interface ToolHandlers {
  readonly listTools: () => ListToolsResult;
  readonly callTool: (
    request: CallToolRequest,
    context: ServerContext,
  ) => Promise<CallToolResult>;
}
