import type { JsonObject, JsonValue } from "../../emitter/json-value.js";
import { SchemaWriter } from "../../json-schema/schema-writer.js";
import type { MethodPlan, Plan } from "../plan/plan.js";

/** JSON Schemas of the messages of methods. */
export interface ToolSchemas {
  /** Schemas of requests and of the types that they refer to, by name. */
  readonly inputs: JsonObject;
  /**
   * Schemas of responses. This is the same object as `inputs` if both are
   * described alike.
   */
  readonly outputs: JsonObject;
  /** Names of the schemas of each method. */
  readonly names: ReadonlyMap<MethodPlan, ToolSchemaNames>;
}

/** Names of schemas. */
export interface ToolSchemaNames {
  readonly input: string;
  readonly output: string;
}

const root = "#/$defs/";

/** Describes the input and output of the methods of a host as tools. */
export function describeTools(
  { contract, options }: Plan,
  methods: readonly MethodPlan[],
): ToolSchemas {
  const described = methods.map(({ method }) => method);
  const createWriter = (int64: "bigint" | "number"): SchemaWriter =>
    new SchemaWriter(
      contract,
      described,
      { int64 },
      {
        root,
        hasFormats: false,
        acceptsAll: true,
        isForTools: true,
      },
    );
  // `JSON.parse` reads the protocol's messages, so large integers in inputs
  // would be rounded.
  const inputs = createWriter("number");
  const outputs =
    options.int64 === "number" ? inputs : createWriter(options.int64);
  const lists = new Map<string, JsonObject>();
  const listOf = (name: string, items: JsonObject): string => {
    const claimed = outputs.names.claim(name);
    lists.set(claimed, describeItems(items));
    return claimed;
  };
  const names = methods.map((plan): [MethodPlan, ToolSchemaNames] => {
    const { method } = plan;
    const response = outputs.message(method, "response");
    const input = nameIn(inputs.message(method, "request"));
    const output = nameIn(response);
    const isStream = plan.kind === "stream";
    return [
      plan,
      { input, output: isStream ? listOf(`${output}Items`, response) : output },
    ];
  });
  const answered = { ...outputs.referred(), ...Object.fromEntries(lists) };
  return {
    inputs: outputs === inputs ? answered : inputs.referred(),
    outputs: answered,
    names: new Map(names),
  };
}

function nameIn({ $ref }: { readonly [key: string]: JsonValue }): string {
  return String($ref).slice(root.length);
}

/** Describes the output of a tool that reads a stream. */
function describeItems(items: JsonObject): JsonObject {
  return {
    type: "object",
    properties: {
      items: { type: "array", items },
      isComplete: {
        type: "boolean",
        description: "Whether the stream has ended.",
      },
    },
    required: ["items", "isComplete"],
  };
}
