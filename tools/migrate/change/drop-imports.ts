import type { ts } from "ts-morph";
import type { Compiler } from "../../implement/compiler.js";
import { applyEdits, type TextEdit } from "../../implement/edits.js";

/** An import that moves from one module to another. */
export interface MovedImport {
  readonly from: string;
  readonly name: string;
  readonly specifier: string;
}

/**
 * Removes imports that a file used before its text changed and does not use
 * now, and moves `moved`.
 */
export function dropImports(
  before: ts.SourceFile,
  text: string,
  moved: MovedImport | null,
  compiler: Compiler,
): string {
  const isJsx = before.fileName.endsWith("x");
  const after = compiler.createSourceFile(
    isJsx ? "after.tsx" : "after.ts",
    text,
    compiler.ScriptTarget.Latest,
    true,
  );
  const used = namesIn(before, compiler);
  const now = namesIn(after, compiler);
  const target = after.statements
    .filter(compiler.isImportDeclaration)
    .find((each) => moduleOf(each) === moved?.specifier);
  const edits = after.statements.flatMap((statement): readonly TextEdit[] => {
    if (!compiler.isImportDeclaration(statement)) return [];
    const isGone = ({ text: name }: ts.Identifier): boolean =>
      used.has(name) && !now.has(name);
    const own = moduleOf(statement) === moved?.from ? moved : null;
    return editImport(statement, isGone, own, target, compiler);
  });
  return applyEdits(text, edits);
}

function moduleOf({ moduleSpecifier }: ts.ImportDeclaration): string {
  return moduleSpecifier.getText().slice(1, -1);
}

/** Returns the names that a file refers to outside of its imports. */
function namesIn(
  source: ts.SourceFile,
  compiler: Compiler,
): ReadonlySet<string> {
  const names = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (compiler.isImportDeclaration(node)) return;
    if (compiler.isIdentifier(node) && !isMemberName(node, compiler)) {
      names.add(node.text);
    }
    compiler.forEachChild(node, visit);
  };
  visit(source);
  return names;
}

/** Whether an identifier is the name of a property, as in `orders.list`. */
function isMemberName(node: ts.Identifier, compiler: Compiler): boolean {
  const { parent } = node;
  return (
    (compiler.isPropertyAccessExpression(parent) ||
      compiler.isPropertyAssignment(parent)) &&
    parent.name === node
  );
}

function editImport(
  statement: ts.ImportDeclaration,
  isGone: (name: ts.Identifier) => boolean,
  moved: MovedImport | null,
  target: ts.ImportDeclaration | undefined,
  compiler: Compiler,
): readonly TextEdit[] {
  const { importClause, moduleSpecifier } = statement;
  if (importClause === undefined) return [];
  const { name, namedBindings } = importClause;
  const isNamed =
    namedBindings !== undefined && compiler.isNamedImports(namedBindings);
  const elements = isNamed ? [...namedBindings.elements] : [];
  const isMoved = (each: ts.ImportSpecifier): boolean =>
    moved !== null && (each.propertyName ?? each.name).text === moved.name;
  const kept = elements.filter((each) => !isGone(each.name) && !isMoved(each));
  const leaving = elements.filter(
    (each) => !isGone(each.name) && isMoved(each),
  );
  const isNameKept = name !== undefined && !isGone(name);
  const isWholeKept =
    namedBindings !== undefined &&
    !isNamed &&
    compiler.isNamespaceImport(namedBindings) &&
    !isGone(namedBindings.name);
  const isWhole = namedBindings !== undefined && !isNamed;
  if (
    kept.length === elements.length &&
    isWhole === isWholeKept &&
    (name === undefined || isNameKept)
  ) {
    return [];
  }
  const { text } = statement.getSourceFile();
  const end = text.slice(moduleSpecifier.getEnd(), statement.end);
  const quote = moduleSpecifier.getText().slice(0, 1);
  const print = (parts: readonly string[], module: string): string => {
    const type = importClause.isTypeOnly ? "type " : "";
    return `import ${type}${parts.join(", ")} from ${module}${end}`;
  };
  const list = (all: readonly ts.ImportSpecifier[]): string =>
    `{ ${all.map((each) => each.getText()).join(", ")} }`;
  const joined = joinTo(target, leaving, importClause.isTypeOnly, compiler);
  const lines = [
    ...(isNameKept || kept.length > 0 || isWholeKept
      ? [
          print(
            [
              ...(isNameKept ? [name.text] : []),
              ...(isWholeKept ? [namedBindings.getText()] : []),
              ...(kept.length > 0 ? [list(kept)] : []),
            ],
            moduleSpecifier.getText(),
          ),
        ]
      : []),
    ...(leaving.length > 0 && moved !== null && joined.length === 0
      ? [print([list(leaving)], quote + moved.specifier + quote)]
      : []),
  ];
  const start = statement.getStart();
  if (lines.length > 0) {
    return [...joined, { start, end: statement.end, text: lines.join("\n") }];
  }
  // Without the import, its line is empty.
  const [rest = ""] = /^[ \t]*\r?\n/u.exec(text.slice(statement.end)) ?? [];
  return [...joined, { start, end: statement.end + rest.length, text: "" }];
}

/** Adds names to an import that exists. Returns nothing if it lists no names. */
function joinTo(
  target: ts.ImportDeclaration | undefined,
  names: readonly ts.ImportSpecifier[],
  isTypeOnly: boolean,
  compiler: Compiler,
): readonly TextEdit[] {
  const bindings = target?.importClause?.namedBindings;
  if (bindings === undefined || !compiler.isNamedImports(bindings)) return [];
  const last = bindings.elements.at(-1);
  if (last === undefined) return [];
  return names.map((each) => ({
    start: last.end,
    end: last.end,
    text: `, ${isTypeOnly ? "type " : ""}${each.getText()}`,
  }));
}
