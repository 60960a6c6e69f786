import type { ts } from "ts-morph";
import type { CodeChange } from "../change/old-client.js";

/** What the value of a call is in the response of a method. */
export type NewOutput =
  | { readonly kind: "whole" }
  /** The value is `undefined`, or not read. */
  | { readonly kind: "nothing" }
  | {
      readonly kind: "field";
      readonly name: string;
      /** Whether an absent field was null. */
      readonly isNull: boolean;
    };

/** Adds to a migrated call what reads its value in the response. */
export function printOutput(
  node: ts.CallExpression,
  output: NewOutput,
  change: CodeChange,
): void {
  const { edits, migration } = change;
  switch (output.kind) {
    case "whole":
      return;
    case "nothing":
      edits.replace(node, `${edits.slice(node)}.then(() => undefined)`);
      return;
    case "field": {
      const { compiler } = migration;
      const { parent } = node;
      const isAwaited =
        compiler.isAwaitExpression(parent) && !beginsStatement(parent, change);
      if (isAwaited) readAwaited(parent, output, change);
      else {
        const { name, isNull } = output;
        const value = /^[a-z]\w*$/iu.test(name) && !isReserved(name, change);
        const rest = isNull ? " ?? null" : "";
        const listener = value
          ? `({ ${name} }) => ${name}${rest}`
          : `(output) => output${memberOf(name)}${rest}`;
        edits.replace(node, `${edits.slice(node)}.then(${listener})`);
      }
    }
  }
}

/** Reads a field of `await client.post.list()`. */
function readAwaited(
  awaited: ts.AwaitExpression,
  { name, isNull }: { readonly name: string; readonly isNull: boolean },
  { edits, migration }: CodeChange,
): void {
  const { compiler } = migration;
  const { parent } = awaited;
  const around = compiler.isParenthesizedExpression(parent) ? parent : awaited;
  const text = `(${edits.slice(awaited)})${memberOf(name)}`;
  const { parent: outer } = around;
  const isAlone =
    compiler.isVariableDeclaration(outer) ||
    compiler.isReturnStatement(outer) ||
    compiler.isArrowFunction(outer) ||
    compiler.isPropertyAssignment(outer) ||
    compiler.isArrayLiteralExpression(outer) ||
    (compiler.isCallExpression(outer) && outer.expression !== around);
  const whole = isNull ? `${text} ?? null` : text;
  edits.replace(around, isNull && !isAlone ? `(${whole})` : whole);
}

/** Whether a statement would begin with a parenthesis, which can join lines. */
function beginsStatement(
  node: ts.AwaitExpression,
  { migration }: CodeChange,
): boolean {
  const { compiler } = migration;
  let statement: ts.Node = node;
  while (
    !compiler.isStatement(statement) &&
    statement.parent.getStart() === node.getStart()
  ) {
    statement = statement.parent;
  }
  return compiler.isExpressionStatement(statement);
}

function isReserved(name: string, { migration }: CodeChange): boolean {
  const { compiler } = migration;
  const scanner = compiler.createScanner(
    compiler.ScriptTarget.Latest,
    true,
    compiler.LanguageVariant.Standard,
    name,
  );
  return scanner.scan() !== compiler.SyntaxKind.Identifier;
}

function memberOf(name: string): string {
  return /^[a-z_$][\w$]*$/iu.test(name)
    ? `.${name}`
    : `[${JSON.stringify(name)}]`;
}
