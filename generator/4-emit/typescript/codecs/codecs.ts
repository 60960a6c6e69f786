import {
  asType,
  branchesOf,
  narrows,
  type ValueForm,
} from "../plan/branches.js";
import {
  convertedBy,
  objectPredicate,
  readerEntries,
  readOf,
  readWith,
} from "../plan/convert.js";
import { createScope, type FileScope } from "../plan/file-scope.js";
import type {
  Composite,
  FieldPlan,
  ObjectPlan,
  UnionPlan,
  VariantPlan,
} from "../plan/plan.js";
import { declaredType, typeOf } from "../plan/type-text.js";
import { createUnitEmitter } from "../plan/unit-emitter.js";
import { NameSets } from "../plan/name-sets.js";
import {
  compositeIn,
  compositesOf,
  extraOf,
  valuesIn,
} from "../plan/values.js";
import { buildConstant, buildFunction } from "../text/build.js";
import { typeText, type Doc } from "../text/format.js";
import { printFile } from "../text/print.js";
import { quoteAccess, quoteIndex, quoteString } from "../text/quote.js";
import {
  afterOperator,
  assignmentOf,
  callOf,
  conditionalOf,
  genericOf,
  ifOf,
  withKey,
  linesObjectOf,
  operandsOf,
  pureCallOf,
} from "../text/shapes.js";
import type { Structure } from "../text/structures.js";

/** Writes `codecs.ts`: conversions between JSON and TypeScript values. */
export const codecsEmitter = createUnitEmitter({
  name: "codecs",
  summary: "Conversions for types whose JSON and TypeScript forms differ.",
  guide: "ridl.md#types-and-the-wire",
  needs: ["types"],
  emitUnit(plan, unit) {
    const scope = createScope(plan, unit, "codecs");
    const { decoder, encoder, reader } = plan.needed;
    const composites = compositesOf(unit);
    const read = composites.filter((each) => reader.has(each));
    const known = new NameSets(scope);
    const functions = composites.flatMap((each) => [
      ...(decoder.has(each) ? [decoderStatement(scope, each, known)] : []),
      ...(encoder.has(each) ? [encoderStatement(scope, each, known)] : []),
    ]);
    const readers = readerStatements(scope, known, read);
    return printFile(scope.imports, [
      ...known.constants,
      ...functions,
      ...readers,
    ]);
  },
});

/** Builds `decodeX(value: unknown): X`, which converts in place. */
function decoderStatement(
  scope: FileScope,
  composite: Composite,
  known: NameSets,
): Structure {
  const { imports } = scope;
  const { name } = composite;
  const type = declaredType(imports, composite);
  const requireRecord = (): string =>
    imports.runtime("codegen/codec", "requireRecord");
  return buildFunction(
    [`Decodes a valid \`${name}\` in place.`],
    `decode${name}`,
    [{ name: "value", type: "unknown" }],
    type,
    [
      ...("variants" in composite
        ? convertedVariant(scope, composite, "json", ({ value }) =>
            scope.unit.needs.of(value).decodes
              ? convertedBy(scope, "decode", value, "value")
              : null,
          )
        : [
            `const record = ${requireRecord()}(value);`,
            ...collectedExtra(scope, composite, known),
            ...composite.fields.flatMap((field) => decodedField(scope, field)),
            ["return value", typeText(` as ${type}`), ";"],
          ]),
    ],
  );
}

/**
 * Builds statements that return the converted value of a variant, or the value
 * itself. `convert` returns null for a variant that needs no conversion.
 */
function convertedVariant(
  { imports }: FileScope,
  union: UnionPlan,
  form: ValueForm,
  convert: (variant: VariantPlan) => Doc | null,
): readonly Doc[] {
  const isTagged = union.union.tag !== null;
  const isRecord = !isTagged || form === "typescript";
  const type = declaredType(imports, union);
  const same = (cast: string): Doc => [
    "return value",
    ...(form === "json" ? [typeText(cast)] : []),
    ";",
  ];
  const branches = branchesOf(
    imports,
    union,
    form,
    (variant) => {
      const converted = convert(variant);
      return converted && ["return ", converted, ";"];
    },
    // A test for objects narrows the type of a value.
    same(isTagged ? ` as ${type}` : ` as unknown as ${type}`),
    isRecord
      ? "value"
      : `${imports.runtime("codegen/codec", "requireRecord")}(value)`,
  );
  return isTagged ? branches : [...branches, same(` as ${type}`)];
}

/** Builds a statement that moves extra members to a map. */
function collectedExtra(
  { imports }: FileScope,
  object: ObjectPlan,
  known: NameSets,
): readonly Doc[] {
  const extra = extraOf(object)?.field;
  if (extra === undefined) return [];
  const args = ["record", ...known.extraOf(object, extra)];
  return [
    [callOf(imports.runtime("codegen/codec", "collectExtra"), args), ";"],
  ];
}

function decodedField(scope: FileScope, plan: FieldPlan): readonly Doc[] {
  const { field } = plan;
  if (!scope.unit.needs.of(plan.value).decodes) return [];
  const value = readOf(scope.imports, "record", plan);
  const decoded = convertedBy(scope, "decode", plan.value, value);
  const target = `record${quoteIndex(field.jsonName)}`;
  const convert: Doc = [assignmentOf(target, decoded), ";"];
  const tests = [
    ...(field.isOptional ? [`${value} !== undefined`] : []),
    ...(field.isNullable ? [`${value} !== null`] : []),
  ];
  return [tests.length > 0 ? ifOf(operandsOf("&&", tests), convert) : convert];
}

/**
 * Builds `encodeX(value: X): unknown`, which copies property by property,
 * because that is faster than a spread. Validators report values that are not
 * objects.
 */
function encoderStatement(
  scope: FileScope,
  composite: Composite,
  known: NameSets,
): Structure {
  if ("variants" in composite) return unionEncoder(scope, composite);
  const { imports } = scope;
  const { fields, name } = composite;
  const type = declaredType(imports, composite);
  const entries = fields.map((field) => encodedField(scope, field));
  const extra = extraOf(composite)?.field;
  const encoded =
    extra === undefined
      ? linesObjectOf(entries)
      : callOf(imports.runtime("codegen/codec", "spreadExtra"), [
          linesObjectOf(entries),
          known.nameOf(composite),
          quoteString(extra.jsonName),
        ]);
  return buildFunction(
    [`Returns an encoded copy of a value of type \`${name}\`.`],
    `encode${name}`,
    [{ name: "value", type }],
    "unknown",
    [
      returnUnless(objectPredicate(imports, composite)),
      ["return ", encoded, ";"],
    ],
  );
}

/** Builds a statement that returns a value that is not an object. */
function returnUnless(isObject: string): Doc {
  // Without the cast, TypeScript would narrow the value, which slows down
  // compilation.
  const test = [`!${isObject}(value`, typeText(" as unknown"), ")"];
  return ifOf(test, "return value;");
}

/** Builds `encodeX(value: X): unknown` of a union. */
function unionEncoder(scope: FileScope, union: UnionPlan): Structure {
  const { imports, unit } = scope;
  const { name } = union;
  const { tag } = union.union;
  return buildFunction(
    [`Returns an encoded copy of a value of type \`${name}\`.`],
    `encode${name}`,
    [{ name: "value", type: declaredType(imports, union) }],
    "unknown",
    [
      ...(tag === null
        ? []
        : [returnUnless(imports.runtime("validation", "isRecord"))]),
      ...convertedVariant(scope, union, "typescript", ({ value }) =>
        unit.needs.of(value).encodes
          ? convertedBy(
              scope,
              "encode",
              value,
              narrows(union.union) ? "value" : asType(typeOf(imports, value)),
            )
          : null,
      ),
    ],
  );
}

function encodedField(scope: FileScope, plan: FieldPlan): Doc {
  const { isNullable, isOptional, jsonName } = plan.field;
  const { encodes } = scope.unit.needs.of(plan.value);
  const value = `value${quoteAccess(jsonName)}`;
  const present = encodes
    ? convertedBy(scope, "encode", plan.value, value)
    : value;
  // Inherited properties would be mistaken for the field.
  const isHidden = isOptional && plan.isInherited;
  // Null is a value of some unions.
  const isUndefined = isOptional && !isNullable && !plan.isAbsentAsNull;
  const nullTest = isUndefined
    ? `${value} === undefined`
    : isOptional
      ? `${value} == null`
      : `${value} === null`;
  const absent = [
    ...(isHidden ? [`!Object.hasOwn(value, ${quoteString(jsonName)})`] : []),
    ...(encodes && (isOptional || isNullable) ? [nullTest] : []),
  ];
  if (absent.length === 0) {
    return withKey(jsonName, (key) =>
      encodes ? [`${key}: `, present] : afterOperator(`${key}:`, present),
    );
  }
  // An absent value is null or, if the field is optional, undefined.
  const known = (): string =>
    isHidden ? readOf(scope.imports, "value", plan) : value;
  const nothing = isNullable ? known() : "undefined";
  const chosen = conditionalOf(absent.join(" || "), nothing, present);
  // Prettier moves a comparison to the next line only as a whole.
  const isBeside = absent.length === 1 && isHidden;
  return withKey(jsonName, (key) =>
    isBeside ? [`${key}: `, chosen] : afterOperator(`${key}:`, chosen),
  );
}

/**
 * Builds `readX: Read<X>`: a table of the fields that a client must examine,
 * because tables stay small in a bundle.
 */
function readerStatements(
  scope: FileScope,
  known: NameSets,
  composites: readonly Composite[],
): readonly Structure[] {
  const waiting = new Set(composites);
  /** Objects whose readers are not written yet. Functions can be used before. */
  const missing = new Set(composites.filter(isObject));
  const statements: Structure[] = [];
  const waitingIn = (composite: Composite): Composite | null => {
    for (const value of valuesIn(composite)) {
      const held = compositeIn(value);
      if (held !== null && waiting.has(held)) return held;
    }
    return null;
  };
  // Use an explicit stack, because structs can be nested too deeply for
  // recursion.
  const path: Composite[] = [];
  const enter = (composite: Composite): void => {
    if (waiting.delete(composite)) path.push(composite);
  };
  for (const each of composites) {
    enter(each);
    for (let last = path.at(-1); last; last = path.at(-1)) {
      const held = waitingIn(last);
      if (held !== null) enter(held);
      else {
        path.pop();
        statements.push(
          isObject(last)
            ? readerStatement(scope, last, known, missing)
            : unionReader(scope, last),
        );
        if (isObject(last)) missing.delete(last);
      }
    }
  }
  return statements;
}

function isObject(composite: Composite): composite is ObjectPlan {
  return !("variants" in composite);
}

/** Builds `readX(value: unknown): X` of a union. */
function unionReader(scope: FileScope, union: UnionPlan): Structure {
  const { name } = union;
  const type = declaredType(scope.imports, union);
  return buildFunction(
    [`Decodes a value of type \`${name}\` in place.`],
    `read${name}`,
    [{ name: "value", type: "unknown" }],
    type,
    [
      ...convertedVariant(scope, union, "json", ({ value }) =>
        readWith(scope, value, "value"),
      ),
    ],
  );
}

function readerStatement(
  scope: FileScope,
  object: ObjectPlan,
  known: NameSets,
  missing: ReadonlySet<ObjectPlan>,
): Structure {
  const { imports } = scope;
  const { name } = object;
  const type = declaredType(imports, object);
  const extra = extraOf(object)?.field;
  const maker = extra === undefined ? "readFields" : "readWithExtra";
  const callee = imports.runtime("codegen/codec", maker);
  const args = extra === undefined ? [] : known.extraOf(object, extra);
  const entries = readerEntries(scope, object, missing);
  return buildConstant(
    [`Decodes a value of type \`${name}\` in place.`],
    `read${name}`,
    genericOf(imports.runtimeType("codegen/codec", "Read"), [type]),
    pureCallOf(callee, args, entries),
  );
}
