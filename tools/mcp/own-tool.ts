import type {
  CallToolResult,
  ServerContext,
} from "@modelcontextprotocol/server";
import { builtInErrors } from "../../generator/4-emit/typescript/names/built-in-errors.js";
import type { ToolDefinition } from "./method-tool.js";
import { ArgumentError, ToolArguments } from "./tool-arguments.js";

/** A tool of `ridl mcp` itself, such as `search`. */
export interface OwnTool {
  readonly definition: ToolDefinition;
  /** Errors: an {@link ArgumentError} for invalid arguments. */
  readonly run: (
    given: ToolArguments,
    context: ServerContext,
  ) => CallToolResult | Promise<CallToolResult>;
}

/** Runs a tool. Invalid arguments are reported like those of methods. */
export async function runOwnTool(
  { definition, run }: OwnTool,
  given: Readonly<Record<string, unknown>>,
  context: ServerContext,
): Promise<CallToolResult> {
  const names = Object.keys(Object(definition.inputSchema.properties));
  try {
    return await run(new ToolArguments(given, names), context);
  } catch (error) {
    if (!(error instanceof ArgumentError)) throw error;
    return { ...resultOf(badRequest(error.message)), isError: true };
  }
}

/** Returns a result whose text is a JSON value. */
export function resultOf(value: object): CallToolResult {
  return { content: [{ type: "text", text: JSON.stringify(value) }] };
}

/** Returns the envelope of the error for invalid requests. */
function badRequest(cause: string): object {
  const { code, message, name, status } =
    builtInErrors.find((each) => each.name === "WebrpcBadRequest") ?? {};
  return { error: name, code, msg: message, cause, status };
}
