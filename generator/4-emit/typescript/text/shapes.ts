import type { JsonObject, JsonValue } from "../../emitter/json-value.js";
import {
  choice,
  differing,
  flatten,
  flattenAll,
  group,
  groupOf,
  hardLine,
  ifBreak,
  indent,
  join,
  line,
  softLine,
  type Doc,
} from "./format.js";
import { quoteKey, quoteString } from "./quote.js";
import { widthOf } from "./width.js";

/**
 * Prints a union: on the current line, on the next line, or with each member on
 * its own line.
 */
export function unionOf(members: readonly Doc[]): Doc {
  if (members.length === 1) return members;
  const flat = flattenAll(members, " | ");
  return groupOf(flat, () => {
    const union = [ifBreak("| "), join([line, "| "], members)];
    return indent([softLine, groupOf(flat, () => union)]);
  });
}

/** Prints an intersection: on the current line, or each member on its own. */
export function intersectionOf(members: readonly Doc[]): Doc {
  return groupOf(flattenAll(members, " & "), () =>
    indent(join([" &", line], members)),
  );
}

/** Prints type arguments, e.g. `Record<string, Page>`. */
export function genericOf(name: string, args: readonly Doc[]): Doc {
  const [only] = args;
  // A single plain name never moves to another line.
  if (typeof only === "string" && args.length === 1)
    return [name, "<", only, ">"];
  const flat = flattenAll(args, ", ");
  const list = groupOf(flat === null ? null : `<${flat}>`, () => [
    ["<", indent([softLine, join([",", line], args)])],
    [softLine, ">"],
  ]);
  return [name, list];
}

/** Prints `<prefix> = <value>`, with the value on the next line if needed. */
export function assignmentOf(prefix: Doc, value: Doc): Doc {
  const beside: Doc = [" ", value];
  const below = (): Doc => indent([hardLine, value]);
  return [prefix, " =", choice(beside, () => beside, below)];
}

/** Prints `test ? yes : no`, on several lines if it is too long. */
export function conditionalOf(test: Doc, yes: Doc, no: Doc): Doc {
  const choices = [line, "? ", indent(yes), line, ": ", indent(no)];
  return group([test, indent(choices)]);
}

/**
 * Prints a value after `prefix =` or `key:`, on the next line if it is too
 * long.
 */
export function afterOperator(prefix: Doc, value: Doc): Doc {
  return [prefix, groupOf(flatten([" ", value]), () => indent([line, value]))];
}

/**
 * Prints an entry of an object literal, with the value on the next line if the
 * entry is too long.
 */
export function entryOf(key: string, value: string): Doc {
  // After a short key, a separate line saves no space.
  return widthOf(key) < 5
    ? `${key}: ${value}`
    : afterOperator(`${key}:`, value);
}

/**
 * Prints an entry of an object literal, whose key can differ between TypeScript
 * and JavaScript.
 */
export function withKey(name: string, entry: (key: string) => Doc): Doc {
  const key = quoteKey(name);
  const plainKey = quoteKey(name, false);
  const code = entry(key);
  return plainKey === key ? code : differing(code, entry(plainKey));
}

/**
 * Prints parameters or arguments. If each has its own line, a comma follows the
 * last one.
 */
function argumentsOf(args: readonly Doc[]): Doc {
  return listGroup("(", args, ")");
}

/** Prints items in brackets, on one line if they fit. */
function listGroup(open: string, items: readonly Doc[], close: string): Doc {
  const flat = flattenAll(items, ", ");
  const oneLine = flat === null ? null : open + flat + close;
  return groupOf(oneLine, () => listOf(open, items, close));
}

/** Prints items in brackets, one on each line if the group is broken. */
function listOf(open: string, items: readonly Doc[], close: string): Doc {
  if (items.length === 0) return open + close;
  const list = indent([softLine, join([",", line], items)]);
  return [open, list, ifBreak(","), softLine, close];
}

/** Prints a call, e.g. `report.fail("an object", value)`. */
export function callOf(callee: Doc, args: readonly Doc[]): Doc {
  return [callee, argumentsOf(args)];
}

/** Prints `callee(first, (parameter) => body)`. */
export function callWithArrow(
  callee: Doc,
  args: readonly Doc[],
  parameter: string,
  body: Doc,
  isConditional = false,
): Doc {
  const head = `(${parameter}) =>`;
  // Prettier adds parentheses to a conditional expression on the same line.
  const beside = isConditional
    ? [ifBreak("", "("), body, ifBreak("", ")")]
    : body;
  const arrow = group([head, group(indent([line, beside]))]);
  const all = callOf(callee, [...args, arrow]);
  const opened = (): Doc => [
    [callee, "(", args.map((arg) => [arg, ", "]), head],
    [indent([hardLine, body]), ",", hardLine, ")"],
  ];
  return choice(all, opened, () => all);
}

/** Prints a call whose last argument is an object, broken into lines. */
export function callWithObject(
  callee: Doc,
  args: readonly Doc[],
  entries: readonly Doc[],
): Doc {
  const object = linesObjectOf(entries);
  return huggingCall(callee, args, object, () => object);
}

/** Prints a call whose last argument is an object, broken if too long. */
export function callWithLimits(
  callee: Doc,
  args: readonly Doc[],
  entries: readonly Doc[],
): Doc {
  const opened = (): Doc => linesObjectOf(entries);
  return huggingCall(callee, args, objectOf(entries), opened);
}

/**
 * Prints a call whose last argument starts on the line of the call if the
 * arguments before it fit there. Otherwise each argument gets a line.
 */
function huggingCall(
  callee: Doc,
  args: readonly Doc[],
  last: Doc,
  opened: () => Doc,
): Doc {
  const all = callOf(callee, [...args, last]);
  const hugging = (): Doc => {
    const first = args.map((arg) => [arg, ", "]);
    return [callee, "(", first, opened(), ")"];
  };
  return choice(all, hugging, () => all);
}

/** Prints a call that bundlers can drop, with arguments and an object. */
export function pureCallOf(
  callee: Doc,
  args: readonly string[],
  entries: readonly Doc[] = [],
): Doc {
  const pure: Doc = ["/* @__PURE__ */ ", callee];
  if (entries.length > 0) return callWithObject(pure, args, entries);
  // Prettier moves such a call to the next line before it breaks a short argument.
  const [only = "", ...others] = args;
  const isShort = others.length === 0 && widthOf(only) <= 20;
  return isShort ? [pure, `(${only})`] : callOf(pure, args);
}

/** Prints a call that bundlers can drop, with the result of another call. */
export function pureCallWithCall(callee: string, call: Doc): Doc {
  return callOf(["/* @__PURE__ */ ", callee], [call]);
}

/** Prints a call that bundlers can drop, with an object of limits. */
export function pureCallWithLimits(
  callee: string,
  args: readonly string[],
  limits: readonly Doc[],
): Doc {
  return limits.length === 0
    ? pureCallOf(callee, args)
    : callWithLimits(`/* @__PURE__ */ ${callee}`, args, limits);
}

/**
 * Prints a call that bundlers can drop, with a function that returns the
 * object, because parts of the object are declared later.
 */
export function pureCallWithThunk(
  callee: Doc,
  args: readonly Doc[],
  entries: readonly Doc[],
): Doc {
  const thunk: Doc = ["() => (", linesObjectOf(entries), ")"];
  return pureCallWithFunction(callee, args, thunk);
}

/** Prints a call that bundlers can drop, whose last argument has a body. */
export function pureCallWithFunction(
  callee: Doc,
  args: readonly Doc[],
  body: Doc,
): Doc {
  return huggingCall(["/* @__PURE__ */ ", callee], args, body, () => body);
}

/** Prints an object literal, on one line if it fits. */
export function objectOf(entries: readonly Doc[]): Doc {
  return entries.length === 0 ? "{}" : bracedOf(entries, ",");
}

/** Prints an object type that has members, on one line if it fits. */
export function typeLiteralOf(members: readonly Doc[]): Doc {
  return bracedOf(members, ";");
}

function bracedOf(items: readonly Doc[], end: string): Doc {
  const flat = flattenAll(items, `${end} `);
  // Break text that is wider than any line here, so that its containers do not
  // measure it again.
  if (flat !== null && widthOf(flat) > 76) return linesOf(items, end);
  return groupOf(flat === null ? null : `{ ${flat} }`, () => {
    const list = indent([line, join([end, line], items)]);
    return ["{", list, ifBreak(end), line, "}"];
  });
}

/** Prints an object literal with one entry on each line. */
export function linesObjectOf(entries: readonly Doc[]): Doc {
  return linesOf(entries, ",");
}

/** Prints an object type with one member on each line. */
export function linesTypeOf(members: readonly Doc[]): Doc {
  return linesOf(members, ";");
}

/** Prints items in braces, each on its own line with the same ending. */
function linesOf(items: readonly Doc[], end: string): Doc {
  if (items.length === 0) return "{}";
  return [
    "{",
    indent(items.map((item) => [hardLine, item, end])),
    hardLine,
    "}",
  ];
}

/** Prints an array of names or strings, on one line if it fits. */
export function arrayOf(items: readonly Doc[]): Doc {
  return listGroup("[", items, "]");
}

/**
 * Prints `name(parameters): returnType`. If it is too long, each parameter gets
 * a line before the return type breaks. `returnType` is null if there is none.
 */
export function signatureOf(
  name: Doc,
  parameters: readonly Doc[],
  returnType: Doc | null,
): Doc {
  const result = returnType === null ? "" : [": ", returnType];
  const oneLine = flatten([name, listGroup("(", parameters, ")"), result]);
  return groupOf(oneLine, () => [name, listOf("(", parameters, ")"), result]);
}

/** Prints type parameters of a declaration, e.g. `<State = undefined>`. */
export function typeParametersOf(parameters: readonly string[] = []): Doc {
  return parameters.length === 0 ? "" : listGroup("<", parameters, ">");
}

/** Prints the `extends` clause of an interface. */
export function extendsOf(types: readonly string[] = []): Doc {
  if (types.length < 2) return types.map((type) => ` extends ${type}`);
  const list = group(indent([line, join([",", line], types)]));
  return group(indent([line, "extends", list]));
}

/** Prints statements in braces. */
export function blockOf(statements: readonly Doc[]): Doc {
  return linesOf(statements, "");
}

/** Prints the names of an import or export. A single name never breaks. */
export function bracesOf(names: readonly string[]): Doc {
  if (names.length < 2) return ["{ ", names, " }"];
  return bracedOf(names, ",");
}

/** Prints operands of an operator such as `&&`, broken if too long. */
export function operandsOf(operator: string, operands: readonly Doc[]): Doc {
  return join([` ${operator}`, line], operands);
}

/** Prints an operation that is a value, not the test of an `if`. */
export function operationOf(operator: string, operands: readonly Doc[]): Doc {
  const [left = "", right = ""] = operands;
  return groupOf(flattenAll(operands, ` ${operator} `), () =>
    operands.length === 2
      ? // The second operand follows the first if only the first breaks.
        [left, group([` ${operator}`, line, right])]
      : operandsOf(operator, operands),
  );
}

/** Prints `if (test) statement`, on two lines if it does not fit. */
export function ifOf(test: Doc, statement: Doc): Doc {
  const oneLine = flatten(["if (", test, ") ", statement]);
  return groupOf(oneLine, () => [ifHead(test), indent([line, statement])]);
}

/** Prints `if (test) { … }`. */
export function ifBlockOf(test: Doc, statements: readonly Doc[]): Doc {
  return [group(ifHead(test)), " ", blockOf(statements)];
}

function ifHead(test: Doc): readonly Doc[] {
  const contents = (): Doc => [indent([softLine, test]), softLine];
  return ["if (", groupOf(flatten(test), contents), ")"];
}

/** Prints `return a && b;`, in parentheses if it takes several lines. */
export function returnOf(operator: string, operands: readonly Doc[]): Doc {
  const [only] = operands;
  if (only !== undefined && operands.length === 1)
    return ["return ", only, ";"];
  const operation = operationOf(operator, operands);
  const contents = (): Doc => [
    [ifBreak("("), indent([softLine, operation])],
    [softLine, ifBreak(")")],
  ];
  return ["return ", groupOf(flatten(operation), contents), ";"];
}

/** Prints a JSON object as an object literal with one member on each line. */
export function tableLiteral(table: JsonObject): Doc {
  return linesObjectOf(entriesOf(table));
}

/** Prints an entry of an object literal. */
export function literalEntry(name: string, value: JsonValue): Doc {
  return withKey(name, (key) =>
    typeof value === "object" && value !== null
      ? [`${key}: `, literalOf(value)]
      : entryOf(key, printPlain(value)),
  );
}

function entriesOf(value: JsonObject): readonly Doc[] {
  return Object.entries(value).flatMap(([name, member]) =>
    member === undefined ? [] : [literalEntry(name, member)],
  );
}

function literalOf(value: JsonValue): Doc {
  if (typeof value !== "object" || value === null) return printPlain(value);
  return isItems(value)
    ? arrayOf(value.map(literalOf))
    : objectOf(entriesOf(value));
}

/** Narrows to a readonly list, unlike `Array.isArray`. */
function isItems(value: object): value is readonly JsonValue[] {
  return Array.isArray(value);
}

function printPlain(value: Exclude<JsonValue, object>): string {
  return typeof value === "string"
    ? quoteString(value)
    : String(value).replace("e+", "e");
}
