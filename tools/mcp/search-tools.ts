import { suggest } from "../../generator/diagnostics/suggest.js";
import type { MethodTool, ToolHandlers } from "./method-tool.js";
import { type OwnTool, resultOf } from "./own-tool.js";
import { SearchIndex } from "./search-index.js";
import { ArgumentError, type ToolArguments } from "./tool-arguments.js";

/** How many methods a search returns at once. */
const pageSize = 10;

/** Maximum number of characters of a summary. */
const maxSummary = 160;

/** Maximum number of characters of the services that the tools name. */
const maxServices = 300;

/**
 * Creates tools that search, describe and call methods. Their definitions have
 * about the same size for any number of methods.
 */
export function createSearchTools(
  methods: readonly MethodTool[],
  call: ToolHandlers["callTool"],
): readonly OwnTool[] {
  const index = new SearchIndex(methods);
  const byName = new Map(methods.map((each) => [each.definition.name, each]));
  const find = (given: ToolArguments): MethodTool => {
    const name = given.text("name");
    const method = byName.get(name);
    if (method !== undefined) return method;
    throw new ArgumentError(
      `name: there is no method ${name}`,
      suggestNames(name, index, byName.keys()),
    );
  };
  return [
    createSearchTool(methods, index),
    createDescribeTool(find),
    createCallTool(find, call, methods.every(readOnlyHint)),
  ];
}

/** Finds the method whose name is an argument. Errors: an {@link ArgumentError}. */
type FindMethod = (given: ToolArguments) => MethodTool;

function createSearchTool(
  methods: readonly MethodTool[],
  index: SearchIndex,
): OwnTool {
  const query = {
    type: "string",
    description: "Words, e.g. `cancel order`. Empty: all methods.",
  };
  const offset = { type: "integer", description: "Matches to skip." };
  return {
    definition: {
      name: "search",
      description: `Searches the ${methods.length} methods of ${listServices(methods)}. Returns names and summaries, best matches first.`,
      inputSchema: {
        type: "object",
        properties: { query, offset },
        required: ["query"],
      },
      annotations: { readOnlyHint: true },
    },
    run: (given) => searchMethods(index, given),
  };
}

function createDescribeTool(find: FindMethod): OwnTool {
  return {
    definition: {
      name: "describe",
      description:
        "Returns the documentation, input schema, output schema and errors of a method.",
      inputSchema: {
        type: "object",
        properties: { name: { type: "string" } },
        required: ["name"],
      },
      annotations: { readOnlyHint: true },
    },
    run: (given) => describeMethod(find(given)),
  };
}

function createCallTool(
  find: FindMethod,
  call: ToolHandlers["callTool"],
  isReadOnly: boolean,
): OwnTool {
  return {
    definition: {
      name: "call",
      description:
        "Calls a method. Use `describe` first to learn its arguments.",
      inputSchema: {
        type: "object",
        properties: { name: { type: "string" }, arguments: { type: "object" } },
        required: ["name"],
      },
      annotations: { readOnlyHint: isReadOnly },
    },
    run: (given, context) => {
      const { name } = find(given).definition;
      const params = { name, arguments: given.object("arguments") };
      return call({ method: "tools/call", params }, context);
    },
  };
}

function searchMethods(index: SearchIndex, given: ToolArguments) {
  const matches = index.search(given.text("query"));
  const offset = given.integer("offset", 0);
  const next = offset + pageSize;
  return resultOf({
    matches: matches.slice(offset, next).map(summarize),
    total: matches.length,
    ...(next < matches.length && { nextOffset: next }),
    ...(matches.length === 0 && {
      hint: "Try other words. An empty query returns all methods.",
    }),
  });
}

function summarize(method: MethodTool): object {
  const { description = "", name } = method.definition;
  const [paragraph = ""] = description.split("\n\n");
  const summary = shorten(paragraph.replace(/\s+/gu, " "), maxSummary);
  return {
    name,
    ...(summary !== "" && { summary }),
    ...(readOnlyHint(method) && { readOnly: true }),
  };
}

function describeMethod(method: MethodTool) {
  const { description, inputSchema, name, outputSchema } = method.definition;
  return resultOf({
    name,
    description,
    readOnly: readOnlyHint(method),
    inputSchema,
    outputSchema,
    errors: method.errors.map(
      ({ anyStatus, code, docs, message, name, status }) => ({
        name,
        code,
        status: anyStatus ? "any" : status,
        message,
        ...(docs.lines.length > 0 && { description: docs.lines.join("\n") }),
      }),
    ),
  });
}

function readOnlyHint({ definition }: MethodTool): boolean {
  return definition.annotations?.readOnlyHint === true;
}

/** Suggests names that look like a misspelled one, or that a search finds. */
function suggestNames(
  name: string,
  index: SearchIndex,
  names: Iterable<string>,
): string {
  const similar = suggest(name, names);
  const found = index.search(name).map(({ definition }) => definition.name);
  const [first, ...others] = (similar.length > 0 ? similar : found).slice(0, 3);
  return first === undefined
    ? "use `search` to find its name"
    : `did you mean ${[first, ...others].join(", ")}?`;
}

/** Lists the services of methods, as far as there is room. */
function listServices(methods: readonly MethodTool[]): string {
  const services = new Set(
    methods.map(({ definition }) => definition.name.replace(/_.*$/u, "")),
  );
  return shorten([...services].join(", "), maxServices);
}

function shorten(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}
