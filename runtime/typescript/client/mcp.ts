import {
  builtInErrors,
  isRpcError,
  RpcError,
  toEnvelope,
} from "../wire/errors.js";
import { printAgentJson } from "../wire/agent-json.js";
import { quietly } from "../values/quietly.js";

/** Limits for reading a stream. */
export interface ToolLimits {
  /** Maximum number of items. Default: 100. */
  readonly maxItems?: number;
  /** Maximum time in milliseconds. Default: 10,000. */
  readonly maxMs?: number;
}

/** A JSON Schema of an object. */
export type ObjectSchema = { type: "object"; [keyword: string]: unknown };

/** The description of a tool in `tools/list`. */
export type ToolDefinition = {
  name: string;
  title: string;
  description?: string;
  inputSchema: ObjectSchema;
  outputSchema: ObjectSchema;
  annotations: { readOnlyHint: boolean; idempotentHint: boolean };
};

/** A Model Context Protocol tool. */
export interface Tool {
  readonly definition: ToolDefinition;
  /**
   * Calls the method with a JSON request and returns the JSON response. For a
   * stream, returns the items received within the limits.
   * Errors: those of `Call`, `WebrpcBadRequest` if the request is invalid, and
   * `timeout` if the response of a stream does not begin within `maxMs`.
   * The error of a stream has its `items`, and that of a keyed call `repeatWith`.
   */
  call(request: unknown, signal?: AbortSignal): Promise<object>;
}

/** The result of `tools/call`. */
export type ToolResult = {
  content: { type: "text"; text: string }[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
};

/**
 * Handlers of `tools/list` and `tools/call`, for version 1 or 2 of the MCP SDK.
 */
export interface ToolHandlers {
  readonly listTools: () => { tools: ToolDefinition[] };
  readonly callTool: (
    request: { params: { name: string; arguments?: unknown } },
    context?: { signal?: AbortSignal; mcpReq?: { signal: AbortSignal } },
  ) => Promise<ToolResult>;
}

/** Creates handlers for tools. Each tool must have a unique name. */
export function handleTools(
  tools: readonly Tool[],
  onError?: (error: unknown) => void,
): ToolHandlers {
  const byName = new Map(tools.map((tool) => [tool.definition.name, tool]));
  return {
    listTools: () => ({ tools: tools.map(({ definition }) => definition) }),
    callTool: async ({ params }, context) => {
      const tool = byName.get(params.name);
      if (tool === undefined) {
        const message = `there is no tool ${params.name}`;
        throw Object.assign(new Error(message), { code: -32602 });
      }
      const signal = context?.signal ?? context?.mcpReq?.signal;
      try {
        const response = await tool.call(params.arguments, signal);
        return { ...textOf(response), structuredContent: { ...response } };
      } catch (error) {
        const known = isRpcError(error)
          ? error
          : new RpcError(builtInErrors.WebrpcInternalError);
        // The error may quote a credential, which agents must not see.
        if (known !== error) quietly(() => onError?.(error));
        const { body, data, items, repeatWith } = Object(known);
        const envelope = toEnvelope(known);
        // A body that does not fit is not in the data.
        const other = body === undefined ? {} : { body };
        const more = data === undefined ? other : { data };
        const { content } = textOf({ ...envelope, ...more });
        if (items ?? repeatWith)
          content.push(...textOf({ items, repeatWith }).content);
        return { content, isError: true };
      }
    },
  };
}

function textOf(value: object): ToolResult {
  return { content: [{ type: "text", text: printAgentJson(value) }] };
}
