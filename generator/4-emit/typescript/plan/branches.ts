import type { AllowedValue } from "../../../ir/contract.js";
import type { JsonKind } from "../../../ir/variant-shape.js";
import { hardLine, indent, typeText, type Doc } from "../text/format.js";
import { quoteIndex, quoteNumber, quoteString } from "../text/quote.js";
import { ifOf, operandsOf } from "../text/shapes.js";
import type { Imports } from "./imports.js";
import { inheritedNames } from "../names/reserved.js";
import { literalOf } from "./literal-of.js";
import type { UnionPlan, Value, VariantPlan } from "./plan.js";
import type { ScalarForm } from "./scalars.js";
import { compositeIn } from "./values.js";

/** The form of a union's values in code that tells variants apart. */
export type ValueForm = "either" | "json" | "typescript";

/** Returns the statement for the values of a variant, or null for none. */
type Branch = (variant: VariantPlan) => Doc | null;

/**
 * Prints statements that choose the variant of `value`.
 *
 * Input: `branch` returns a statement that leaves the function. `rest` is the
 * statement for variants without one. With a tag, it is the default, if there
 * is one. `record` is `value` as a record, for a union with a tag.
 */
export function branchesOf(
  imports: Imports,
  union: UnionPlan,
  form: ValueForm,
  branch: Branch,
  rest: Doc | null = null,
  record = "value",
): readonly Doc[] {
  const { tag } = union.union;
  if (tag !== null) {
    const subject = tagOf(imports, tag, record);
    return switchOf(subject, tag, union.variants, form, branch, rest);
  }
  const variants =
    form === "json" ? union.variants : objectsLast(union.variants);
  const statements = variants.map(branch);
  return variants.flatMap((variant, at) => {
    // A later test only holds if those before it do not.
    const isBefore = statements
      .slice(at)
      .some((later, next) => later !== null && isObject(variants[at + next]));
    const plain = isObject(variant) && isBefore ? rest : null;
    const statement = statements[at] ?? plain;
    // Tests import functions, so only those that are printed are created.
    if (statement === null) return [];
    return [ifOf(operandsOf("||", testsOf(imports, variant, form)), statement)];
  });
}

function isObject(variant: VariantPlan | undefined): boolean {
  return variant?.kinds.has("object") ?? false;
}

/** Returns the tests of which one holds if a value is of a variant. */
function testsOf(
  imports: Imports,
  variant: VariantPlan,
  form: ValueForm,
): readonly Doc[] {
  const code = form === "json" ? [] : codeTests(imports, variant.value);
  const isSame = form === "typescript" && code.length > 0;
  return isSame ? code : [...code, ...jsonTests(imports, variant)];
}

/** Whether code that compares the tag narrows the type of the value. */
export function narrows({ tag }: UnionPlan["union"]): boolean {
  return tag !== null && !inheritedNames.has(tag);
}

/** Prints the tag of a record. Ignores inherited properties. */
export function tagOf(imports: Imports, tag: string, record = "value"): string {
  if (!inheritedNames.has(tag)) return `${record}${quoteIndex(tag)}`;
  const ownValue = imports.runtime("validation", "ownValue");
  return `${ownValue}(${record}, ${quoteString(tag)})`;
}

function switchOf(
  subject: string,
  tag: string,
  variants: readonly VariantPlan[],
  form: ValueForm,
  branch: Branch,
  otherwise: Doc | null,
): readonly Doc[] {
  const cases = variants.flatMap((variant) => {
    const statement = branch(variant);
    if (statement === null) return [];
    const labels = tagLiterals(variant, tag, form).map(
      (literal) => `case ${literal}:`,
    );
    return [caseOf(labels, statement)];
  });
  if (cases.length === 0) return otherwise === null ? [] : [otherwise];
  if (otherwise !== null) cases.push(caseOf(["default:"], otherwise));
  const body = indent(cases.map((each) => [hardLine, each]));
  return [[`switch (${subject}) {`, body, hardLine, "}"]];
}

/**
 * Prints the tags of a variant. In JSON that is to be sent, a 64-bit integer can
 * be a `bigint` even if it is small.
 */
function tagLiterals(
  { tags, value }: VariantPlan,
  tag: string,
  form: ValueForm,
): readonly string[] {
  const inCode = tagForm(value, tag);
  const literals = tags.flatMap((each) => {
    const json = quoteLiteral(each);
    if (inCode === null) return json;
    const code = literalOf(inCode, each);
    if (form === "typescript") return code;
    return typeof each === "string" ? json : [json, code];
  });
  return [...new Set(literals)];
}

/** Returns the form of a tag in code. Null if it is an enum. */
function tagForm(value: Value, tag: string): ScalarForm | null {
  const composite = compositeIn(value);
  if (composite === null) return null;
  if ("variants" in composite) {
    const [first] = composite.variants;
    return first ? tagForm(first.value, tag) : null;
  }
  const plan = composite.fields.find(({ field }) => field.jsonName === tag);
  return plan?.value.kind === "scalar" ? plan.value.form : null;
}

function caseOf(labels: readonly string[], statement: Doc): Doc {
  const heads = labels.map((label, at) =>
    at === 0 ? label : [hardLine, label],
  );
  return [heads, indent([hardLine, statement])];
}

/** Prints a value on the wire as a literal. */
export function quoteLiteral(literal: AllowedValue): string {
  if (typeof literal === "string") return quoteString(literal);
  return literal === true || literal === false
    ? String(literal)
    : quoteNumber(literal);
}

/** A `Date` is an object, too, so objects are recognized last. */
function objectsLast(variants: readonly VariantPlan[]): readonly VariantPlan[] {
  return [
    ...variants.filter((variant) => !isObject(variant)),
    ...variants.filter(isObject),
  ];
}

/** Returns the tests of which one holds if JSON is of a variant. */
export function jsonTests(
  imports: Imports,
  variant: VariantPlan,
): readonly Doc[] {
  const tests = [...variant.kinds].map((kind) =>
    kindTest(imports, kind, variant),
  );
  return tests.length === 1
    ? tests.map((test) => operandsOf("&&", test))
    : tests.map((test) => {
        const text = test.join(" && ");
        return test.length > 1 ? `(${text})` : text;
      });
}

function kindTest(
  imports: Imports,
  kind: JsonKind,
  variant: VariantPlan,
): readonly string[] {
  switch (kind) {
    case "array":
      return ["Array.isArray(value)"];
    case "null":
      return ["value === null"];
    case "object":
      return objectTest(imports, variant);
    case "number":
      return [`${imports.runtime("validation", "isFloat")}(value)`];
    case "boolean":
    case "string":
      return [`typeof value === "${kind}"`];
  }
}

/** Returns the tests that all hold for an object of a variant. */
function objectTest(
  imports: Imports,
  { marks }: VariantPlan,
): readonly string[] {
  const isRecord = `${imports.runtime("validation", "isRecord")}(value)`;
  const tests = marks.map(({ isNullable, name }) => {
    const member = tagOf(imports, name);
    return isNullable ? `${member} !== undefined` : `${member} != null`;
  });
  return [isRecord, ...tests];
}

/** Returns the test for a type whose TypeScript form differs from its JSON. */
function codeTests(imports: Imports, value: Value): readonly string[] {
  if (value.kind === "bytes")
    return [`${imports.runtime("validation", "isBytes")}(value)`];
  if (value.kind !== "scalar") return [];
  switch (value.form.type) {
    case "Date":
      return [`${imports.runtime("validation", "isDate")}(value)`];
    case "bigint":
      return ['typeof value === "bigint"'];
    default:
      return [];
  }
}

/** Prints `value as X` if a type is declared, for functions of that type. */
export function asType(type: Doc): Doc {
  return ["value", typeText([" as ", type])];
}
