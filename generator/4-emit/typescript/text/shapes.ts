import {
  choice,
  differing,
  group,
  hardLine,
  ifBreak,
  indent,
  join,
  line,
  softLine,
  widthOf,
  type Doc,
} from "./format.js";
import { quoteKey, quoteString } from "./quote.js";

/** Members of a union: on one line, on the next, or one a line with a bar. */
export function unionOf(members: readonly Doc[]): Doc {
  const union = group([ifBreak("| "), join([line, "| "], members)]);
  return members.length === 1 ? members : group(indent([softLine, union]));
}

/** Type arguments, e.g. `Record<string, Page>`. */
export function genericOf(name: string, args: readonly Doc[]): Doc {
  const [only] = args;
  // A lone plain name stays where it is, however long the line gets.
  if (typeof only === "string" && args.length === 1)
    return [name, "<", only, ">"];
  return [
    name,
    group(["<", indent([softLine, join([",", line], args)]), softLine, ">"]),
  ];
}

/** `<prefix> = <value>`, the value on the next line when it cannot break itself. */
export function assignmentOf(prefix: Doc, value: Doc): Doc {
  const together: Doc = [prefix, " = ", value];
  return choice(together, together, [prefix, " =", indent([hardLine, value])]);
}

/** `<prefix> = <union>`: on one line, on the next, or a member a line. */
export function unionAliasOf(prefix: Doc, members: readonly Doc[]): Doc {
  const union = group([ifBreak("| "), join([line, "| "], members)]);
  return group([prefix, " =", indent([line, union])]);
}

/** `<prefix> = test ? yes : no`, on the next line when too long. */
export function conditionalOf(test: Doc, yes: Doc, no: Doc): Doc {
  const choices = [line, "? ", indent(yes), line, ": ", indent(no)];
  return group([test, indent(choices)]);
}

/** `prefix =` or `key:`, and a value that breaks only after that. */
export function afterOperator(prefix: Doc, value: Doc): Doc {
  return [prefix, group(indent([line, value]))];
}

/** An entry of an object literal with a literal as its value. */
export function entryOf(key: string, value: string): Doc {
  // Nothing is gained by a line of its own behind a short key.
  return widthOf(key) < 5
    ? `${key}: ${value}`
    : afterOperator(`${key}:`, value);
}

/**
 * An entry of an object literal. Input: the name of the property, and what makes
 * the entry of its key.
 */
export function keyedOf(name: string, entry: (key: string) => Doc): Doc {
  const code = entry(quoteKey(name));
  // Prettier takes the quotes off a number, though not in TypeScript.
  const isNumber = /^\d+(?:\.\d+)?$/u.test(name) && `${Number(name)}` === name;
  return isNumber ? differing(code, entry(name)) : code;
}

/** Parameters or arguments, with a comma after the last one when broken. */
export function argumentsOf(args: readonly Doc[]): Doc {
  if (args.length === 0) return "()";
  return group([
    "(",
    indent([softLine, join([",", line], args)]),
    ifBreak(","),
    softLine,
    ")",
  ]);
}

/** A call, e.g. `report.fail("an object", value)`. */
export function callOf(callee: Doc, args: readonly Doc[]): Doc {
  return [callee, argumentsOf(args)];
}

/** `callee(first, (parameter) => body)`. */
export function callWithArrow(
  callee: Doc,
  args: readonly Doc[],
  parameter: string,
  body: Doc,
): Doc {
  const head = `(${parameter}) =>`;
  const arrow = group([head, group(indent([line, body]))]);
  const all = callOf(callee, [...args, arrow]);
  const opened: Doc = [
    [callee, "(", args.map((arg) => [arg, ", "]), head],
    [indent([hardLine, body]), ",", hardLine, ")"],
  ];
  return choice(all, opened, all);
}

/** A call whose last argument opens on the line of the call, one entry a line. */
export function callWithObject(
  callee: Doc,
  args: readonly Doc[],
  entries: readonly Doc[],
): Doc {
  if (entries.length === 0) return callOf(callee, [...args, "{}"]);
  const first = args.map((arg) => [arg, ", "]);
  return [callee, "(", first, linesObjectOf(entries), ")"];
}

/** A call whose last argument is an object, opened in place when too long. */
export function callWithLimits(
  callee: Doc,
  args: readonly Doc[],
  entries: readonly Doc[],
): Doc {
  if (entries.length === 0) return callOf(callee, args);
  const all = callOf(callee, [...args, objectOf(entries)]);
  return choice(all, callWithObject(callee, args, entries), all);
}

/** An object literal, on one line when it fits. */
export function objectOf(entries: readonly Doc[]): Doc {
  if (entries.length === 0) return "{}";
  return group([
    "{",
    indent([line, join([",", line], entries)]),
    ifBreak(","),
    line,
    "}",
  ]);
}

/** An object literal with one entry a line, whatever its length. */
export function linesObjectOf(entries: readonly Doc[]): Doc {
  if (entries.length === 0) return "{}";
  return [
    "{",
    indent(entries.map((entry) => [hardLine, entry, ","])),
    hardLine,
    "}",
  ];
}

/** An object type with one member a line. */
export function linesTypeOf(members: readonly Doc[]): Doc {
  if (members.length === 0) return "{}";
  return [
    "{",
    indent(members.map((member) => [hardLine, member, ";"])),
    hardLine,
    "}",
  ];
}

/** An array of names or strings, on one line when it fits. */
export function arrayOf(items: readonly Doc[]): Doc {
  if (items.length === 0) return "[]";
  return group([
    "[",
    indent([softLine, join([",", line], items)]),
    ifBreak(","),
    softLine,
    "]",
  ]);
}

/** `name(parameters): returnType`, with one parameter a line when too long. */
export function signatureOf(
  name: Doc,
  parameters: readonly Doc[],
  returnType: Doc,
): Doc {
  return group([name, argumentsOf(parameters), ": ", returnType]);
}

/** A function declaration. */
export function functionOf(
  name: Doc,
  parameters: readonly Doc[],
  returnType: Doc,
  body: readonly Doc[],
): Doc {
  return [
    signatureOf([`function `, name], parameters, returnType),
    " ",
    blockOf(body),
  ];
}

/** Statements in braces. */
export function blockOf(statements: readonly Doc[]): Doc {
  if (statements.length === 0) return "{}";
  return [
    "{",
    indent(statements.map((statement) => [hardLine, statement])),
    hardLine,
    "}",
  ];
}

/** `export { … } from "…"`, or `export type { … }`. */
export function namedExportOf(
  names: readonly Doc[],
  specifier: string,
  onlyTypes = false,
): Doc {
  const start = onlyTypes ? "export type {" : "export {";
  const end = ` from ${quoteString(specifier)};`;
  // A lone name is never put on a line of its own.
  if (names.length === 1) return [`${start} `, names, ` }${end}`];
  const list = indent([line, join([",", line], names)]);
  return [group([start, list, ifBreak(","), line, "}"]), end];
}

/** Operands of one operator, e.g. `&&`, one a line when too long. */
export function operandsOf(operator: string, operands: readonly Doc[]): Doc {
  return join([` ${operator}`, line], operands);
}

/** The same where it is a value, and not the test of an `if`. */
export function operationOf(operator: string, operands: readonly Doc[]): Doc {
  const [left = "", right = ""] = operands;
  if (operands.length !== 2) return group(operandsOf(operator, operands));
  // The second of two stays behind the first when that alone is broken.
  return group([left, group([` ${operator}`, line, right])]);
}

/** `if (test) statement`, the statement below when it does not fit. */
export function ifOf(test: Doc, statement: Doc): Doc {
  return group([...ifHead(test), indent([line, statement])]);
}

/** `if (test) { … }`. */
export function ifBlockOf(test: Doc, statements: readonly Doc[]): Doc {
  return [group(ifHead(test)), " ", blockOf(statements)];
}

function ifHead(test: Doc): readonly Doc[] {
  return ["if (", group([indent([softLine, test]), softLine]), ")"];
}

/** `return a && b;`, in parentheses when it takes several lines. */
export function returnOf(operator: string, operands: readonly Doc[]): Doc {
  const [only] = operands;
  if (only !== undefined && operands.length === 1)
    return ["return ", only, ";"];
  return [
    "return ",
    group([
      ifBreak("("),
      indent([softLine, operationOf(operator, operands)]),
      softLine,
      ifBreak(")"),
    ]),
    ";",
  ];
}
