import type { Constraints } from "../../../ir/contract.js";
import type { Imports } from "../plan/imports.js";
import type { ScalarForm } from "../plan/scalars.js";
import type {
  AliasPlan,
  BytesValue,
  EnumValue,
  LimitedValue,
  ScalarValue,
  Value,
} from "../plan/plan.js";
import { buildFunction } from "../text/build.js";
import type { FunctionStructure, Structure } from "../text/structures.js";
import type { Doc } from "../text/format.js";
import { afterOperator, conditionalOf, returnOf } from "../text/shapes.js";
import { exported, keyOf, type ValidatorContext } from "./context.js";
import { bytesConditions, limitConditions } from "./limits.js";
import {
  isListed,
  type Listed,
  onlyLiteral,
  returnIsAllowed,
} from "./listed-values.js";

/** Code that checks a value with a boolean expression. */
export interface Predicate {
  /** Returns an expression that is true if the value is valid. */
  is(value: string): string;
  /** Returns an expression that is true if the value is invalid. */
  not(value: string): string;
  /** Returns a function `(value: unknown) => boolean`. */
  callee(): string;
  /** Description of a valid value, e.g. `an address`. */
  readonly title: string;
}

/** Returns the item of a list or map as a value without limits of its own. */
export function itemValue(value: Value): LimitedValue {
  return { value, type: value, own: {} };
}

/**
 * Returns the predicate of a value, or null for structs, lists, maps and unions. A function that is written for this value alone is named after
 * `owner`.
 */
export function predicateOf(
  context: ValidatorContext,
  subject: LimitedValue,
  owner: string,
): Predicate | null {
  const { type, value } = subject;
  const { title } = value;
  const named = (name: string): Predicate => calling(name, title);
  switch (value.kind) {
    case "struct":
    case "list":
    case "map":
    case "union":
      return null;
    case "enum":
      if (!isListed(value)) return named(exported(context, "is", value.type));
      break;
    case "scalar":
    case "bytes":
      break;
  }
  if (hasLimits(subject.own))
    return fieldPredicate(context, { ...subject, value }, owner);
  if (type.declared !== null)
    return named(exported(context, "is", type.declared));
  // The list of an enum's values is in the field or in an alias.
  if (value.kind === "enum") return null;
  return value.kind === "bytes"
    ? named(context.imports.runtime("validation", "isBase64"))
    : { ...scalarPredicate(context.imports, value.form), title };
}

function hasLimits(constraints: Constraints): boolean {
  for (const name in constraints) if (name !== "example") return true;
  return false;
}

/** A value that a predicate checks. */
type CheckedValue = ScalarValue | BytesValue | Listed<EnumValue>;

/** A value of a core type, bytes, or some of an enum's values. */
interface PlainValue extends LimitedValue {
  readonly value: CheckedValue;
}

/** Whether aliases of a value have a predicate. */
export function hasPredicate(value: Value): value is CheckedValue {
  switch (value.kind) {
    case "scalar":
    case "bytes":
      return true;
    case "enum":
      return isListed(value);
    case "struct":
    case "union":
    case "list":
    case "map":
      return false;
  }
}

/** Returns the predicate of a core type. */
function scalarPredicate(
  imports: Imports,
  { test }: ScalarForm,
): Omit<Predicate, "title"> {
  switch (test.kind) {
    case "typeof":
      return {
        is: (value) => `typeof ${value} === "${test.type}"`,
        not: (value) => `typeof ${value} !== "${test.type}"`,
        callee: () => imports.runtime("validation", test.callee),
      };
    case "null":
      return {
        is: (value) => `${value} === null`,
        not: (value) => `${value} !== null`,
        callee: () => "(item) => item === null",
      };
    case "call":
      return calling(imports.runtime(test.file, test.callee), "");
  }
}

/** Returns a predicate that calls an imported function by its local name. */
function calling(local: string, title: string): Predicate {
  return {
    is: (value) => `${local}(${value})`,
    not: (value) => `!${local}(${value})`,
    callee: () => local,
    title,
  };
}

/** Returns the predicate of a field with its own limits. */
function fieldPredicate(
  context: ValidatorContext,
  subject: PlainValue,
  owner: string,
): Predicate {
  const { value } = subject;
  const only =
    value.kind !== "bytes" && isListed(value) ? onlyLiteral(value) : null;
  if (only === null)
    return calling(addPredicate(context, subject, owner), value.title);
  return {
    is: (code) => `${code} === ${only}`,
    not: (code) => `${code} !== ${only}`,
    callee: () => addPredicate(context, subject, owner),
    title: value.title,
  };
}

/** Adds a function for a field with its own limits and returns its name. */
function addPredicate(
  context: ValidatorContext,
  subject: PlainValue,
  owner: string,
): string {
  const { hoisted, locals, predicates } = context;
  const body = predicateBody(context, subject, owner);
  const key = `predicate ${keyOf(body)}`;
  const known = hoisted.get(key);
  if (known !== undefined) return known;
  const name = locals.claim(`is${owner}`);
  hoisted.set(key, name);
  const declared = predicateFunction([], name, subject.value, body);
  predicates.push({ ...declared, isExported: false });
  return name;
}

/** Builds `isX(value: unknown): value is …`. */
function predicateFunction(
  docs: readonly string[],
  name: string,
  value: CheckedValue,
  body: readonly Doc[],
): FunctionStructure {
  const parameters = [{ name: "value", type: "unknown" }];
  const returns = `value is ${wireType(value)}`;
  return buildFunction(docs, name, parameters, returns, body);
}

/** Returns the TypeScript type of a value before it is decoded. */
function wireType(value: CheckedValue): string {
  if (value.kind !== "scalar") return "string";
  return value.resolved.acceptsInteger
    ? "string | number | bigint"
    : value.form.wireType;
}

/** Describes what the validator of an alias leaves to its callers. */
export function otherThanNull({ isNullable }: Value): string {
  return isNullable ? " other than null" : "";
}

/** Builds `isX` for an alias of a value that has a predicate. */
export function aliasPredicate(
  context: ValidatorContext,
  { name, own, schemaName, type }: AliasPlan,
  value: CheckedValue,
): Structure {
  const subject = { value, type, own };
  return predicateFunction(
    [`Whether \`value\` is a valid \`${name}\`${otherThanNull(value)}.`],
    `is${name}`,
    value,
    predicateBody(context, subject, schemaName),
  );
}

function predicateBody(
  context: ValidatorContext,
  { own, type, value }: PlainValue,
  owner: string,
): readonly Doc[] {
  const { imports } = context;
  switch (value.kind) {
    case "bytes":
      return [
        returnOf("&&", [
          `${imports.runtime("validation", "isBase64")}(value)`,
          ...bytesConditions(context, value.limits),
        ]),
      ];
    case "enum":
      return [returnIsAllowed(context, owner, value, "value")];
    case "scalar":
      break;
  }
  const { form, limits, name } = value;
  const { declared } = type;
  if (value.resolved.acceptsInteger) {
    if (isListed(value)) {
      const test = returnIsAllowed(context, owner, value, "text");
      return [textOfInteger(imports), test];
    }
    const below = declared && exported(context, "is", declared);
    const conditions = limitConditions(context, own, name, owner, "text");
    return integerTextBody(context, below, conditions);
  }
  const isOfType = () => scalarPredicate(imports, form).is("value");
  if (isListed(value))
    return [returnIsAllowed(context, owner, value, "value", isOfType)];
  const isUrl = (): string =>
    `${imports.runtime("validation", "isUrl")}(value)`;
  if (declared === null || form.wireType !== "string") {
    // Checks all limits at once. The tightest one applies to numbers, and text
    // without an alias has only its own limits.
    const core =
      limits.format === "uri" && form.sample === "text" ? isUrl() : isOfType();
    return [
      returnOf("&&", [
        core,
        ...limitConditions(context, limits, name, owner, "value"),
      ]),
    ];
  }
  // Also calls the predicate of the alias, because the patterns of all aliases
  // apply.
  return [
    returnOf("&&", [
      `${exported(context, "is", declared)}(value)`,
      ...(own.format === "uri" ? [isUrl()] : []),
      ...limitConditions(context, own, name, owner, "value"),
    ]),
  ];
}

function textOfInteger(imports: Imports): Doc {
  const isSafeInt = imports.runtime("validation", "isSafeInt");
  const isInteger = `${isSafeInt}(value) || typeof value === "bigint"`;
  const text = conditionalOf(isInteger, "String(value)", "value");
  return [afterOperator("const text =", text), ";"];
}

/** Builds the checks for text that can also be a JSON integer. */
function integerTextBody(
  { imports }: ValidatorContext,
  below: string | null,
  limits: readonly string[],
): readonly Doc[] {
  return [
    textOfInteger(imports),
    returnOf("&&", [
      `typeof text === "string"`,
      ...(below === null ? [] : [`${below}(text)`]),
      ...limits,
    ]),
  ];
}
