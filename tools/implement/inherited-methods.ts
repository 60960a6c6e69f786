import type { ts } from "ts-morph";
import type { Compiler } from "./compiler.js";
import type { Implementation } from "./find-implementations.js";
import type { HandledMethod } from "./handler-methods.js";

/**
 * Omits missing methods that an implementation inherits, because they are added
 * to its base class or to an object that is spread into it.
 *
 * Input: the implementations of a program, and the same implementations before
 * methods were renamed.
 */
export function withoutInherited(
  implementations: readonly Implementation[],
  found: readonly Implementation[],
  checker: ts.TypeChecker,
  compiler: Compiler,
): readonly Implementation[] {
  const byNode = new Map<ts.Node, Implementation>(
    found.map((each) => [each.node, each]),
  );
  const isInherited = (
    node: ts.Node,
    method: HandledMethod,
    seen: Set<ts.Node>,
  ): boolean =>
    originsOf(node, checker, compiler).some((origin) => {
      // A class in unfinished code may extend itself.
      if (seen.has(origin)) return false;
      seen.add(origin);
      const isMissing = byNode.get(origin)?.missing.includes(method) === true;
      return isMissing || isInherited(origin, method, seen);
    });
  return implementations.map((each) => ({
    ...each,
    missing: each.missing.filter(
      (method) => !isInherited(each.node, method, new Set([each.node])),
    ),
  }));
}

/** Lists the classes and objects that something gets members from. */
function originsOf(
  node: ts.Node,
  checker: ts.TypeChecker,
  compiler: Compiler,
): readonly ts.Node[] {
  const taken = compiler.isClassLike(node)
    ? (node.heritageClauses ?? [])
        .filter(({ token }) => token === compiler.SyntaxKind.ExtendsKeyword)
        .flatMap(({ types }) => types)
    : compiler.isObjectLiteralExpression(node)
      ? node.properties
          .filter(compiler.isSpreadAssignment)
          .map(({ expression }) => expression)
      : [];
  return taken.flatMap(
    (each) => checker.getTypeAtLocation(each).symbol?.declarations ?? [],
  );
}
