import type { Constraints } from "../../../ir/contract.js";
import type { Imports } from "../plan/imports.js";
import type { ScalarForm } from "../plan/scalars.js";
import type {
  AliasPlan,
  BytesValue,
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

/** How a value is judged by a plain yes or no. */
export interface Predicate {
  /** An expression that is true when the value fits. */
  is(value: string): string;
  /** An expression that is true when it does not. */
  not(value: string): string;
  /** A function `(value: unknown) => boolean`. */
  callee(): string;
  /** What such a value is called, e.g. `an address`. */
  readonly title: string;
}

/** A type in a list or map, where nothing is said on top of it. */
export function heldIn(value: Value): LimitedValue {
  return { value, type: value, own: {} };
}

/**
 * The predicate of what is neither struct, list nor map; null for `any`, which
 * takes everything.
 *
 * Input: the name that a function for it alone gets.
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
      return null;
    case "enum":
      return named(exported(context, "is", value.type));
    case "scalar":
      if (value.form.test.kind === "present") return null;
      break;
    case "bytes":
      break;
  }
  if (hasLimits(subject.own))
    return named(fieldPredicate(context, { ...subject, value }, owner));
  if (type.declared !== null)
    return named(exported(context, "is", type.declared));
  return value.kind === "bytes"
    ? named(context.imports.runtime("validation", "isBase64"))
    : { ...scalarPredicate(context.imports, value.form), title };
}

/** Whether something is said that a value has to keep to. */
function hasLimits(constraints: Constraints): boolean {
  for (const name in constraints) if (name !== "example") return true;
  return false;
}

/** A subject that is a core type or bytes. */
interface PlainValue extends LimitedValue {
  readonly value: ScalarValue | BytesValue;
}

/** How a value of a core type is told from others. */
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
    case "present":
      return {
        is: (value) => `${value} !== undefined`,
        not: (value) => `${value} === undefined`,
        callee: () => "(item) => item !== undefined",
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

/** Calls of a function that was imported under this name. */
function calling(local: string, title: string): Predicate {
  return {
    is: (value) => `${local}(${value})`,
    not: (value) => `!${local}(${value})`,
    callee: () => local,
    title,
  };
}

/** A function for a field with limits of its own. */
function fieldPredicate(
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

/** `isX(value: unknown): value is …`. */
function predicateFunction(
  docs: readonly string[],
  name: string,
  value: ScalarValue | BytesValue,
  body: readonly Doc[],
): FunctionStructure {
  const parameters = [{ name: "value", type: "unknown" }];
  const returns = `value is ${wireType(value)}`;
  return buildFunction(docs, name, parameters, returns, body);
}

/** TypeScript type of a value before it is decoded. */
function wireType(value: ScalarValue | BytesValue): string {
  if (value.kind === "bytes") return "string";
  return value.acceptsInteger
    ? "string | number | bigint"
    : value.form.wireType;
}

/** `isX` of an alias of a core type or of bytes. */
export function aliasPredicate(
  context: ValidatorContext,
  { name, own, schemaName, type }: AliasPlan,
  value: ScalarValue | BytesValue,
): Structure {
  const subject = { value, type, own };
  return predicateFunction(
    [`Whether \`value\` is a valid \`${name}\`.`],
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
  if (value.kind === "bytes") {
    return [
      returnOf("&&", [
        `${imports.runtime("validation", "isBase64")}(value)`,
        ...bytesConditions(context, value.limits, "value"),
      ]),
    ];
  }
  const { form, limits, name } = value;
  const { declared } = type;
  if (value.acceptsInteger) {
    const below = declared && exported(context, "is", declared);
    const conditions = limitConditions(context, own, name, owner, "text");
    return integerTextBody(context, below, conditions);
  }
  const isUrl = (): string =>
    `${imports.runtime("validation", "isUrl")}(value)`;
  if (declared === null || form.wireType !== "string") {
    // Of numbers, all limits on the way are known together.
    const core =
      limits.format === "uri" && form.sample === "text"
        ? isUrl()
        : scalarPredicate(imports, form).is("value");
    return [
      returnOf("&&", [
        core,
        ...limitConditions(context, limits, name, owner, "value"),
      ]),
    ];
  }
  // Patterns of several aliases all apply.
  return [
    returnOf("&&", [
      `${exported(context, "is", declared)}(value)`,
      ...(own.format === "uri" ? [isUrl()] : []),
      ...limitConditions(context, own, name, owner, "value"),
    ]),
  ];
}

/** A JSON integer counts as its decimal digits. */
function integerTextBody(
  { imports }: ValidatorContext,
  below: string | null,
  limits: readonly string[],
): readonly Doc[] {
  const isSafeInt = imports.runtime("validation", "isSafeInt");
  const isInteger = `${isSafeInt}(value) || typeof value === "bigint"`;
  const text = conditionalOf(isInteger, "String(value)", "value");
  return [
    [afterOperator("const text =", text), ";"],
    returnOf("&&", [
      `typeof text === "string"`,
      ...(below === null ? [] : [`${below}(text)`]),
      ...limits,
    ]),
  ];
}
