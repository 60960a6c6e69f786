import type { Field } from "../../../ir/contract.js";
import { objectPredicate, readOf } from "../plan/convert.js";
import type { Imports } from "../plan/imports.js";
import type { FieldPlan, ObjectPlan } from "../plan/plan.js";
import { hardLine, type Doc } from "../text/format.js";
import { pascalCase } from "../../names/casing.js";
import { quoteString } from "../text/quote.js";
import { invariant } from "../../../ir/invariant.js";
import { extraOf, membersOf } from "../plan/values.js";
import { callOf, ifBlockOf, ifOf, operandsOf } from "../text/shapes.js";
import type { Structure } from "../text/structures.js";
import { checkNameOf } from "./containers.js";
import { buildCheck, hoistNames, type ValidatorContext } from "./context.js";
import { predicateOf } from "./predicates.js";

/** Builds `checkX(value, report)` for a struct or a message. */
export function objectCheck(
  context: ValidatorContext,
  object: ObjectPlan,
): Structure {
  const { imports, plan } = context;
  const { name } = object;
  const extra = extraOf(object);
  const isObject = objectPredicate(imports, object);
  return buildCheck(imports, name, [
    ifOf(`!${isObject}(value)`, `return report.fail("an object", value);`),
    ...(plan.needed.request.has(object) && extra === undefined
      ? [dropUnknown(context, object)]
      : []),
    ...membersOf(object).flatMap((field) => fieldCheck(context, name, field)),
    ...(extra === undefined ? [] : extraCheck(context, object, extra)),
  ]);
}

/** Builds a statement that removes undeclared fields from a request. */
function dropUnknown(context: ValidatorContext, object: ObjectPlan): Doc {
  const known = hoistNames(context, object);
  const drop = context.imports.runtime("codegen/checks", "dropUnknown");
  return [callOf(drop, ["value", known, "report"]), ";"];
}

/** Builds a statement that checks the members that no field declares. */
function extraCheck(
  context: ValidatorContext,
  object: ObjectPlan,
  plan: FieldPlan,
): readonly Doc[] {
  const owner = object.name + pascalCase(plan.field.name);
  const check = checkNameOf(context, plan, owner);
  invariant(check !== null, "extra members are a map");
  const checkExtra = context.imports.runtime("codegen/checks", "checkExtra");
  const args = ["value", hoistNames(context, object), check, "report"];
  return hidden(plan.field, [[callOf(checkExtra, args), ";"]]);
}

/** Builds the statements that check a property. */
function fieldCheck(
  context: ValidatorContext,
  owner: string,
  plan: FieldPlan,
): readonly Doc[] {
  const { imports } = context;
  const { field } = plan;
  const value = readOf(imports, "value", plan);
  const { tests, statements } = finding(context, owner, plan, value);
  if (plan.isAbsentAsNull) {
    // Go clients send null for an absent field.
    const dropNull = imports.runtime("codegen/checks", "dropNull");
    const args = ["value", quoteString(field.jsonName), "report"];
    const drop: Doc = [callOf(dropNull, args), ";"];
    const present = [`${value} !== undefined`, ...tests];
    return [
      [
        ifOf(`${value} === null`, drop),
        hardLine,
        "else ",
        conditional(present, statements),
      ],
    ];
  }
  const all = [
    ...(field.isOptional ? [`${value} !== undefined`] : []),
    ...(field.isNullable ? [`${value} !== null`] : []),
    ...tests,
  ];
  return [
    ...fillNull(imports, plan),
    ...(all.length === 0 ? statements : [conditional(all, statements)]),
  ];
}

/** Builds a statement that replaces null with an empty value. */
function fillNull(
  imports: Imports,
  { field, nullAs }: FieldPlan,
): readonly Doc[] {
  if (nullAs === null) return [];
  const makeEmpty = imports.runtime("codegen/checks", nullAs);
  const fill = imports.runtime("codegen/checks", "fillNull");
  const args = ["value", quoteString(field.jsonName), makeEmpty, "report"];
  return [[callOf(fill, args), ";"]];
}

/** Tests for an invalid value, and statements that report it. */
interface FailureTest {
  readonly tests: readonly string[];
  readonly statements: readonly Doc[];
}

function finding(
  context: ValidatorContext,
  holder: string,
  plan: FieldPlan,
  value: string,
): FailureTest {
  const { field } = plan;
  const owner = holder + pascalCase(field.name);
  const key = quoteString(field.jsonName);
  const check = checkNameOf(context, plan, owner);
  if (check !== null) {
    const statements = [
      `report.enter(${key});`,
      [callOf(check, [value, "report"]), ";"],
      "report.leave();",
    ];
    return { tests: [], statements: hidden(field, statements) };
  }
  const predicate = predicateOf(context, plan, owner);
  const { title } = predicate ?? { title: "a value" };
  const expected = field.isNullable ? `${title} or null` : title;
  const fail: Doc = [
    callOf("report.failAt", [key, quoteString(expected), value]),
    ";",
  ];
  return {
    tests: [predicate?.not(value) ?? `${value} === undefined`],
    statements: hidden(field, [fail]),
  };
}

/**
 * If a field is sensitive, wraps its statements so that the failures that they
 * report omit the value.
 */
function hidden(field: Field, statements: readonly Doc[]): readonly Doc[] {
  if (!field.isSensitive) return statements;
  return ["report.hidden += 1;", ...statements, "report.hidden -= 1;"];
}

function conditional(
  tests: readonly string[],
  statements: readonly Doc[],
): Doc {
  const test = operandsOf("&&", tests);
  const [only] = statements;
  return only !== undefined && statements.length === 1
    ? ifOf(test, only)
    : ifBlockOf(test, statements);
}
