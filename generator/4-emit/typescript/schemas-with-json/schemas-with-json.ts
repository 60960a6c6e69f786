import type { Field } from "../../../ir/contract.js";
import type { Emitter } from "../../emitter/emitter.js";
import type { JsonObject, JsonValue } from "../../emitter/json-value.js";
import {
  SchemaWriter,
  type Declaration,
} from "../../json-schema/schema-writer.js";
import { createPlan } from "../plan/create-plan.js";
import { createScope, type FileScope } from "../plan/file-scope.js";
import type { ObjectPlan, Plan, TypePlan } from "../plan/plan.js";
import { declaredType } from "../plan/type-text.js";
import { buildConstant } from "../text/build.js";
import type { Doc } from "../text/format.js";
import { objectLiteral } from "../text/json-literal.js";
import { printFile } from "../text/print.js";
import { quoteString } from "../text/quote.js";
import {
  arrayOf,
  entryOf,
  genericOf,
  linesObjectOf,
  pureCallOf,
} from "../text/shapes.js";
import type { Structure } from "../text/structures.js";

/**
 * Writes `schemas-with-json.ts` for `schemasWithJson: true`: the schemas of
 * `schemas.ts` with their JSON Schema. This is a separate file, because bundlers
 * cannot drop the JSON Schema of a schema that is used.
 */
export const schemasWithJsonEmitter: Emitter = {
  name: "schemas-with-json",
  needs: ["schemas"],
  emit(contract, options) {
    if (options.schemasWithJson !== true) return [];
    const plan = createPlan(contract, options);
    const sides = createSides(plan);
    return plan.units.flatMap((unit) => {
      const scope = createScope(plan, unit, "schemas-with-json");
      return printFile(scope.imports, buildUnit({ ...scope, sides }));
    });
  },
};

/** Describes the JSON that schemas accept, and the JSON of their output. */
interface Sides {
  readonly input: SchemaWriter;
  readonly output: SchemaWriter;
}

interface Scope extends FileScope {
  readonly sides: Sides;
}

function createSides({ contract, options }: Plan): Sides {
  const create = (side: keyof Sides): SchemaWriter =>
    new SchemaWriter(contract, [], options, {
      root: "#/$defs/",
      hasFormats: false,
      acceptsAll: side === "input",
      side,
    });
  return { input: create("input"), output: create("output") };
}

/**
 * Builds declarations one at a time, because their layouts take a lot of
 * memory.
 */
function* buildUnit(scope: Scope): Generator<Structure> {
  const { plan, sides, unit } = scope;
  for (const type of unit.types) {
    if (plan.reached.has(type.schemaName)) yield buildType(scope, type);
  }
  for (const object of unit.messages) {
    const fields = object.fields.map(({ field }) => field);
    // JSON cannot represent files.
    const isJson = sides.input.files({ fields }).length === 0;
    if (fields.length > 0 && isJson) yield buildMessage(scope, object, fields);
  }
}

function buildType(scope: Scope, type: TypePlan): Structure {
  const { schemaName } = type;
  const name = scope.sides.input.names.type(schemaName);
  const entries = entriesOf(scope, name, (writer) =>
    writer.declaration(schemaName),
  );
  if (type.kind === "struct") return buildSchema(scope, type, entries);
  return buildConstant(
    [`The JSON Schema of \`${type.name}\`.`],
    nameOf(scope, type),
    scope.imports.runtimeType("schema", "SchemaJson"),
    linesObjectOf(entries),
  );
}

function buildMessage(
  scope: Scope,
  object: ObjectPlan,
  fields: readonly Field[],
): Structure {
  const entries = entriesOf(scope, object.name, (writer) =>
    writer.object(fields),
  );
  return buildSchema(scope, object, entries);
}

/**
 * Builds an exported constant, so that bundlers can drop it if it is unused.
 */
function buildSchema(
  { imports, plan, unit }: Scope,
  object: ObjectPlan,
  entries: readonly Doc[],
): Structure {
  const { name } = object;
  const { hasTwoForms } = unit.needs.ofObject(object);
  const typeName = hasTwoForms ? "ConvertingSchemaWithJson" : "SchemaWithJson";
  const type = imports.runtimeType("schema", typeName);
  const callee = imports.runtime("schema", "schemaWithJson");
  const schema = imports.generated(unit, "schemas", plan.names.schema(name));
  return buildConstant(
    [`Validates \`${name}\`, and has its JSON Schema.`],
    `${schema}WithJson`,
    genericOf(type, [declaredType(imports, object)]),
    pureCallOf(callee, [schema], entries),
  );
}

/** Returns the entries of a `SchemaJson`. */
function entriesOf(
  scope: Scope,
  name: string,
  describe: (writer: SchemaWriter) => Declaration,
): readonly Doc[] {
  const input = describe(scope.sides.input);
  const output = describe(scope.sides.output);
  const difference = differenceOf(input.schema, output.schema);
  const isEmpty = Object.keys(difference).length === 0;
  const refs = [...input.types].flatMap((type) => referTo(scope, type));
  return [
    entryOf("name", quoteString(name)),
    ["input: ", objectLiteral(input.schema)],
    ...(output.isJson
      ? isEmpty
        ? []
        : [["output: ", objectLiteral(difference)]]
      : ["output: null"]),
    ...(refs.length > 0 ? [["refs: () => ", arrayOf(refs)]] : []),
  ];
}

/** Returns the keywords and properties that are different in an output. */
function differenceOf(input: JsonObject, output: JsonObject): JsonObject {
  const { properties: accepted, ...keywords } = input;
  const { properties: returned, ...others } = output;
  const properties = changedIn(Object(accepted), Object(returned));
  return {
    ...changedIn(keywords, others),
    ...(Object.keys(properties).length > 0 && { properties }),
  };
}

function changedIn(before: JsonObject, after: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(after).filter(([key, value]) => !isSame(before[key], value)),
  );
}

function isSame(left: JsonValue, right: JsonValue): boolean {
  if (!isContainer(left) || !isContainer(right)) return left === right;
  const entries = Object.entries(left);
  return (
    entries.length === Object.keys(right).length &&
    entries.every(([key, value]) => isSame(value, Reflect.get(right, key)))
  );
}

function isContainer(
  value: JsonValue,
): value is JsonObject | readonly JsonValue[] {
  return typeof value === "object" && value !== null;
}

/** Imports the description of a type. */
function referTo(scope: Scope, type: string): readonly string[] {
  const plan = scope.plan.types.get(type);
  if (plan === undefined) return [];
  const name = nameOf(scope, plan);
  return [scope.imports.generated(plan.unit, "schemas-with-json", name)];
}

/**
 * Names the description of a type after its schema. The schema's name is
 * unique, so this name is also unique.
 */
function nameOf({ plan }: Scope, { kind, name }: TypePlan): string {
  return plan.names.schema(name) + (kind === "struct" ? "WithJson" : "Json");
}
