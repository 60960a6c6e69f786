import type { ts } from "ts-morph";
import type { Field } from "../../../generator/ir/contract.js";
import type { CodeChange, Migration } from "../change/old-client.js";
import { requireWhole } from "../change/new-client.js";
import type { Base } from "../change/operations.js";
import { isUndefined } from "../change/properties.js";
import { UnsupportedCode } from "../change/unsupported-code.js";
import type { OldCall, SymbolLookup } from "../change/uses.js";
import { annotatePage } from "./annotate-page.js";
import { oldNameOf } from "./declarations.js";
import { lossesIn } from "./find-losses.js";
import { findMethod, type ProcedureMethod } from "./find-method.js";
import { canBeNull, formOf, lackedBy, missingIn } from "./message-form.js";
import { type NewOutput, printOutput } from "./print-output.js";

/**
 * Replaces `client.post.list.query(…)` by a call of the method. What is between
 * the parentheses stays as it is.
 *
 * Errors: {@link UnsupportedCode} for what has no equivalent.
 */
export function replaceCall(
  call: OldCall,
  base: Base | null,
  change: CodeChange,
): void {
  const { client, node } = call;
  const { edits, file, migration } = change;
  const { source } = file;
  const found = methodOf(call, base, migration);
  checkPlace(call, change);
  const [input, options, ...more] = node.arguments;
  if (more.length > 0)
    throw new UnsupportedCode(node, "the call has more arguments");
  const printed = [
    ...printInput(input, options, found, change),
    ...printOptions(options, change),
  ];
  const output = readOutput(node, found, change);
  const open = source.text.indexOf(
    "(",
    (node.typeArguments?.end ?? node.expression.end) - 1,
  );
  const between = source.text.slice(client.end, open);
  if (/\/[/*]/u.test(between)) {
    throw new UnsupportedCode(
      node,
      "a comment in this call has no place in the new one",
    );
  }
  const { method, service } = found;
  const name = `.${service.names.property}.${method.names.property}`;
  edits.replaceRange(client.end, open, name);
  const last = options ?? input;
  if (last !== undefined && input !== undefined) {
    const isSame =
      printed.length === node.arguments.length &&
      printed.every(
        (each, index) => each === edits.slice(node.arguments[index] ?? node),
      );
    if (!isSame)
      edits.replaceRange(input.getStart(), last.end, printed.join(", "));
  }
  annotatePage(node, output, found, change);
  printOutput(node, output, change);
}

/** Returns the method that a call becomes. */
function methodOf(
  call: OldCall,
  base: Base | null,
  migration: Migration,
): ProcedureMethod {
  const { address, document, node } = call;
  requireWhole(call, migration);
  const found = base && findMethod(base.host, document, address.path);
  if (found === null) {
    throw new UnsupportedCode(
      node.expression,
      `the contract has no method for \`${address.path}\``,
    );
  }
  const { method, service } = found;
  if (address.verb === "subscribe") {
    const name = `${service.names.property}.${method.names.property}`;
    throw new UnsupportedCode(
      node.expression,
      "subscriptions are not migrated",
      `read \`${name}(…)\` with \`for await\``,
    );
  }
  if (method.kind !== "call") {
    throw new UnsupportedCode(node, "streams and files are not migrated");
  }
  return found;
}

/** Throws if the promise of a call has to be the one of tRPC. */
function checkPlace({ node }: OldCall, { file, migration }: CodeChange): void {
  const { parent } = node;
  const { compiler } = migration;
  if (!compiler.isCallExpression(parent) || parent.expression === node) return;
  if (oldNameOf(file.lookup, parent.expression) !== null) {
    throw new UnsupportedCode(parent, "a function of tRPC gets the call");
  }
}

/** Prints the request of a call, or nothing if it has none. */
function printInput(
  input: ts.Expression | undefined,
  options: ts.Expression | undefined,
  { method }: ProcedureMethod,
  change: CodeChange,
): readonly string[] {
  const { edits, file, migration } = change;
  const { compiler, plan } = migration;
  const { lookup } = file;
  const { fields } = method.request.message;
  if (input === undefined || isUndefined(input, compiler)) {
    return options === undefined ? [] : ["{}"];
  }
  const type =
    lookup.checker.getContextualType(input) ??
    lookup.checker.getTypeAtLocation(input);
  const form = formOf(fields, type, plan, lookup);
  if (form === null) {
    throw otherMessage(fields, type, input, "input", lookup);
  }
  const { className } = lossesIn(type, lookup);
  if (className !== null) {
    throw new UnsupportedCode(
      input,
      `messages cannot contain a \`${className}\``,
    );
  }
  const text = edits.slice(input);
  const own = lookup.checker.getTypeAtLocation(input);
  if (form.kind === "whole") {
    // Without strict checks, types do not say whether a value can be absent.
    if (canBeNull(own, lookup))
      throw new UnsupportedCode(input, "the input can be null");
    return [text];
  }
  const { field } = form;
  refuseLacking(field, type, input, change);
  if (canBeNull(own, lookup) && !field.isNullable) {
    throw new UnsupportedCode(
      input,
      "null is no value of the input in the contract",
    );
  }
  const key = printKey(field.jsonName);
  return [text === key ? `{ ${key} }` : `{ ${key}: ${text} }`];
}

/** Prints a name of a property. */
function printKey(name: string): string {
  return /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name)
    ? name
    : JSON.stringify(name);
}

/** Prints the options of a call, of which only `signal` has an equivalent. */
function printOptions(
  options: ts.Expression | undefined,
  { edits, file }: CodeChange,
): readonly string[] {
  if (options === undefined) return [];
  const type = file.lookup.checker.getTypeAtLocation(options);
  const other = type.getProperties().find(({ name }) => name !== "signal");
  if (other !== undefined) {
    throw new UnsupportedCode(
      options,
      `the option \`${other.name}\` has no equivalent`,
    );
  }
  return [edits.slice(options)];
}

/** Finds out what the value of a call is in the response of the method. */
function readOutput(
  node: ts.CallExpression,
  { method }: ProcedureMethod,
  change: CodeChange,
): NewOutput {
  const { file, migration } = change;
  const { lookup } = file;
  const { compiler, plan } = migration;
  if (isDiscarded(node, lookup)) return { kind: "whole" };
  const promised = lookup.checker.getTypeAtLocation(node);
  const type = lookup.checker.getAwaitedType(promised) ?? promised;
  const { className } = lossesIn(type, lookup);
  if (className !== null) {
    throw new UnsupportedCode(
      node.expression,
      `the output has a \`${className}\`, and messages cannot contain one`,
    );
  }
  const { fields } = method.response.message;
  const isVoid =
    (type.flags & (compiler.TypeFlags.VoidLike | compiler.TypeFlags.Never)) !==
    0;
  if (isVoid && fields.length === 0) return { kind: "nothing" };
  const form = formOf(fields, type, plan, lookup);
  if (form === null) {
    throw otherMessage(fields, type, node.expression, "output", lookup);
  }
  if (form.kind === "whole") return form;
  const { field } = form;
  refuseLacking(field, type, node.expression, change);
  return {
    kind: "field",
    name: field.jsonName,
    isNull: field.isOptional && canBeNull(type, lookup),
  };
}

/** Throws if a value has a member that the contract lacks. */
function refuseLacking(
  field: Field,
  type: ts.Type,
  place: ts.Node,
  { file, migration }: CodeChange,
): void {
  const name = lackedBy(field, type, migration.plan, file.lookup);
  if (name === null) return;
  throw new UnsupportedCode(
    place,
    `the type of \`${field.name}\` has no field \`${name}\` in the contract`,
  );
}

/** The reason if no field of the contract is a value or a part of it. */
function otherMessage(
  fields: readonly Field[],
  type: ts.Type,
  place: ts.Node,
  side: string,
  lookup: SymbolLookup,
): UnsupportedCode {
  const name = missingIn(fields, type, lookup);
  return new UnsupportedCode(
    place,
    name === null
      ? `the contract has another ${side}`
      : `the ${side} has no field \`${name}\` in the contract`,
  );
}

/** Whether nothing reads the value that a promise is fulfilled with. */
function isDiscarded(node: ts.Expression, lookup: SymbolLookup): boolean {
  const { checker, compiler } = lookup;
  const { parent } = node;
  if (
    compiler.isExpressionStatement(parent) ||
    compiler.isVoidExpression(parent)
  ) {
    return true;
  }
  if (
    compiler.isAwaitExpression(parent) ||
    compiler.isParenthesizedExpression(parent)
  ) {
    return isDiscarded(parent, lookup);
  }
  if (
    !compiler.isPropertyAccessExpression(parent) ||
    parent.expression !== node ||
    !compiler.isCallExpression(parent.parent)
  ) {
    return false;
  }
  const call = parent.parent;
  switch (parent.name.text) {
    case "catch":
    case "finally":
      return isDiscarded(call, lookup);
    case "then": {
      const [listener] = call.arguments;
      const signatures =
        listener && checker.getTypeAtLocation(listener).getCallSignatures();
      return (
        signatures !== undefined &&
        signatures.length > 0 &&
        signatures.every(({ parameters }) => parameters.length === 0)
      );
    }
    default:
      return false;
  }
}
