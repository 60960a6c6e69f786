import type { ts } from "ts-morph";
import { symbolOf } from "./find-creation.js";
import type { SymbolLookup } from "./uses.js";

/** Whether a package contains a declaration. */
export function isIn(declaration: ts.Declaration, name: string): boolean {
  const { fileName } = declaration.getSourceFile();
  return fileName.includes(`/node_modules/${name}/`);
}

/** Returns the name that a package declares a symbol with, or null. */
export function nameInPackage(
  node: ts.Node,
  name: string,
  lookup: SymbolLookup,
): string | null {
  const { compiler } = lookup;
  const declaration = symbolOf(node, lookup)?.declarations?.find((each) =>
    isIn(each, name),
  );
  const own = declaration && compiler.getNameOfDeclaration(declaration);
  return own && compiler.isIdentifier(own) ? own.text : null;
}
