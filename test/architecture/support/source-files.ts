import { existsSync, readFileSync, readdirSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { ts } from "ts-morph";

/**
 * The compiler. Vitest looks up what it imports from CommonJS in a proxy each time,
 * which takes longer than most questions about a node.
 */
export const compiler = ts;

/** The root of the repository. */
export const root = fileURLToPath(new URL("../../../", import.meta.url));

/** One import, export-from, or dynamic import of a file, except JSON data. */
export interface ImportedPath {
  /** The specifier as written, such as `./glob.js`. */
  readonly specifier: string;
  /** The file's path in the repository, or null for packages and built-ins. */
  readonly path: string | null;
  /**
   * Whether the import is not loaded with the file, as with `import()` or
   * `import type`.
   */
  readonly isDeferred: boolean;
}

/** A file of this repository, and what it imports. */
export interface ImportingFile {
  /** Relative to the repository, such as `runtime/client.ts`. */
  readonly path: string;
  readonly imports: readonly Pick<ImportedPath, "path">[];
}

/** A parsed source file of this repository. */
export interface SourceFile extends ImportingFile {
  readonly text: string;
  readonly imports: readonly ImportedPath[];
  readonly syntax: ts.SourceFile;
  /** All nodes of the syntax tree, each before its children. */
  readonly nodes: readonly ts.Node[];
}

/** Caches parsed files for all tests in this folder, which share a process. */
const parsed = new Map<string, SourceFile>();

/**
 * Parses all `.ts` and `.tsx` files below a folder except tests and built or
 * generated files.
 */
export function readSourceFiles(folder: string): readonly SourceFile[] {
  return listSourceFiles(folder).map(readSourceFile);
}

/**
 * Finds the imports of all scripts below a folder, in JavaScript, too. Takes a
 * fraction of the time of `readSourceFiles`.
 */
export function readImports(folder: string): readonly ImportingFile[] {
  return listScripts(folder).map((path) => {
    const text = readFileSync(join(root, path), "utf8");
    const imports = compiler
      .preProcessFile(text, true, true)
      .importedFiles.map(({ fileName }) => fileName)
      .filter((specifier) => /^\.(?!.*\.json$)/u.test(specifier))
      .map((specifier) => ({ path: resolve(path, specifier) }));
    return { path, imports };
  });
}

/** Lists the paths of the files that `readSourceFiles` parses. */
export function listSourceFiles(folder: string): readonly string[] {
  return listScripts(folder).filter((path) => /\.tsx?$/u.test(path));
}

/** Parts of the platform with rules of their own. */
const apart = ["platform/test/", "platform/console/page/"];

/** Lists the paths of the files that `readImports` reads. */
export function listScripts(folder: string): readonly string[] {
  const others = apart.filter(
    (name) => name.startsWith(`${folder}/`) && name !== `${folder}/`,
  );
  return listBelow(folder)
    .filter((path) => !others.some((other) => path.startsWith(other)))
    .sort();
}

/**
 * Lists scripts in a folder and the folders in it. Does not enter folders of
 * installed packages, which can link to this repository.
 */
function listBelow(folder: string): readonly string[] {
  const entries = readdirSync(join(root, folder), { withFileTypes: true });
  return entries.flatMap((entry) => {
    const path = posix.join(folder, entry.name);
    if (entry.isDirectory())
      return skipped.has(entry.name) ? [] : listBelow(path);
    return /\.(?:tsx?|[cm]?js)$/u.test(path) ? [path] : [];
  });
}

const skipped = new Set(["dist", "generated", "node_modules", ".work"]);

/** Parses a file in the repository. */
export function readSourceFile(path: string): SourceFile {
  const known = parsed.get(path) ?? parseSourceFile(path);
  parsed.set(path, known);
  return known;
}

function parseSourceFile(path: string): SourceFile {
  const text = readFileSync(join(root, path), "utf8");
  const languageVersion = compiler.ScriptTarget.Latest;
  // Parsing the tags of comments would take a sixth of the time.
  const jsDocParsingMode = compiler.JSDocParsingMode.ParseNone;
  const options = { languageVersion, jsDocParsingMode };
  const syntax = compiler.createSourceFile(path, text, options, true);
  const nodes = listNodes(syntax);
  const imports = nodes
    .flatMap((node) => importOf(node) ?? [])
    .filter(({ specifier }) => !specifier.endsWith(".json"))
    .map(({ specifier, isDeferred }) => ({
      specifier,
      path: specifier.startsWith(".") ? resolve(path, specifier) : null,
      isDeferred,
    }));
  return { path, text, imports, syntax, nodes };
}

function resolve(from: string, specifier: string): string {
  const path = posix.join(dirname(from), specifier);
  if (existsSync(join(root, path))) return path;
  const component = path.replace(/\.js$/u, ".tsx");
  return existsSync(join(root, component))
    ? component
    : path.replace(/\.js$/u, ".ts");
}

function importOf(node: ts.Node): Omit<ImportedPath, "path"> | null {
  if (compiler.isImportDeclaration(node)) {
    const phase = node.importClause?.phaseModifier;
    return imported(
      node.moduleSpecifier,
      phase === compiler.SyntaxKind.TypeKeyword,
    );
  }
  if (compiler.isExportDeclaration(node)) {
    return imported(node.moduleSpecifier, node.isTypeOnly);
  }
  if (compiler.isCallExpression(node)) {
    const isImport = node.expression.kind === compiler.SyntaxKind.ImportKeyword;
    return isImport ? imported(node.arguments[0], true) : null;
  }
  return compiler.isImportTypeNode(node) &&
    compiler.isLiteralTypeNode(node.argument)
    ? imported(node.argument.literal, true)
    : null;
}

function imported(
  node: ts.Node | undefined,
  isDeferred: boolean,
): Omit<ImportedPath, "path"> | null {
  const specifier = textOf(node);
  return specifier === null ? null : { specifier, isDeferred };
}

function textOf(node: ts.Node | undefined): string | null {
  return node && compiler.isStringLiteralLike(node) ? node.text : null;
}

/** Flattens a tree, because lists are faster to search than trees. */
function listNodes(tree: ts.Node): readonly ts.Node[] {
  const nodes: ts.Node[] = [];
  const visit = (node: ts.Node): void => {
    nodes.push(node);
    compiler.forEachChild(node, visit);
  };
  visit(tree);
  return nodes;
}

/** Prints the location of a node as `path:line` for messages. */
export function placeOf(file: SourceFile, node: ts.Node): string {
  const { line } = file.syntax.getLineAndCharacterOfPosition(node.getStart());
  return `${file.path}:${line + 1}`;
}
