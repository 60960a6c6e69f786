import type { ts } from "ts-morph";
import { UnsupportedCode } from "./unsupported-code.js";
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
  throw new UnsupportedCode(
    node,
    `\`${name.text}\` is used without calling it`,
  );
}

/** Throws if the number of a call's arguments is unknown. */
export function refuseSpread(
  call: ts.CallExpression,
  { compiler }: SymbolLookup,
): void {
  if (call.arguments.some(compiler.isSpreadElement)) {
    throw new UnsupportedCode(call, "the arguments are spread");
  }
}

/** A call, or the creation of an object of a class. */
type Invocation = ts.CallExpression | ts.NewExpression;

/**
 * Throws if code of a package gets a client, because it stays as it is. The
 * client can be an argument, or in an object that is written there. Lists are
 * mostly dependencies of hooks, which do not use the client.
 */
export function refusePackages(
  call: Invocation,
  isClient: IsClient,
  lookup: SymbolLookup,
): void {
  for (const argument of call.arguments ?? []) {
    const [client] = clientsIn(argument, isClient, lookup);
    if (client !== undefined) refuseArgument(call, client, lookup);
  }
}

/** Returns the clients that an argument is or contains. */
function clientsIn(
  node: ts.Node,
  isClient: IsClient,
  lookup: SymbolLookup,
): readonly ts.Node[] {
  const { checker, compiler } = lookup;
  if (compiler.isObjectLiteralExpression(node)) {
    return node.properties.flatMap((each) =>
      clientsIn(valueOf(each, lookup), isClient, lookup),
    );
  }
  return isClient(checker.getTypeAtLocation(node)) ? [node] : [];
}

function valueOf(
  node: ts.ObjectLiteralElementLike,
  { compiler }: SymbolLookup,
): ts.Node {
  if (compiler.isPropertyAssignment(node)) return node.initializer;
  return compiler.isShorthandPropertyAssignment(node) ? node.name : node;
}

/** Throws if the function that gets a client is of a package. */
function refuseArgument(
  call: Invocation,
  client: ts.Node,
  { checker }: SymbolLookup,
): void {
  const callee = checker.getResolvedSignature(call)?.declaration;
  const file = callee?.getSourceFile().fileName ?? "";
  if (file.includes("/node_modules/")) {
    throw new UnsupportedCode(client, "a package uses the client");
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
    throw new UnsupportedCode(
      pattern,
      `${members} are taken out of the client`,
    );
  }
}
