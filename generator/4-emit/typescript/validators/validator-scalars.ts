import type { Alias, Field, TypeReference } from "../../../ir/contract.js";
import { acceptsInteger } from "../codecs/exact-integers.js";
import { corePredicate, wireOfScalar } from "./core-predicates.js";
import type { Doc } from "../text/format.js";
import { afterOperator, conditionalOf, returnOf } from "../text/shapes.js";
import { buildFunction, type FunctionExtras } from "../text/build.js";
import type { Declared } from "../text/declare.js";
import type { ValidatorContext } from "./validator-context.js";
import { bytesConditions, limitConditions } from "./validator-limits.js";
import { ownConstraints, targetOf, titleOf } from "./validator-subjects.js";

/** How a value is judged by a plain yes or no. */
export interface Predicate {
  /** An expression that is true when the value does not fit. */
  not(value: string): string;
  /** A function `(value: unknown) => boolean`. */
  callee(): string;
  /** What such a value is called, e.g. `an address`. */
  readonly title: string;
}

/**
 * The predicate of a subject that is neither struct, list nor map; null for
 * `any`, which takes everything.
 *
 * Input: a field or type; the name that a function for it alone gets.
 */
export function predicateOf(
  context: ValidatorContext,
  subject: Field | TypeReference,
  owner: string,
): Predicate | null {
  const { index, imports } = context;
  const reference = subject.kind === "field" ? subject.type : subject;
  const title = titleOf(context, subject);
  const named = (name: string): Predicate => ({
    not: (value) => `!${name}(${value})`,
    callee: () => name,
    title,
  });
  const isLimited = subject.kind === "field" && hasLimits(context, subject);
  if (reference.kind === "list" && !isLimited) {
    return named(imports.runtime("validation", "isBase64"));
  }
  const resolved = index.resolve(reference);
  if (resolved.kind === "reference") {
    return named(exported(context, "is", resolved.name));
  }
  if (resolved.kind === "scalar" && resolved.name === "any") return null;
  if (isLimited) return named(fieldPredicate(context, subject, owner));
  if (reference.kind === "reference") {
    return named(exported(context, "is", reference.name));
  }
  const name = reference.kind === "scalar" ? reference.name : "string";
  return { ...corePredicate(context, name, false), title };
}

/** `isX` or `checkX` of a declared type, imported where needed. */
export function exported(
  { imports, layout }: ValidatorContext,
  verb: "is" | "check",
  name: string,
): string {
  const unit = layout.unitOfType(name);
  const type = layout.names.type(name);
  return imports.generated(unit, "validators", verb + type);
}

function hasLimits({ index }: ValidatorContext, field: Field): boolean {
  const { example, ...limits } = field.constraints;
  return (
    Object.keys(limits).length > 0 ||
    index.isSafeInteger(field) !== index.isSafeInteger(field.type)
  );
}

/** A function for a field with limits of its own. */
function fieldPredicate(
  context: ValidatorContext,
  field: Field,
  owner: string,
): string {
  const body = predicateBody(context, field, owner);
  const key = JSON.stringify(["predicate", body]);
  const known = context.hoisted.get(key);
  if (known !== undefined) return known;
  const name = context.scope.claim(`is${owner}`);
  context.hoisted.set(key, name);
  const type = wireType(context, field);
  context.predicates.push(
    predicateFunction(context, [], name, type, body, { isExported: false }),
  );
  return name;
}

/** `isX(value: unknown): value is …`. */
function predicateFunction(
  { imports }: ValidatorContext,
  docs: readonly string[],
  name: string,
  type: string,
  body: readonly Doc[],
  extras: FunctionExtras = {},
): Declared {
  const value = { name: "value", type: "unknown" };
  const returns = `value is ${type}`;
  return buildFunction(imports, docs, name, [value], returns, body, extras);
}

/** `isX` of an alias of a core type or of bytes. */
export function aliasPredicate(
  context: ValidatorContext,
  alias: Alias,
): Declared {
  const type = context.layout.names.type(alias.name);
  const subject: TypeReference = { kind: "reference", name: alias.name };
  return predicateFunction(
    context,
    [`Whether \`value\` fits \`${type}\`.`],
    `is${type}`,
    wireType(context, subject),
    predicateBody(context, subject, alias.name),
  );
}

function predicateBody(
  context: ValidatorContext,
  subject: Field | TypeReference,
  owner: string,
): readonly Doc[] {
  const { imports, index } = context;
  const below = targetOf(context, subject);
  const resolved = index.resolve(below);
  if (resolved.kind !== "scalar") {
    return [
      returnOf("&&", [
        `${imports.runtime("validation", "isBase64")}(value)`,
        ...bytesConditions(context, index.constraintsOf(subject), "value"),
      ]),
    ];
  }
  const { name } = resolved;
  const reference = subject.kind === "field" ? subject.type : subject;
  if (acceptsInteger(index, reference)) {
    return integerTextBody(context, subject, owner);
  }
  if (below.kind !== "reference" || wireOfScalar(name) !== "string") {
    // Of numbers, all limits on the way are known together.
    const limits = index.constraintsOf(subject);
    const isUrl = name === "string" && limits.format === "uri";
    const core = isUrl
      ? `${imports.runtime("validation", "isUrl")}(value)`
      : corePredicate(context, name, index.isSafeInteger(subject)).is("value");
    return [
      returnOf("&&", [
        core,
        ...limitConditions(context, limits, name, owner, "value"),
      ]),
    ];
  }
  // Patterns of several aliases all apply.
  const own = ownConstraints(context, subject);
  return [
    returnOf("&&", [
      `${exported(context, "is", below.name)}(value)`,
      ...(own.format === "uri"
        ? [`${imports.runtime("validation", "isUrl")}(value)`]
        : []),
      ...limitConditions(context, own, name, owner, "value"),
    ]),
  ];
}

/** A JSON integer counts as its decimal digits. */
function integerTextBody(
  context: ValidatorContext,
  subject: Field | TypeReference,
  owner: string,
): readonly Doc[] {
  const below = targetOf(context, subject);
  const isSafeInt = context.imports.runtime("validation", "isSafeInt");
  const isInteger = `${isSafeInt}(value) || typeof value === "bigint"`;
  const own = ownConstraints(context, subject);
  return [
    [
      afterOperator(
        "const text =",
        conditionalOf(isInteger, "String(value)", "value"),
      ),
      ";",
    ],
    returnOf("&&", [
      `typeof text === "string"`,
      ...(below.kind === "reference"
        ? [`${exported(context, "is", below.name)}(text)`]
        : []),
      ...limitConditions(context, own, "string", owner, "text"),
    ]),
  ];
}

/** TypeScript type of a value before it is decoded. */
function wireType(
  { index, layout }: ValidatorContext,
  subject: Field | TypeReference,
): string {
  const reference = subject.kind === "field" ? subject.type : subject;
  if (acceptsInteger(index, reference)) return "string | number | bigint";
  const resolved = index.resolve(reference);
  if (resolved.kind !== "scalar") return "string";
  const isWide =
    (resolved.name === "int64" || resolved.name === "uint64") &&
    layout.options.int64 === "bigint" &&
    !index.isSafeInteger(subject);
  return isWide ? "number | bigint" : wireOfScalar(resolved.name);
}
