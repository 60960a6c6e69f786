import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { suggestHelp } from "../../generator/diagnostics/suggest.js";
import { LargeResults, maxKept } from "./large-results.js";
import type {
  MethodTool,
  ToolDefinition,
  ToolHandlers,
} from "./method-tool.js";
import { type OwnTool, runOwnTool } from "./own-tool.js";
import { createSearchTools } from "./search-tools.js";

/**
 * What agents see. `list`: each method is a tool. `search`: tools that search,
 * describe and call methods.
 */
export type ToolMode = "list" | "search";

/** The number of methods above which the default is `search`. */
export const maxListed = 10;

/**
 * Creates the handlers of a server. Input: `call` calls a method as a tool of
 * the same name.
 */
export function offerTools(
  methods: readonly MethodTool[],
  call: ToolHandlers["callTool"],
  mode: ToolMode = methods.length > maxListed ? "search" : "list",
): ToolHandlers {
  const results = new LargeResults();
  const listed = mode === "list" ? methods.map(listMethod) : [];
  const own = [
    ...(mode === "search" ? createSearchTools(methods, call) : []),
    createReadTool(results),
  ];
  const tools = [...listed, ...own.map(({ definition }) => definition)];
  const names = new Set(tools.map(({ name }) => name));
  const ownByName = new Map(own.map((each) => [each.definition.name, each]));
  return {
    listTools: () => ({ tools }),
    callTool: async (request, context) => {
      const { arguments: given = {}, name } = request.params;
      if (!names.has(name)) throw createUnknownTool(name, names);
      const tool = ownByName.get(name);
      const result = tool
        ? runOwnTool(tool, given, context)
        : call(request, context);
      return results.limit(await result);
    },
  };
}

/**
 * Returns the definition of a method in `tools/list`. Its output schema is
 * omitted, because it costs more than the rest, and agents see the output
 * anyway.
 */
function listMethod({ definition }: MethodTool): ToolDefinition {
  const { outputSchema, ...rest } = definition;
  // Some clients require a description.
  return { description: `Calls ${definition.name}.`, ...rest };
}

function createReadTool(results: LargeResults): OwnTool {
  return {
    definition: {
      name: "read",
      description: `Reads more of a result that was too large. The last ${maxKept} are kept.`,
      inputSchema: {
        type: "object",
        properties: {
          result: { type: "integer", description: "Number of the result." },
          path: {
            type: "string",
            description:
              "JSON Pointer to a part, e.g. `/orders/0`. `*` means all items: `/orders/*/id`.",
          },
          offset: { type: "integer", description: "Characters to skip." },
        },
        required: ["result"],
      },
      annotations: { readOnlyHint: true },
    },
    run: (given) =>
      results.read({
        result: given.integer("result"),
        path: given.text("path", ""),
        offset: given.integer("offset", 0),
      }),
  };
}

function createUnknownTool(
  name: string,
  names: ReadonlySet<string>,
): ProtocolError {
  const { help = `the tools are ${[...names].join(", ")}` } = suggestHelp(
    name,
    names,
  );
  const message = `there is no tool ${name}; ${help}`;
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}
