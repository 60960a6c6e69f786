import type { Field } from "../../../ir/contract.js";
import type { Target } from "../../emitter/target.js";
import { dialects } from "../../json-schema/dialects.js";
import { DocumentSchemas } from "../../json-schema/document-schemas.js";
import type { ObjectPart } from "../../json-schema/part.js";
import { createPlan } from "../plan/create-plan.js";
import { createScope, type FileScope } from "../plan/file-scope.js";
import type { ObjectPlan, TypePlan } from "../plan/plan.js";
import { declaredType } from "../plan/type-text.js";
import { buildConstant } from "../text/build.js";
import type { Doc } from "../text/format.js";
import { literalEntry } from "../text/shapes.js";
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
 * Writes `schemas-with-json.ts`: the schemas of
 * `schemas.ts` with their JSON Schema. This is a separate file, because
 * bundlers cannot drop the JSON Schema of a schema that is used.
 */
export const schemasWithJsonEmitter: Target = {
  name: "schemas-with-json",
  summary: "The Standard Schemas with their JSON Schema.",
  guide: "schemas.md#json-schema",
  packaged: {
    entry: "schemas-with-json",
    content:
      "the same schemas with their JSON Schema, for tools of language models",
  },
  needs: ["schemas"],
  emit(contract, options) {
    const plan = createPlan(contract, options);
    const schemas = new DocumentSchemas(
      contract,
      [],
      options,
      dialects.standard,
    );
    return plan.units.flatMap((unit) => {
      const scope = createScope(plan, unit, "schemas-with-json");
      return printFile(scope.imports, buildUnit({ ...scope, schemas }));
    });
  },
};

interface Scope extends FileScope {
  readonly schemas: DocumentSchemas;
}

/** Builds declarations one at a time, because layouts take memory. */
function* buildUnit(scope: Scope): Generator<Structure> {
  const { plan, schemas, unit } = scope;
  for (const type of unit.types) {
    if (plan.reached.has(type.schemaName)) yield buildType(scope, type);
  }
  for (const object of unit.messages) {
    const fields = object.fields.map(({ field }) => field);
    // JSON cannot represent files.
    const isJson = schemas.files({ fields }).length === 0;
    if (fields.length > 0 && isJson) yield buildMessage(scope, object, fields);
  }
}

function buildType(scope: Scope, type: TypePlan): Structure {
  const { schemas } = scope;
  const name = schemas.names.type(type.schemaName);
  const declaration = schemas.declaration(type.schemaName);
  const entries = entriesOf(scope, name, declaration);
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
  const declaration = scope.schemas.object(fields);
  const entries = entriesOf(scope, object.name, declaration);
  return buildSchema(scope, object, entries);
}

/** Builds an exported constant, which bundlers can drop if it is not used. */
function buildSchema(
  { imports, plan, unit }: Scope,
  object: ObjectPlan,
  entries: readonly Doc[],
): Structure {
  const { name } = object;
  const { hasTwoForms } = unit.needs.ofComposite(object);
  const typeName = hasTwoForms ? "ConvertingSchemaWithJson" : "SchemaWithJson";
  const type = imports.runtimeType("schema", typeName);
  const callee = imports.runtime("codegen/create-schemas", "schemaWithJson");
  const schema = imports.generated(unit, "schemas", plan.names.schema(name));
  return buildConstant(
    [`Validates \`${name}\` and provides its JSON Schema.`],
    `${schema}WithJson`,
    genericOf(type, [declaredType(imports, object)]),
    pureCallOf(callee, [schema], entries),
  );
}

/** Returns the entries of a `SchemaJson`. */
function entriesOf(
  scope: Scope,
  name: string,
  { isJson, output, refs: types, schema }: ObjectPart,
): readonly Doc[] {
  const isSame = isJson && Object.keys(output).length === 0;
  const refs = [...new Set(types)].flatMap((type) => referTo(scope, type));
  return [
    entryOf("name", quoteString(name)),
    literalEntry("input", schema),
    ...(isSame ? [] : [literalEntry("output", isJson ? output : null)]),
    ...(refs.length > 0 ? [["refs: () => ", arrayOf(refs)]] : []),
  ];
}

/** Imports the constant that contains the JSON Schema of a type. */
function referTo(scope: Scope, type: string): readonly string[] {
  const plan = scope.plan.types.get(type);
  if (plan === undefined) return [];
  const name = nameOf(scope, plan);
  return [scope.imports.generated(plan.unit, "schemas-with-json", name)];
}

/** Names the constant of a type after its schema, whose name is unique. */
function nameOf({ plan }: Scope, { kind, name }: TypePlan): string {
  return plan.names.schema(name) + (kind === "struct" ? "WithJson" : "Json");
}
