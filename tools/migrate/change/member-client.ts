import type { ts } from "ts-morph";
import { symbolOf } from "./find-creation.js";
import type { OperationAddress } from "./operations.js";
import { creationOf, isIn, type PackageClient } from "./package-client.js";
import { refusePackages, refuseSpread, requireCall } from "./refuse-uses.js";
import { OtherClient, UnsupportedCode } from "./unsupported-code.js";
import type { ClientKey, SymbolLookup } from "./uses.js";

type Member = ts.PropertyAccessExpression;

/** A client whose calls are members of members, e.g. `client.posts.list(…)`. */
export interface MemberClient extends Omit<PackageClient, "keyOf"> {
  /** What the last part of a path names, e.g. `route`. */
  readonly member: string;
  /** Packages whose clients are for TanStack Query. */
  readonly queryPackages: readonly string[];
  /** What these packages have, e.g. `clients`. */
  readonly queryParts: string;
  /** Whether a member of a procedure sends a request. */
  readonly isSending: (node: Member, lookup: SymbolLookup) => boolean;
  /**
   * Returns the address that a member sends requests to, or null.
   *
   * Errors: {@link UnsupportedCode} for a part of a client that is used as a value.
   */
  readonly addressAt: (
    node: Member,
    lookup: SymbolLookup,
  ) => OperationAddress | null;
}

/** Returns how the compiler finds such a client. */
export function memberClient(client: MemberClient): PackageClient {
  const keyOfRoot = (root: ts.Node, lookup: SymbolLookup): ClientKey => {
    const creation = creationOf(root, client, lookup);
    const type = lookup.checker.getTypeAtLocation(creation ?? root);
    return { creation, document: client.documentOf(lookup, type) };
  };
  return {
    ...client,
    keyOf: (node, lookup) => {
      const isCall = lookup.compiler.isCallExpression(node);
      const inner = isCall ? node.expression : node;
      return keyOfRoot(rootOf(inner, client, lookup), lookup);
    },
    visit: (node, uses, lookup) => {
      const { compiler } = lookup;
      if (compiler.isPropertyAccessExpression(node)) {
        const address = client.addressAt(node, lookup);
        if (address === null) return;
        const call = callOf(node, lookup);
        const root = rootOf(node.expression, client, lookup);
        const init = call.arguments[0];
        const key = keyOfRoot(root, lookup);
        uses.calls.push({ node: call, client: root, address, init, ...key });
      } else if (compiler.isElementAccessExpression(node)) {
        refuseElement(node, client, lookup);
      } else if (compiler.isCallExpression(node)) {
        refuseQueries(node, client, lookup);
        refusePackages(node, client.isClient, lookup);
      }
      client.visit(node, uses, lookup);
    },
  };
}

/** Returns the whole client that some code is a part of. */
function rootOf<Node extends ts.Node>(
  node: Node,
  { isClient, isSending }: MemberClient,
  lookup: SymbolLookup,
): Node | ts.LeftHandSideExpression {
  const { checker, compiler } = lookup;
  let root: Node | ts.LeftHandSideExpression = node;
  while (
    compiler.isPropertyAccessExpression(root) &&
    (isClient(checker.getTypeAtLocation(root.expression)) ||
      isSending(root, lookup))
  ) {
    root = root.expression;
  }
  return root;
}

/** Returns the call of a member. Errors: {@link UnsupportedCode} for other forms. */
function callOf(node: Member, lookup: SymbolLookup): ts.CallExpression {
  const { compiler } = lookup;
  const call = requireCall(node, lookup);
  let inner: ts.Expression = call;
  while (
    compiler.isCallExpression(inner) ||
    compiler.isPropertyAccessExpression(inner)
  ) {
    if (inner.questionDotToken !== undefined) {
      throw new UnsupportedCode(call, "the client is optional");
    }
    inner = inner.expression;
  }
  refuseSpread(call, lookup);
  return call;
}

function refuseElement(
  node: ts.ElementAccessExpression,
  { isClient, member }: MemberClient,
  { checker }: SymbolLookup,
): void {
  if (!isClient(checker.getTypeAtLocation(node.expression))) return;
  throw new UnsupportedCode(
    node,
    `the name of the ${member} is not written after a dot`,
  );
}

/** Throws for calls of functions for TanStack Query. */
function refuseQueries(
  node: ts.CallExpression,
  { queryPackages, queryParts }: MemberClient,
  lookup: SymbolLookup,
): void {
  const { expression } = node;
  const isMember = lookup.compiler.isPropertyAccessExpression(expression);
  const name = isMember ? expression.name : expression;
  const declarations = symbolOf(name, lookup)?.declarations ?? [];
  if (
    declarations.some((each) => queryPackages.some((own) => isIn(each, own)))
  ) {
    throw new OtherClient(
      node,
      `${queryParts} for TanStack Query are not migrated`,
    );
  }
}
