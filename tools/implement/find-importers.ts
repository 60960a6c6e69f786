import type { ts } from "ts-morph";
import type { Compiler } from "./compiler.js";

/**
 * Finds the files that import one of the targets, directly or indirectly, and
 * those that may import one in another way.
 */
export function findImporters(
  sources: readonly ts.SourceFile[],
  targets: readonly ts.SourceFile[],
  checker: ts.TypeChecker,
  compiler: Compiler,
): readonly ts.SourceFile[] {
  const importers = new Map<ts.SourceFile, ts.SourceFile[]>();
  for (const source of sources) {
    for (const imported of importsOf(source, checker, compiler)) {
      importers.set(imported, [...(importers.get(imported) ?? []), source]);
    }
  }
  const reached = new Set<ts.SourceFile>();
  const reach = (source: ts.SourceFile): void => {
    for (const importer of importers.get(source) ?? []) {
      if (reached.has(importer)) continue;
      reached.add(importer);
      reach(importer);
    }
  };
  new Set(targets).forEach(reach);
  return sources.filter(
    (source) => reached.has(source) || mayImportOtherwise(source),
  );
}

/** Lists the files that a file imports or re-exports from. */
function importsOf(
  { statements }: ts.SourceFile,
  checker: ts.TypeChecker,
  compiler: Compiler,
): readonly ts.SourceFile[] {
  return statements.flatMap((statement) => {
    const isLink =
      compiler.isImportDeclaration(statement) ||
      compiler.isExportDeclaration(statement);
    if (!isLink || statement.moduleSpecifier === undefined) return [];
    const module = checker.getSymbolAtLocation(statement.moduleSpecifier);
    return module?.declarations?.find(compiler.isSourceFile) ?? [];
  });
}

/** Whether a file may import in another way, e.g. `import()` in a comment. */
function mayImportOtherwise({ text }: ts.SourceFile): boolean {
  return /\bimport\(|\brequire\(/u.test(text);
}
