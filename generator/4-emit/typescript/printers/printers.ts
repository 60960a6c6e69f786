import { createUnitEmitter } from "../plan/unit-emitter.js";
import { createScope } from "../plan/file-scope.js";
import type { Imports } from "../plan/imports.js";
import { objectsOf } from "../plan/objects.js";
import { declaredType } from "../plan/type-text.js";
import type { FieldPlan, ObjectPlan } from "../plan/plan.js";
import { buildFunction } from "../text/build.js";
import type { Structure } from "../text/structures.js";
import type { Doc } from "../text/format.js";
import { printFile } from "../text/print.js";
import { afterOperator, operationOf, returnOf } from "../text/shapes.js";
import { isConditional, partOf } from "./print-field.js";

/**
 * `printers.ts`: the JSON of what servers answer, put together field by field.
 * It makes use of what the check has made sure of, e.g. which text needs no
 * escaping, and leaves out what the contract does not know.
 */
export const printersEmitter = createUnitEmitter({
  name: "printers",
  emitUnit(plan, unit) {
    const { imports } = createScope(plan, unit, "printers");
    const statements = objectsOf(unit)
      .filter(({ needed }) => needed.printer)
      .map((object) => printerStatement(imports, object));
    return printFile(imports, statements);
  },
});

/** `printX(value: X): string`. */
function printerStatement(imports: Imports, object: ObjectPlan): Structure {
  const { fields, name } = object;
  const type = declaredType(imports, object);
  const parameter = fields.length === 0 ? "_value" : "value";
  return buildFunction(
    [`JSON of \`${name}\`, which is in wire form and checked.`],
    `print${name}`,
    [{ name: parameter, type }],
    "string",
    bodyOf(imports, fields),
  );
}

function bodyOf(
  imports: Imports,
  fields: readonly FieldPlan[],
): readonly Doc[] {
  if (fields.length === 0) return ['return "{}";'];
  if (fields[0]?.field.isOptional === true) {
    // Which one comes first is known only by its comma.
    const sum = operationOf("+", partsOf(imports, fields, ",", ""));
    return [
      [afterOperator("const members =", sum), ";"],
      "return `{${members.slice(1)}}`;",
    ];
  }
  return [returnOf("+", partsOf(imports, fields, "{", "}"))];
}

/** The operands whose sum is the text of the fields. */
function partsOf(
  imports: Imports,
  fields: readonly FieldPlan[],
  first: string,
  last: string,
): readonly Doc[] {
  return fields.map((field, at) => {
    const before = at === 0 ? first : ",";
    const after = at === fields.length - 1 ? last : "";
    const part = partOf(imports, field, before, after);
    return isConditional(field) && fields.length > 1 ? ["(", part, ")"] : part;
  });
}
