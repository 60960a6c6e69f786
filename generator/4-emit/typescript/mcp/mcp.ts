import type { WireResponse } from "../../../http/wire-method.js";
import type { Method } from "../../../ir/contract.js";
import { groupBy } from "../../../ir/group-by.js";
import { methodsOf } from "../../../ir/methods-of.js";
import type { OutputFile } from "../../emitter/emitter.js";
import { createConfigurable, type Target } from "../../emitter/target.js";
import { describe, quoteCode } from "../../json-schema/describe.js";
import { NamePool } from "../../names/name-pool.js";
import { nameTools } from "../../names/tool-names.js";
import { checkOf } from "../plan/convert.js";
import { createPlan } from "../plan/create-plan.js";
import { hostScope, type HostScope } from "../plan/file-scope.js";
import type { MethodPlan, PagingPlan, Plan } from "../plan/plan.js";
import { buildFunction, buildLocal } from "../text/build.js";
import type { Structure } from "../text/structures.js";
import type { Doc } from "../text/format.js";
import { printFile } from "../text/print.js";
import { quoteComment, quoteString } from "../text/quote.js";
import { callOf, entryOf, withKey, linesObjectOf } from "../text/shapes.js";
import { literalEntry, tableLiteral } from "../text/shapes.js";
import type { JsonObject, JsonValue } from "../../emitter/json-value.js";
import { dialects } from "../../json-schema/dialects.js";
import { DocumentSchemas } from "../../json-schema/document-schemas.js";

/** Which methods are tools. */
type ToolChoice = "all" | "annotated";

/** Writes `mcp.ts`: Model Context Protocol tools for each host. */
export const mcpEmitter = createConfigurable(
  {
    schema: {
      description:
        "Which methods are tools. `all`: every method. `annotated`: methods with `@tool`. Default: `all`.",
      enum: ["all", "annotated"],
    },
    example: "annotated",
  },
  "all",
  (choice: ToolChoice): Target => ({
    name: "mcp",
    summary: "Model Context Protocol tools.",
    guide: "mcp.md",
    needs: ["client", "validators"],
    emit(contract, options) {
      const plan = createPlan(contract, options);
      const names = nameTools(contract, choice);
      return plan.units.flatMap((unit) => {
        const scope = hostScope(plan, unit, "mcp");
        return scope === null ? [] : emitFile(scope, names);
      });
    },
  }),
);

function emitFile(
  scope: HostScope,
  names: ReadonlyMap<Method, string>,
): readonly OutputFile[] {
  const { host, imports, locals, plan } = scope;
  const methods = methodsOf(host.inbound).flatMap((each) => {
    const name = names.get(each.method);
    return name === undefined ? [] : { name, plan: each };
  });
  if (host.inbound.length === 0) return [];
  const schemas = describeTools(
    plan,
    methods.map((each) => each.plan),
  );
  const { inputs, outputs } = schemas;
  const rows = methods.map((each) =>
    withKey(each.name, (key) => [
      `${key}: `,
      emitRow(scope, schemas, each.plan),
    ]),
  );
  const schemasType = imports.runtime(
    "codegen/create-tools",
    "ToolSchemas",
    "inner",
  );
  const constant = locals.claim("schemas");
  const answered = inputs === outputs ? constant : locals.claim("responses");
  const table = locals.claim("methods");
  const type = imports.runtime("codegen/create-tools", "ToolMethod", "inner");
  return printFile(imports, [
    buildLocal(constant, tableLiteral(inputs), schemasType),
    ...(answered === constant
      ? []
      : [buildLocal(answered, tableLiteral(outputs), schemasType)]),
    buildLocal(table, linesObjectOf(rows), `Readonly<Record<string, ${type}>>`),
    emitFunction(scope, [table, constant, answered]),
  ]);
}

/** Emits the row of a tool: its descriptions, its method and its checks. */
function emitRow(
  { host, imports, unit }: HostScope,
  { names }: ToolSchemas,
  plan: MethodPlan,
): Doc {
  const { method, request, response } = plan;
  const more = [
    describePages(plan.paging),
    describeStatuses(plan.wire.response),
  ]
    .filter((text) => text !== "")
    .join("\n\n");
  const { description } = describe(method.docs, method.deprecated, more);
  const texts = { title: method.name, description };
  const { input = "", key = null, output = "" } = names.get(plan) ?? {};
  const constant = imports.generated(unit, "client", plan.names.constant);
  return linesObjectOf([
    literalEntry("texts", texts),
    ...(method.safety === "none"
      ? []
      : [entryOf("safety", quoteString(method.safety))]),
    entryOf("method", constant),
    ...(host.errorBody === null ? [] : [entryOf("hasErrorBody", "true")]),
    entryOf("input", quoteString(input)),
    entryOf("output", quoteString(output)),
    entryOf("checkRequest", checkOf(imports, request)),
    entryOf("checkResponse", checkOf(imports, response)),
    ...(key === null ? [] : [entryOf("key", quoteString(key))]),
  ]);
}

function emitFunction(
  { host: { host, names }, imports, unit }: HostScope,
  tables: readonly string[],
): Structure {
  const title = quoteComment([host.name]).join("");
  const create = imports.runtime("codegen/create-tools", "createTools");
  const tool = imports.runtimeType("mcp", "Tool");
  return buildFunction(
    [
      `Creates Model Context Protocol tools for the methods of the host \`${title}\`.`,
    ],
    names.createTools,
    [
      {
        name: "options",
        type: imports.generatedType(unit, "client", names.options),
      },
      {
        name: "limits",
        type: imports.runtimeType("mcp", "ToolLimits"),
        hasQuestionToken: true,
      },
    ],
    `readonly ${tool}[]`,
    [["return ", callOf(create, ["options", ...tables, "limits"]), ";"]],
  );
}

/** JSON Schemas of the messages of methods. */
interface ToolSchemas {
  /** Schemas of requests and of the types that they refer to, by name. */
  readonly inputs: JsonObject;
  /**
   * Schemas of responses. If these equal the schemas of requests, this is the
   * same object as `inputs`.
   */
  readonly outputs: JsonObject;
  readonly names: ReadonlyMap<MethodPlan, ToolSchemaNames>;
}

interface ToolSchemaNames {
  readonly input: string;
  readonly output: string;
  /** Name of the argument with the key of a call, or null if it has none. */
  readonly key: string | null;
}

/** Describes the input and output of the methods of a host as tools. */
function describeTools(
  { contract, options }: Plan,
  methods: readonly MethodPlan[],
): ToolSchemas {
  const described = methods.map(({ method }) => method);
  const createWriter = (int64: "bigint" | "number"): DocumentSchemas =>
    new DocumentSchemas(contract, described, { int64 }, dialects.tools);
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
      {
        input,
        output: isStream ? listOf(`${output}Items`, response) : output,
        key: keyArgumentOf(method),
      },
    ];
  });
  const answered: Record<string, JsonValue> = {
    ...outputs.referred(),
    ...Object.fromEntries(lists),
  };
  const asked: Record<string, JsonValue> =
    outputs === inputs ? answered : { ...inputs.referred() };
  const keyed = names.map(([plan, each]): [MethodPlan, ToolSchemaNames] => {
    const { input, key } = each;
    if (key === null) return [plan, each];
    const name = inputs.names.claim(`${input}WithKey`);
    asked[name] = describeKeyed(asked[input], key);
    return [plan, { ...each, input: name }];
  });
  return { inputs: asked, outputs: answered, names: new Map(keyed) };
}

/** Returns the name of the argument with the key of a call. No field has it. */
function keyArgumentOf({ idempotencyKey, request }: Method): string | null {
  if (idempotencyKey === "none") return null;
  const fields = new Set(request.fields.map(({ jsonName }) => jsonName));
  return new NamePool(fields).claim("idempotencyKey");
}

/** Describes the input of a tool whose calls have keys. */
function describeKeyed(
  request: JsonValue | undefined,
  key: string,
): JsonObject {
  const { properties, ...rest } = Object(request);
  const description =
    "Identifies the call. To repeat a call whose outcome is unknown, pass the same key. Default: a random one.";
  return {
    type: "object",
    ...rest,
    properties: {
      ...properties,
      [key]: { type: "string", pattern: keyPattern, description },
    },
  };
}

/** The pattern of keys before they are written in a header. */
const keyPattern = "^[ -~]{1,255}$";

function nameIn({ $ref }: { readonly [key: string]: JsonValue }): string {
  return String($ref).slice(dialects.tools.root.length);
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

/** Tells agents how to get the next page. Returns "" if there are no pages. */
function describePages(paging: PagingPlan | null): string {
  if (paging === null) return "";
  const { answered, asked, holder, isNumbered, linked } = paging;
  const next = answered.field.jsonName;
  const name = asked.field.jsonName;
  const path = quoteCode(holder ? `${holder.field.jsonName}.${name}` : name);
  if (linked !== null)
    return `Returns one page. If ${quoteCode(next)} of the result has a URL with \`rel="next"\`, call it again with ${quoteCode(linked.parameter)} of this URL's query as ${path} and the same other arguments.`;
  return isNumbered
    ? `Returns one page. If ${quoteCode(`${next}.more`)} of the result is true, call it again with the next number as ${quoteCode(`${name}.page`)} and the same other arguments.`
    : `Returns one page. If the result has ${quoteCode(next)}, call it again with this value as ${path} and the same other arguments.`;
}

/**
 * Tells agents which output belongs to which status of a success. Returns "" if
 * a method has one status.
 */
function describeStatuses({ byStatus, status }: WireResponse): string {
  if (byStatus.length < 2) return "";
  const byBody = groupBy(byStatus, ({ body }) => body);
  const outputs = [...byBody].map(([body, all]) => {
    const what = body === null ? "nothing" : quoteCode(body.jsonName);
    const statuses = all.map((each) => each.status);
    return `${what} with the status ${statuses.join(" or ")}`;
  });
  return [
    `Returns ${outputs.join(", or ")}.`,
    ...(status === null
      ? []
      : [`${quoteCode(status.jsonName)} is the status.`]),
  ].join(" ");
}
