import { relative } from "node:path";
import { ts } from "ts-morph";
import { expect, test } from "vitest";
import {
  readSourceFile,
  readSourceFiles,
  root,
} from "./support/source-files.js";

/**
 * Bodies of functions with a parameter `x: "a" | "b" | "c"`, and the expected
 * number of faults in each.
 */
const probes = [
  ['switch (x) { case "a": case "b": case "c": return 1; }', 0],
  ['switch (x) { case "a": case "b": return 1; } return 2;', 1],
  ['switch (x) { case "a": return 1; default: return 2; }', 1],
  ['if (x === "a") return 1; return 2;', 0],
  ['if (x === "a") return 1; if (x === "b") return 2; return 3;', 1],
  ['return x === "a" ? 1 : x === "b" ? 2 : 3;', 1],
] as const;

const probeTexts = new Map(
  probes.map(([body], index) => [
    `${root}probe-${index}.ts`,
    `export function probe(x: "a" | "b" | "c"): number { ${body} }`,
  ]),
);

/**
 * Omits the types of browsers and Node, because loading them takes most of the
 * time.
 */
function createProgram(): ts.Program {
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2022,
    lib: ["lib.es2023.d.ts"],
    types: [],
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
  };
  const files = ["generator", "tools", "cli", "runtime/typescript"]
    .flatMap(readSourceFiles)
    .map(({ path }) => root + path);
  const ours = new Set(files);
  const compilerHost = ts.createCompilerHost(options);
  return ts.createProgram([...files, ...probeTexts.keys()], options, {
    ...compilerHost,
    // Skip packages. They declare none of our unions, but are ten times as
    // large as our code.
    fileExists: (path) =>
      probeTexts.has(path) ||
      (!path.includes("/node_modules/") && compilerHost.fileExists(path)),
    readFile: (path) => probeTexts.get(path) ?? compilerHost.readFile(path),
    getSourceFile: (path, version) => {
      if (ours.has(path)) return readSourceFile(relative(root, path)).syntax;
      const text = probeTexts.get(path) ?? ts.sys.readFile(path);
      return text === undefined
        ? undefined
        : ts.createSourceFile(path, text, version, true);
    },
  });
}

function isClosed(type: ts.Type): type is ts.UnionType {
  return type.isUnion() && type.types.every(isUnit);
}

function isUnit(type: ts.Type): boolean {
  const units = ts.TypeFlags.Unit & ~ts.TypeFlags.UniqueESSymbol;
  return (type.flags & units) !== 0;
}

/**
 * Finds each switch over a closed union that has a default or lacks a member,
 * and each chain of ifs or conditionals that tests a value of a closed union
 * with three or more members.
 */
function findFaults(program: ts.Program): string[] {
  const checker = program.getTypeChecker();
  const isOverMany = (subject: ts.Node): boolean => {
    const type = checker.getTypeAtLocation(subject);
    return isClosed(type) && type.types.length > 2;
  };
  const isFaultySwitch = (node: ts.SwitchStatement): boolean => {
    const type = checker.getTypeAtLocation(node.expression);
    if (!isClosed(type)) return false;
    const { clauses } = node.caseBlock;
    const known = clauses
      .filter(ts.isCaseClause)
      .map((each) => checker.getTypeAtLocation(each.expression));
    const isComplete = type.types.every((member) =>
      known.some((each) => checker.isTypeAssignableTo(member, each)),
    );
    return !isComplete || clauses.some(ts.isDefaultClause);
  };
  const isFault = (node: ts.Node): boolean => {
    if (ts.isSwitchStatement(node)) return isFaultySwitch(node);
    const next = nextInChain(node);
    const subject = next && subjectOf(node);
    return (
      !!subject &&
      subjectOf(next)?.getText() === subject.getText() &&
      isOverMany(subject)
    );
  };
  return program.getSourceFiles().flatMap((file) => {
    const faults: string[] = [];
    const visit = (node: ts.Node): void => {
      if (isFault(node)) {
        const { line } = file.getLineAndCharacterOfPosition(node.getStart());
        faults.push(`${relative(root, file.fileName)}:${line + 1}`);
      }
      ts.forEachChild(node, visit);
    };
    if (!file.isDeclarationFile) visit(file);
    return faults;
  });
}

/**
 * Returns the expression that a conditional evaluates if its condition is
 * false, or the statement that follows an if.
 */
function nextInChain(node: ts.Node): ts.Node | undefined {
  if (ts.isConditionalExpression(node)) return node.whenFalse;
  if (!ts.isIfStatement(node) || !ts.isBlock(node.parent)) return undefined;
  const { statements } = node.parent;
  return statements[statements.indexOf(node) + 1];
}

/**
 * Returns the expression that a condition compares with strings, e.g. `x` in `x
 * === "a" || x === "b"`.
 */
function subjectOf(node: ts.Node): ts.Node | undefined {
  if (ts.isIfStatement(node)) return subjectOf(node.expression);
  if (ts.isConditionalExpression(node)) return subjectOf(node.condition);
  if (!ts.isBinaryExpression(node)) return undefined;
  const { left, operatorToken, right } = node;
  if (operatorToken.kind === ts.SyntaxKind.BarBarToken) return subjectOf(left);
  const isEquality =
    operatorToken.kind === ts.SyntaxKind.EqualsEqualsEqualsToken;
  return isEquality && ts.isStringLiteral(right) ? left : undefined;
}

test("code handles every member of a closed union by name", () => {
  const faults = findFaults(createProgram());
  const counts = probes.map(
    (_, index) =>
      faults.filter((fault) => fault.startsWith(`probe-${index}.`)).length,
  );
  expect(counts).toEqual(probes.map(([, count]) => count));
  expect(faults.filter((fault) => !fault.startsWith("probe-"))).toEqual([]);
});
