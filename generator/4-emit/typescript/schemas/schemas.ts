import { formOf } from "../plan/convert.js";
import { createScope, type FileScope } from "../plan/file-scope.js";
import type { ObjectPlan } from "../plan/plan.js";
import { declaredType } from "../plan/type-text.js";
import { createUnitEmitter } from "../plan/unit-emitter.js";
import { buildConstant } from "../text/build.js";
import type { Doc } from "../text/format.js";
import { printFile } from "../text/print.js";
import {
  genericOf,
  keyedOf,
  pureCallOf,
  pureCallWithThunk,
} from "../text/shapes.js";
import type { Structure } from "../text/structures.js";

/** Writes `schemas.ts`: a Standard Schema for each message and struct. */
export const schemasEmitter = createUnitEmitter({
  name: "schemas",
  summary: "A Standard Schema for each request, response, and struct.",
  guide: "schemas.md",
  packaged: {
    entry: "schemas",
    content: "a Standard Schema for each message, for forms and servers",
  },
  needs: ["types", "validators"],
  emitUnit(plan, unit) {
    const scope = createScope(plan, unit, "schemas");
    const structs = unit.types
      .filter((type) => type.kind === "struct")
      .filter(({ schemaName }) => plan.reached.has(schemaName));
    const messages = unit.messages.filter(({ fields }) => fields.length > 0);
    return printFile(
      scope.imports,
      [...structs, ...messages].map((object) => buildSchema(scope, object)),
    );
  },
});

/** Builds an exported constant, which bundlers can drop if it is not used. */
function buildSchema(scope: FileScope, object: ObjectPlan): Structure {
  const { imports, plan, unit } = scope;
  const { name } = object;
  const { hasTwoForms } = unit.needs.ofObject(object);
  const makerName = hasTwoForms ? "convertingSchemaOf" : "schemaOf";
  const typeName = hasTwoForms ? "ConvertingSchema" : "Schema";
  const callee = imports.runtime("codegen/create-schemas", makerName);
  const type = imports.runtimeType("schema", typeName);
  const check = imports.generated(object.unit, "validators", `check${name}`);
  return buildConstant(
    [`Validates \`${name}\`.`],
    plan.names.schema(name),
    genericOf(type, [declaredType(imports, object)]),
    hasTwoForms
      ? pureCallWithThunk(callee, [check], formEntries(scope, object))
      : pureCallOf(callee, [check]),
  );
}

/** Prints the fields that have two forms. */
function formEntries(scope: FileScope, { fields }: ObjectPlan): readonly Doc[] {
  return fields.flatMap(({ field, value }) => {
    const form = formOf(scope, value);
    return form === null
      ? []
      : [keyedOf(field.jsonName, (key) => [`${key}: `, form])];
  });
}
