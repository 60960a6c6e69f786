import type { ts } from "ts-morph";
import { pathOf } from "../../../generator/4-emit/typescript/plan/layout.js";
import { symbolOf } from "../change/find-creation.js";
import type { CodeChange } from "../change/old-client.js";
import type { SymbolLookup } from "../change/uses.js";
import type { ProcedureMethod } from "./find-method.js";
import type { NewOutput } from "./print-output.js";

/**
 * Adds a type to a variable that depends on itself, such as a page whose cursor
 * is an argument of the call for the next one. The compiler finds the type of
 * such a variable if the called function has no properties, and methods of the
 * generated client have some.
 */
export function annotatePage(
  call: ts.CallExpression,
  output: NewOutput,
  { method }: ProcedureMethod,
  { edits, file, generated }: CodeChange,
): void {
  const { lookup } = file;
  const found = variableOf(call, lookup);
  if (found === null || output.kind === "nothing") return;
  const { declaration, members } = found;
  if (!dependsOnItself(declaration, call, lookup)) return;
  const { name, unit } = method.response.object;
  const whole = generated.use({
    name,
    file: pathOf(unit, "types"),
    isType: true,
  });
  const keys = (names: readonly string[]): string =>
    names.map((each) => `[${JSON.stringify(each)}]`).join("");
  const value = output.kind === "field" ? whole + keys([output.name]) : whole;
  const isNull = output.kind === "field" && output.isNull;
  const type = isNull ? `NonNullable<${value}> | null` : value;
  const { end } = declaration.name;
  const member = isNull && members.length > 0 ? `(${type})` : type;
  edits.replaceRange(end, end, `: ${member}${keys(members)}`);
}

/** A variable without a type whose value is that of a call or part of it. */
interface PageVariable {
  readonly declaration: ts.VariableDeclaration;
  /** The members of the value that lead to the variable's value. */
  readonly members: readonly string[];
}

function variableOf(
  call: ts.CallExpression,
  { compiler }: SymbolLookup,
): PageVariable | null {
  if (!compiler.isAwaitExpression(call.parent)) return null;
  const members: string[] = [];
  let value: ts.Expression = call.parent;
  for (;;) {
    const { parent }: ts.Node = value;
    if (compiler.isVariableDeclaration(parent)) {
      const isPlain = parent.type === undefined && parent.initializer === value;
      return isPlain ? { declaration: parent, members } : null;
    }
    if (compiler.isPropertyAccessExpression(parent)) {
      if (parent.questionDotToken !== undefined) return null;
      members.push(parent.name.text);
      value = parent;
    } else if (compiler.isParenthesizedExpression(parent)) value = parent;
    else return null;
  }
}

/** Whether a loop assigns a variable to what the call for its value reads. */
function dependsOnItself(
  { name }: ts.VariableDeclaration,
  call: ts.CallExpression,
  lookup: SymbolLookup,
): boolean {
  const loop = outerLoop(call, lookup);
  if (loop === null) return false;
  const read = new Set(
    call.arguments
      .flatMap((each) => symbolsIn(each, lookup))
      .filter((each) => isNarrowed(each, lookup)),
  );
  const assignments = assignmentsIn(loop, lookup);
  const reached = new Set(symbolsIn(name, lookup));
  // A set visits what is added while it is read.
  for (const symbol of reached) {
    for (const { targets, values } of assignments) {
      if (values.includes(symbol)) targets.forEach((each) => reached.add(each));
    }
  }
  return [...read].some((each) => reached.has(each));
}

/** Returns the outermost loop around a node in its function, or null. */
function outerLoop(
  node: ts.Node,
  { compiler }: SymbolLookup,
): ts.Statement | null {
  let loop: ts.Statement | null = null;
  let at = node;
  while (!compiler.isFunctionLike(at) && !compiler.isSourceFile(at)) {
    if (compiler.isIterationStatement(at, false)) loop = at;
    at = at.parent;
  }
  return loop;
}

/** Whether the type of a variable depends on what was assigned to it. */
function isNarrowed(
  { valueDeclaration }: ts.Symbol,
  { checker, compiler }: SymbolLookup,
): boolean {
  if (valueDeclaration === undefined) return false;
  const type = checker.getTypeAtLocation(valueDeclaration);
  // Without a type, a variable that is null first is `any` here.
  return type.isUnion() || (type.flags & compiler.TypeFlags.Any) !== 0;
}

/** What an assignment or a declaration sets, and what it reads. */
interface Assignment {
  readonly targets: readonly ts.Symbol[];
  readonly values: readonly ts.Symbol[];
}

function assignmentsIn(
  loop: ts.Node,
  lookup: SymbolLookup,
): readonly Assignment[] {
  const { compiler } = lookup;
  const found: Assignment[] = [];
  const add = (target: ts.Node, value: ts.Node): void => {
    const targets = symbolsIn(target, lookup);
    found.push({ targets, values: symbolsIn(value, lookup) });
  };
  const visit = (node: ts.Node): void => {
    if (compiler.isVariableDeclaration(node) && node.initializer) {
      add(node.name, node.initializer);
    } else if (compiler.isBinaryExpression(node)) {
      const { kind } = node.operatorToken;
      const { FirstAssignment, LastAssignment } = compiler.SyntaxKind;
      const isAssignment = kind >= FirstAssignment && kind <= LastAssignment;
      if (isAssignment) add(node.left, node.right);
    }
    compiler.forEachChild(node, visit);
  };
  visit(loop);
  return found;
}

/** Returns what the names in some code stand for. */
function symbolsIn(node: ts.Node, lookup: SymbolLookup): readonly ts.Symbol[] {
  const { compiler } = lookup;
  const found: ts.Symbol[] = [];
  const visit = (each: ts.Node): void => {
    const symbol = compiler.isIdentifier(each) ? symbolOf(each, lookup) : null;
    if (symbol !== null) found.push(symbol);
    compiler.forEachChild(each, visit);
  };
  visit(node);
  return found;
}
