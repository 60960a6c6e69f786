import { relativePath } from "../../generator/source/relative-path.js";
import type { ts } from "ts-morph";
import type { Compiler } from "./compiler.js";
import { insertAt, type TextEdit } from "./edits.js";
import { type FileStyle, maxWidth } from "./file-style.js";

/** A generated declaration that a file needs. */
export interface GeneratedName {
  readonly name: string;
  /** The file that exports it, in the output folder, without extension. */
  readonly file: string;
  readonly isType: boolean;
}

/** The file that names are imported into. */
export interface ImportingFile {
  readonly source: ts.SourceFile;
  readonly program: ts.Program;
  readonly style: FileStyle;
  /** Absolute path of the output folder. */
  readonly output: string;
  /** Extension of relative imports, if existing imports do not show one. */
  readonly importExtension: string;
  readonly compiler: Compiler;
}

/** Collects the imports that a file needs. */
export class NeededImports {
  readonly #file: ImportingFile;
  readonly #locals = new Map<string, string>();
  readonly #used = new Set<string>();
  /** New imports by the file that exports them. */
  readonly #added = new Map<string, (GeneratedName & { local: string })[]>();

  constructor(file: ImportingFile) {
    this.#file = file;
  }

  /** Returns the name of a declaration, imported if needed. */
  use(needed: GeneratedName): string {
    this.#used.add(needed.file);
    const known = this.#locals.get(needed.name);
    if (known !== undefined) return known;
    const there = findImported(this.#file, needed);
    const local = there ?? freeName(this.#file, needed.name);
    this.#locals.set(needed.name, local);
    if (there === null) {
      const added = this.#added.get(needed.file) ?? [];
      this.#added.set(needed.file, [...added, { ...needed, local }]);
    }
    return local;
  }

  /** Returns the files whose names are used. */
  files(): ReadonlySet<string> {
    return this.#used;
  }

  /** Returns the insertions that add the new imports. */
  edits(): readonly TextEdit[] {
    const file = this.#file;
    const statements: string[] = [];
    const edits: TextEdit[] = [];
    for (const names of this.#added.values()) {
      for (const isType of [false, true]) {
        const wanted = names.filter((each) => each.isType === isType);
        const [first] = wanted;
        if (first === undefined) continue;
        const list = wanted.map(printName);
        const there = findDeclaration(file, first);
        if (there !== null) edits.push(extend(file, there, list, isType));
        else statements.push(printImport(file, first, list));
      }
    }
    if (statements.length === 0) return edits;
    return [...edits, insertStatements(file, statements)];
  }
}

function printName({
  local,
  name,
}: GeneratedName & { readonly local: string }): string {
  return local === name ? name : `${name} as ${local}`;
}

function importsOf({
  compiler,
  source,
}: ImportingFile): readonly ts.ImportDeclaration[] {
  return source.statements.filter(compiler.isImportDeclaration);
}

/** Returns the path of the imported file, or "" if it is unknown. */
function importedFile(
  { program }: ImportingFile,
  { moduleSpecifier }: ts.ImportDeclaration,
): string {
  const symbol = program.getTypeChecker().getSymbolAtLocation(moduleSpecifier);
  return symbol?.declarations?.[0]?.getSourceFile().fileName ?? "";
}

function withoutEnding(path: string): string {
  return path.replace(/(?:\.d)?\.[jt]s$/u, "");
}

/**
 * Returns the name under which a file already imports a declaration, or null if
 * it does not import the declaration.
 */
function findImported(
  file: ImportingFile,
  { name, isType }: GeneratedName,
): string | null {
  const { compiler, output, program } = file;
  const checker = program.getTypeChecker();
  for (const declaration of importsOf(file)) {
    const { importClause } = declaration;
    const bindings = importClause?.namedBindings;
    if (!bindings || !compiler.isNamedImports(bindings)) continue;
    const specifier = bindings.elements.find(
      (each) => (each.propertyName ?? each.name).text === name,
    );
    const isValue = !importClause?.isTypeOnly && !specifier?.isTypeOnly;
    if (specifier === undefined || !(isType || isValue)) continue;
    const path = importedFile(file, declaration);
    const symbol = checker.getSymbolAtLocation(specifier.name);
    const target = symbol && checker.getAliasedSymbol(symbol);
    const origin = target?.declarations?.[0]?.getSourceFile().fileName ?? "";
    const isGenerated = [path, origin].some((each) =>
      each.startsWith(`${output}/`),
    );
    const text = declaration.moduleSpecifier.getText();
    if (isGenerated || text.includes("@ridlkit/runtime/"))
      return specifier.name.text;
  }
  return null;
}

function freeName({ source }: ImportingFile, name: string): string {
  const isTaken = (each: string): boolean =>
    new RegExp(`\\b${each}\\b`, "u").test(source.text);
  let free = name;
  while (isTaken(free)) free = `Generated${free}`;
  return free;
}

/** Finds an import of the same file and kind that a name can be added to. */
function findDeclaration(
  file: ImportingFile,
  needed: GeneratedName,
): ts.NamedImports | null {
  const { compiler, output } = file;
  for (const declaration of importsOf(file)) {
    const path = withoutEnding(importedFile(file, declaration));
    const bindings = declaration.importClause?.namedBindings;
    if (path !== `${output}/${needed.file}` || !bindings) continue;
    const isTypeOnly = declaration.importClause?.isTypeOnly === true;
    if (isTypeOnly && !needed.isType) continue;
    if (compiler.isNamedImports(bindings) && bindings.elements.length > 0) {
      return bindings;
    }
  }
  return null;
}

function extend(
  { compiler, source, style }: ImportingFile,
  { elements, parent }: ts.NamedImports,
  names: readonly string[],
  isType: boolean,
): TextEdit {
  const { text } = source;
  const last = elements[elements.length - 1] ?? parent;
  const line = text.slice(text.lastIndexOf("\n", last.getStart()) + 1);
  const [indent = ""] = /^[ \t]*/u.exec(line) ?? [];
  const isAlone = indent !== "";
  const space = isAlone ? style.lineBreak + indent : " ";
  const isMarked =
    isType && compiler.isImportClause(parent) && !parent.isTypeOnly;
  const list = names.map(
    (name) => `,${space}${isMarked ? "type " : ""}${name}`,
  );
  return insertAt(last.end, list.join(""));
}

function printImport(
  file: ImportingFile,
  { file: path, isType }: GeneratedName,
  names: readonly string[],
): string {
  const { indent, lineBreak, quote, semicolon } = file.style;
  const start = `import ${isType ? "type " : ""}{`;
  const end = `} from ${quote}${specifierFor(file, path)}${quote}${semicolon}`;
  const line = `${start} ${names.join(", ")} ${end}`;
  return line.length <= maxWidth
    ? line
    : [start, ...names.map((name) => `${indent}${name},`), end].join(lineBreak);
}

/**
 * Returns the specifier for generated code, in the form of the file's other
 * imports.
 */
function specifierFor(file: ImportingFile, path: string): string {
  const { output, source } = file;
  for (const declaration of importsOf(file)) {
    const imported = withoutEnding(importedFile(file, declaration));
    if (!imported.startsWith(`${output}/`)) continue;
    const below = imported.slice(output.length + 1);
    const text = declaration.moduleSpecifier.getText().slice(1, -1);
    const [, stem = "", ending = ""] = /^(.*?)(\.[jt]s)?$/u.exec(text) ?? [];
    if (stem.endsWith(`/${below}`)) {
      return stem.slice(0, -below.length) + path + ending;
    }
  }
  return relativeSpecifier(
    source.fileName,
    `${output}/${path}${file.importExtension}`,
  );
}

/**
 * Returns the specifier between absolute paths, e.g. `../a/b.js`, or the
 * absolute path of a file on another Windows drive.
 */
export function relativeSpecifier(from: string, to: string): string {
  const path = relativePath(from, to);
  if (path === null) return to;
  return path.startsWith("../") ? path : `./${path}`;
}

/** Inserts statements after the imports, or at the start. */
function insertStatements(
  file: ImportingFile,
  statements: readonly string[],
): TextEdit {
  const { compiler, source, style } = file;
  const { lineBreak } = style;
  const { text } = source;
  const last = importsOf(file).at(-1);
  if (last !== undefined) {
    const comments = compiler.getTrailingCommentRanges(text, last.end) ?? [];
    const at = comments.at(-1)?.end ?? last.end;
    return insertAt(
      at,
      statements.map((statement) => lineBreak + statement).join(""),
    );
  }
  const added = statements.join(lineBreak) + lineBreak + lineBreak;
  return insertAt(beforeStatements(source, compiler), added);
}

/** Returns the offset of the first statement, including its own comments. */
function beforeStatements(source: ts.SourceFile, compiler: Compiler): number {
  const { statements, text } = source;
  const [first] = statements;
  if (first === undefined) return text.length;
  let start = first.getStart();
  const comments = compiler.getLeadingCommentRanges(text, first.pos) ?? [];
  for (const { pos, end } of comments.toReversed()) {
    const isDirective = /@ts-|^#!/u.test(text.slice(pos, end));
    const isApart = /\n[ \t]*\r?\n/u.test(text.slice(end, start));
    if (isDirective || isApart) break;
    start = pos;
  }
  return start;
}
