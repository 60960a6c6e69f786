import { convertedBy, readerEntries, readOf } from "../plan/convert.js";
import { createScope, type FileScope } from "../plan/file-scope.js";
import type { FieldPlan, ObjectPlan } from "../plan/plan.js";
import { declaredType } from "../plan/type-text.js";
import { createUnitEmitter } from "../plan/unit-emitter.js";
import { objectsOf, structIn } from "../plan/values.js";
import { buildConstant, buildFunction } from "../text/build.js";
import { typeText, type Doc } from "../text/format.js";
import { printFile } from "../text/print.js";
import { quoteAccess, quoteIndex, quoteString } from "../text/quote.js";
import {
  afterOperator,
  assignmentOf,
  conditionalOf,
  genericOf,
  ifOf,
  keyedOf,
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
    const objects = objectsOf(unit);
    const read = objects.filter((object) => reader.has(object));
    return printFile(scope.imports, [
      ...objects.flatMap((object) => [
        ...(decoder.has(object) ? [decoderStatement(scope, object)] : []),
        ...(encoder.has(object) ? [encoderStatement(scope, object)] : []),
      ]),
      ...readerStatements(scope, read),
    ]);
  },
});

/** Builds `decodeX(value: unknown): X`, which converts in place. */
function decoderStatement(scope: FileScope, object: ObjectPlan): Structure {
  const { imports } = scope;
  const { fields, name } = object;
  const requireRecord = imports.runtime("codegen/codec", "requireRecord");
  const type = declaredType(imports, object);
  return buildFunction(
    [`Decodes a valid \`${name}\` in place.`],
    `decode${name}`,
    [{ name: "value", type: "unknown" }],
    type,
    [
      `const record = ${requireRecord}(value);`,
      ...fields.flatMap((field) => decodedField(scope, field)),
      ["return value", typeText(` as ${type}`), ";"],
    ],
  );
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
function encoderStatement(scope: FileScope, object: ObjectPlan): Structure {
  const { imports } = scope;
  const { fields, name } = object;
  const type = declaredType(imports, object);
  const isRecord = imports.runtime("validation", "isRecord");
  const entries = fields.map((field) => encodedField(scope, field));
  // Without this, TypeScript would narrow the value, which slows down
  // compilation.
  const test = [`!${isRecord}(value`, typeText(" as unknown"), ")"];
  return buildFunction(
    [`Returns an encoded copy of a value of type \`${name}\`.`],
    `encode${name}`,
    [{ name: "value", type }],
    "unknown",
    [ifOf(test, "return value;"), ["return ", linesObjectOf(entries), ";"]],
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
  const nullTest = isOptional ? `${value} == null` : `${value} === null`;
  const absent = [
    ...(isHidden ? [`!Object.hasOwn(value, ${quoteString(jsonName)})`] : []),
    ...(encodes && (isOptional || isNullable) ? [nullTest] : []),
  ];
  if (absent.length === 0) {
    return keyedOf(jsonName, (key) =>
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
  return keyedOf(jsonName, (key) =>
    isBeside ? [`${key}: `, chosen] : afterOperator(`${key}:`, chosen),
  );
}

/**
 * Builds `readX: Read<X>`: a table of the fields that a client must examine,
 * because tables stay small in a bundle.
 */
function readerStatements(
  scope: FileScope,
  objects: readonly ObjectPlan[],
): readonly Structure[] {
  const waiting = new Set(objects);
  /** Objects whose readers are not written yet. */
  const missing = new Set(objects);
  const statements: Structure[] = [];
  const waitingIn = ({ fields }: ObjectPlan): ObjectPlan | null => {
    for (const { type } of fields) {
      const held = structIn(type);
      if (held !== null && waiting.has(held)) return held;
    }
    return null;
  };
  // Use an explicit stack, because structs can be nested too deeply for
  // recursion.
  const path: ObjectPlan[] = [];
  const enter = (object: ObjectPlan): void => {
    if (waiting.delete(object)) path.push(object);
  };
  for (const each of objects) {
    enter(each);
    for (let last = path.at(-1); last; last = path.at(-1)) {
      const held = waitingIn(last);
      if (held !== null) enter(held);
      else {
        path.pop();
        statements.push(readerStatement(scope, last, missing));
        missing.delete(last);
      }
    }
  }
  return statements;
}

function readerStatement(
  scope: FileScope,
  object: ObjectPlan,
  missing: ReadonlySet<ObjectPlan>,
): Structure {
  const { imports } = scope;
  const { name } = object;
  const type = declaredType(imports, object);
  const callee = imports.runtime("codegen/codec", "readFields");
  const entries = readerEntries(scope, object, missing);
  return buildConstant(
    [`Decodes a value of type \`${name}\` in place.`],
    `read${name}`,
    genericOf(imports.runtimeType("codegen/codec", "Read"), [type]),
    pureCallOf(callee, [], entries),
  );
}
