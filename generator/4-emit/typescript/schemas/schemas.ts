import { branchesOf } from "../plan/branches.js";
import { formOf } from "../plan/convert.js";
import { createScope, type FileScope } from "../plan/file-scope.js";
import type {
  Composite,
  ObjectPlan,
  UnionPlan,
  VariantPlan,
} from "../plan/plan.js";
import { declaredType } from "../plan/type-text.js";
import { createUnitEmitter } from "../plan/unit-emitter.js";
import { buildConstant } from "../text/build.js";
import type { Doc } from "../text/format.js";
import { printFile } from "../text/print.js";
import {
  blockOf,
  genericOf,
  ifOf,
  withKey,
  pureCallOf,
  pureCallWithFunction,
  pureCallWithThunk,
} from "../text/shapes.js";
import { NameSets } from "../plan/name-sets.js";
import { extraOf } from "../plan/values.js";
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
    const declared = unit.types
      .filter((type) => type.kind === "struct" || type.kind === "union")
      .filter(({ schemaName }) => plan.reached.has(schemaName));
    const messages = unit.messages.filter(({ fields }) => fields.length > 0);
    const known = new NameSets(scope);
    const schemas = [...declared, ...messages].map((each) =>
      buildSchema(scope, each, known),
    );
    return printFile(scope.imports, [...known.constants, ...schemas]);
  },
});

/** Builds an exported constant, which bundlers can drop if it is not used. */
function buildSchema(
  scope: FileScope,
  composite: Composite,
  known: NameSets,
): Structure {
  const { imports, plan, unit } = scope;
  const { name } = composite;
  const { hasTwoForms } = unit.needs.ofComposite(composite);
  const isUnion = "variants" in composite;
  const extra = isUnion ? undefined : extraOf(composite)?.field;
  const converting = isUnion
    ? "convertingUnionOf"
    : extra === undefined
      ? "convertingSchemaOf"
      : "collectingSchemaOf";
  const makerName = hasTwoForms ? converting : "schemaOf";
  const typeName = hasTwoForms ? "ConvertingSchema" : "Schema";
  const callee = imports.runtime("codegen/create-schemas", makerName);
  const type = imports.runtimeType("schema", typeName);
  const check = imports.generated(composite.unit, "validators", `check${name}`);
  return buildConstant(
    [`Validates \`${name}\`.`],
    plan.names.schema(name),
    genericOf(type, [declaredType(imports, composite)]),
    !hasTwoForms
      ? pureCallOf(callee, [check])
      : isUnion
        ? pureCallWithFunction(callee, [check], variantForms(scope, composite))
        : pureCallWithThunk(
            callee,
            [check, ...(extra ? known.extraOf(composite, extra) : [])],
            formEntries(scope, composite),
          ),
  );
}

/** Builds a function that returns the form of a value's variant, if it has two. */
function variantForms(scope: FileScope, union: UnionPlan): Doc {
  const { imports } = scope;
  const isRecord = (): string => imports.runtime("validation", "isRecord");
  const branch = ({ value }: VariantPlan): Doc | null => {
    const form = formOf(scope, value);
    return form && ["return ", form, ";"];
  };
  const isTagged = union.union.tag !== null;
  const rest = "return null;";
  const statements: readonly Doc[] = [
    ...(isTagged ? [ifOf(`!${isRecord()}(value)`, rest)] : []),
    ...branchesOf(imports, union, "either", branch, rest),
    ...(isTagged ? [] : [rest]),
  ];
  return ["(value) => ", blockOf(statements)];
}

/** Prints the fields that have two forms. */
function formEntries(scope: FileScope, { fields }: ObjectPlan): readonly Doc[] {
  return fields.flatMap(({ field, value }) => {
    const form = formOf(scope, value);
    return form === null
      ? []
      : [withKey(field.jsonName, (key) => [`${key}: `, form])];
  });
}
