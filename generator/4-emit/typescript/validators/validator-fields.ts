import type { Field, TypeReference } from "../../../ir/contract.js";
import { buildFunction } from "../text/build.js";
import { isAbsentAsNull, readOf } from "./field-access.js";
import { hardLine, type Doc } from "../text/format.js";
import { pascalCase } from "../names/names.js";
import { quoteString } from "../text/quote.js";
import { callOf, ifBlockOf, ifOf, operandsOf } from "../text/shapes.js";
import type { Declared } from "../text/declare.js";
import { checkNameOf } from "./validator-containers.js";
import type { ValidatorContext } from "./validator-context.js";
import { predicateOf } from "./validator-scalars.js";

/** `checkX(value, report)` of a struct or of the arguments of a message. */
export function objectCheck(
  context: ValidatorContext,
  type: string,
  fields: readonly Field[],
): Declared {
  const { imports } = context;
  const isRecord = imports.runtime("validation", "isRecord");
  const report = imports.runtimeType("validation", "Report");
  return buildFunction(
    imports,
    [`Reports where \`value\` does not fit \`${type}\`.`],
    `check${type}`,
    [
      { name: "value", type: "unknown" },
      { name: "report", type: report },
    ],
    "void",
    [
      ifOf(`!${isRecord}(value)`, `return report.fail("an object", value);`),
      ...fields.flatMap((field) => fieldCheck(context, type, field)),
    ],
  );
}

/** Statements that check a property. */
function fieldCheck(
  context: ValidatorContext,
  type: string,
  field: Field,
): readonly Doc[] {
  const { imports, index } = context;
  // Whatever it is, or is not, fits.
  if (field.isOptional && isAny(index.resolve(field.type))) return [];
  const value = readOf(imports, "value", field.jsonName);
  const { tests, statements } = finding(context, type, field, value);
  if (isAbsentAsNull(index, field)) {
    // Go clients send null for what is absent.
    const drop: Doc = [
      callOf("report.dropNull", ["value", quoteString(field.jsonName)]),
      ";",
    ];
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
  return all.length === 0 ? statements : [conditional(all, statements)];
}

function isAny(type: TypeReference): boolean {
  return type.kind === "scalar" && type.name === "any";
}

/** When a value that is there is wrong, and what is done then. */
interface Finding {
  readonly tests: readonly string[];
  readonly statements: readonly Doc[];
}

function finding(
  context: ValidatorContext,
  type: string,
  field: Field,
  value: string,
): Finding {
  const owner = type + pascalCase(field.name);
  const key = quoteString(field.jsonName);
  const check = checkNameOf(context, field, owner);
  if (check !== null) {
    const statements = [
      `report.enter(${key});`,
      [callOf(check, [value, "report"]), ";"],
      "report.leave();",
    ];
    return { tests: [], statements: hidden(field, statements) };
  }
  const predicate = predicateOf(context, field, owner);
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

/** Around statements whose failures must not repeat the value. */
function hidden(field: Field, statements: readonly Doc[]): readonly Doc[] {
  if (!field.isSensitive) return statements;
  return ["report.hide();", ...statements, "report.show();"];
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
