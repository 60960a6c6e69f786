import { basename } from "node:path";
import type { ts } from "ts-morph";
import { describe, expect, test } from "vitest";
import { compiler, placeOf, readSourceFiles } from "./support/source-files.js";
import type { SourceFile } from "./support/source-files.js";

const generator = ["generator", "tools", "cli"].flatMap(readSourceFiles);
const runtime = readSourceFiles("runtime/typescript");
const playground = readSourceFiles("apps/playground");
const sources = [
  ...readSourceFiles("platform/console/page"),
  ...readSourceFiles("apps/explorer"),
  ...generator,
  ...playground,
  ...runtime,
];
const all = [
  ...sources,
  ...readSourceFiles("examples"),
  ...readSourceFiles("platform"),
];

/** Returns the locations of the nodes for which `isFault` is true. */
function places(
  files: readonly SourceFile[],
  isFault: (node: ts.Node) => boolean,
): string[] {
  return files.flatMap((file) =>
    file.nodes.filter(isFault).map((node) => placeOf(file, node)),
  );
}

describe("sources", () => {
  test("have at most 500 lines", () => {
    const long = all.filter(({ text }) => text.split("\n").length > 501);
    expect(long.map(({ path }) => path)).toEqual([]);
  });

  test("have functions of at most 70 lines", () => {
    const faults = places(all, (node) => {
      // Most nodes are too short.
      if (node.end - node.pos < 500 || !compiler.isFunctionLike(node))
        return false;
      const file = node.getSourceFile();
      const lineOf = (offset: number): number =>
        file.getLineAndCharacterOfPosition(offset).line;
      return lineOf(node.getEnd()) - lineOf(node.getStart()) >= 70;
    });
    expect(faults).toEqual([]);
  });

  test("have kebab-case names that are not vague", () => {
    const vague = /^(utils?|helpers?|common|misc|shared|manager)$/u;
    const faults = all.filter(({ path }) => {
      const name = basename(path).replace(/(?:\.d)?\.tsx?$/u, "");
      return !/^[a-z0-9]+(-[a-z0-9]+)*$/u.test(name) || vague.test(name);
    });
    expect(faults.map(({ path }) => path)).toEqual([]);
  });

  test("have no `any`", () => {
    const isAny = (node: ts.Node): boolean =>
      node.kind === compiler.SyntaxKind.AnyKeyword;
    expect(places(all, isAny)).toEqual([]);
  });

  test("have no non-null assertions", () => {
    expect(places(all, compiler.isNonNullExpression)).toEqual([]);
  });

  test("have no default exports", () => {
    const isDefault = (node: ts.Node): boolean =>
      compiler.isExportAssignment(node) ||
      (compiler.canHaveModifiers(node) &&
        (compiler
          .getModifiers(node)
          ?.some(({ kind }) => kind === compiler.SyntaxKind.DefaultKeyword) ??
          false));
    expect(places(all, isDefault)).toEqual([]);
  });

  test("have no suppression comments", () => {
    const suppression = /@ts-(ignore|expect-error|nocheck)|eslint-disable/iu;
    // These print the comment into generated code, which tests check without it.
    const printers = [
      "generator/4-emit/copy-runtime.ts",
      "generator/4-emit/typescript/text/print.ts",
    ];
    const faults = all.filter(
      ({ path, text }) => suppression.test(text) && !printers.includes(path),
    );
    expect(faults.map(({ path }) => path)).toEqual([]);
  });

  test("have no fields that Babel 7 rejects by default", () => {
    const isDeclared = (node: ts.Node): boolean =>
      compiler.isPropertyDeclaration(node) &&
      (node.modifiers ?? []).some(
        ({ kind }) => kind === compiler.SyntaxKind.DeclareKeyword,
      );
    expect(places(runtime, isDeclared)).toEqual([]);
  });

  test("document their exports", () => {
    const faults = places(sources, isUndocumentedExport);
    expect(faults).toEqual([]);
  });

  test("use `process` only in the system layer of the command line, and `console` only to report unexpected errors", () => {
    const inside = generator.filter(
      ({ path }) => !path.startsWith("cli/node/"),
    );
    expect(places(inside, (node) => isGlobal(node, "process"))).toEqual([]);
    // This function reports unexpected errors if a server has no `onError`.
    const reporter = "runtime/typescript/server/responses/failed-answer.ts";
    const quiet = sources.filter(({ path }) => path !== reporter);
    expect(places(quiet, (node) => isGlobal(node, "console"))).toEqual([]);
    expect(places(runtime, (node) => isGlobal(node, "process"))).toEqual([]);
  });

  test("have no module-level `let` or `var`", () => {
    const isState = (node: ts.Node): boolean =>
      compiler.isVariableStatement(node) &&
      compiler.isSourceFile(node.parent) &&
      (node.declarationList.flags & compiler.NodeFlags.Const) === 0;
    expect(places(sources, isState)).toEqual([]);
  });
});

function isUndocumentedExport(node: ts.Node): boolean {
  const isDeclaration =
    compiler.isFunctionDeclaration(node) ||
    compiler.isClassDeclaration(node) ||
    compiler.isInterfaceDeclaration(node) ||
    compiler.isTypeAliasDeclaration(node) ||
    compiler.isVariableStatement(node);
  if (!isDeclaration || !compiler.isSourceFile(node.parent)) return false;
  const isExported = node.modifiers?.some(
    ({ kind }) => kind === compiler.SyntaxKind.ExportKeyword,
  );
  const comments = node.getFullText().slice(0, node.getLeadingTriviaWidth());
  return isExported === true && !comments.includes("/**");
}

/**
 * Returns whether a node refers to the global with this name rather than to a
 * property or a type.
 */
function isGlobal(node: ts.Node, name: string): boolean {
  if (!compiler.isIdentifier(node) || node.text !== name) return false;
  const { parent } = node;
  const isProperty =
    (compiler.isPropertyAccessExpression(parent) && parent.name === node) ||
    compiler.isPropertyAssignment(parent) ||
    compiler.isPropertySignature(parent) ||
    compiler.isPropertyDeclaration(parent);
  return !isProperty;
}
