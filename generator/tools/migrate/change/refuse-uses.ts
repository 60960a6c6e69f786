import type { ts } from "ts-morph";
import { Unclear } from "./unclear.js";
import type { SymbolLookup } from "./uses.js";

type IsClient = (type: ts.Type) => boolean;

/** Whether a member is only a part of a longer path of members. */
export function isInPath(
  node: ts.PropertyAccessExpression,
  { compiler }: SymbolLookup,
): boolean {
  const { parent } = node;
  return (
    (compiler.isPropertyAccessExpression(parent) ||
      compiler.isElementAccessExpression(parent)) &&
    parent.expression === node
  );
}

/** Returns the call of a member. Throws if it is used without calling it. */
export function requireCall(
  node: ts.PropertyAccessExpression,
  { compiler }: SymbolLookup,
): ts.CallExpression {
  const { name, parent } = node;
  if (compiler.isCallExpression(parent) && parent.expression === node) {
    return parent;
  }
  throw new Unclear(node, `\`${name.text}\` is used without calling it`);
}

/** Throws if the number of a call's arguments is unknown. */
export function refuseSpread(
  call: ts.CallExpression,
  { compiler }: SymbolLookup,
): void {
  if (call.arguments.some(compiler.isSpreadElement)) {
    throw new Unclear(call, "the arguments are spread");
  }
}

/** Throws if code of a package gets a client, because it stays as it is. */
export function refusePackages(
  call: ts.CallExpression,
  isClient: IsClient,
  lookup: SymbolLookup,
): void {
  for (const argument of call.arguments) {
    if (!isClient(lookup.checker.getTypeAtLocation(argument))) continue;
    refuseArgument(call, argument, lookup);
  }
}

/** Throws if the function that gets a client is of a package. */
export function refuseArgument(
  call: ts.CallExpression,
  client: ts.Node,
  { checker }: SymbolLookup,
): void {
  const callee = checker.getResolvedSignature(call)?.declaration;
  const file = callee?.getSourceFile().fileName ?? "";
  if (file.includes("/node_modules/")) {
    throw new Unclear(client, "a package uses the client");
  }
}

/** Throws if a pattern takes `members` out of a client. */
export function refuseParts(
  pattern: ts.ObjectBindingPattern,
  members: string,
  isClient: IsClient,
  { checker }: SymbolLookup,
): void {
  const { parent } = pattern;
  const value =
    "initializer" in parent && parent.initializer
      ? parent.initializer
      : pattern;
  if (isClient(checker.getTypeAtLocation(value))) {
    throw new Unclear(pattern, `${members} are taken out of the client`);
  }
}
