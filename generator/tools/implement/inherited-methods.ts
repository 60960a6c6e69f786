import type { ts } from "ts-morph";
import type { Compiler } from "./compiler.js";
import type { Implementation } from "./find-implementations.js";
import type { HandledMethod } from "./handler-methods.js";

/**
 * Leaves out methods that an implementation gets with those that are added to its
 * base classes and to what is spread into it.
 *
 * Input: the implementations of a program; the same as they were found, before
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
      // Code that is not finished may extend itself.
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

/** Classes and objects that an object or a class takes members from. */
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
