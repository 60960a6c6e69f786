import type { ts } from "ts-morph";
import { Unclear } from "./unclear.js";
import type { SymbolLookup } from "./uses.js";

type IsClient = (type: ts.Type) => boolean;

/** Throws if code of a package gets a client, because it stays as it is. */
export function refusePackages(
  call: ts.CallExpression,
  isClient: IsClient,
  { checker }: SymbolLookup,
): void {
  for (const argument of call.arguments) {
    if (!isClient(checker.getTypeAtLocation(argument))) continue;
    const callee = checker.getResolvedSignature(call)?.declaration;
    const file = callee?.getSourceFile().fileName ?? "";
    if (file.includes("/node_modules/")) {
      throw new Unclear(argument, "a package uses the client");
    }
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
