import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ts } from "ts-morph";
import {
  compiler,
  readSourceFiles,
  root,
  type SourceFile,
} from "./support/source-files.js";

/** Modules of Node that reach outside the process, by section of the page. */
const modules: Readonly<Record<string, string>> = {
  child_process: "Programs and modules",
  vm: "Programs and modules",
  worker_threads: "Programs and modules",
  fs: "Files",
  "fs/promises": "Files",
  http2: "Addresses",
  https: "Addresses",
  tls: "Addresses",
  dgram: "Addresses",
  dns: "Addresses",
};

/** Global names that reach outside the process, by section of the page. */
const globals: Readonly<Record<string, string>> = {
  createRequire: "Programs and modules",
  Worker: "Programs and modules",
  fetch: "Addresses",
  WebSocket: "Addresses",
  EventSource: "Addresses",
  XMLHttpRequest: "Addresses",
  sendBeacon: "Addresses",
};

/** Packages that call addresses. */
const callers = ["undici", "@opentelemetry/exporter-trace-otlp-http"];

/** What the files that reach outside contain. */
const outside = new RegExp(
  `\\b(?:node:|import\\(|${[...Object.keys(globals), ...callers].join("|")})`,
  "u",
);

function sectionsOf(file: SourceFile): readonly string[] {
  return file.nodes.flatMap((node) => {
    if (compiler.isStringLiteralLike(node)) return fromModule(node);
    if (compiler.isIdentifier(node)) return fromName(node);
    const isImport =
      compiler.isCallExpression(node) &&
      node.expression.kind === compiler.SyntaxKind.ImportKeyword;
    const [path] = isImport ? node.arguments : [];
    return path !== undefined && !compiler.isStringLiteralLike(path)
      ? ["Programs and modules"]
      : [];
  });
}

/** Imports for types alone do not count. */
function fromModule(node: ts.StringLiteralLike): readonly string[] {
  const { parent, text } = node;
  if (compiler.isImportDeclaration(parent) && isOnlyTypes(parent)) return [];
  if (compiler.isLiteralTypeNode(parent)) return [];
  const section = text.startsWith("node:") ? modules[text.slice(5)] : undefined;
  const isImport = compiler.isImportDeclaration(parent);
  if (isImport && callers.includes(text)) return ["Addresses"];
  return section === undefined ? [] : [section];
}

function isOnlyTypes({ importClause }: ts.ImportDeclaration): boolean {
  const named = importClause?.namedBindings;
  if (importClause?.isTypeOnly === true) return true;
  return (
    importClause?.name === undefined &&
    named !== undefined &&
    compiler.isNamedImports(named) &&
    named.elements.every(({ isTypeOnly }) => isTypeOnly)
  );
}

/** Counts only uses of a global name as a value. */
function fromName(node: ts.Identifier): readonly string[] {
  const section = Object.hasOwn(globals, node.text)
    ? globals[node.text]
    : undefined;
  const { parent } = node;
  const isUse =
    section !== undefined &&
    !(compiler.isPropertyAccessExpression(parent) && parent.name === node) &&
    !compiler.isTypeQueryNode(parent) &&
    !compiler.isTypeReferenceNode(parent) &&
    !(
      "name" in parent &&
      parent.name === node &&
      !compiler.isShorthandPropertyAssignment(parent)
    ) &&
    !isBound(node, node.text);
  return isUse ? [section] : [];
}

/** Whether a parameter or variable around a node has this name. */
function isBound(node: ts.Node, name: string): boolean {
  for (
    let scope = node.parent;
    !compiler.isSourceFile(scope);
    scope = scope.parent
  ) {
    const parameters = compiler.isFunctionLike(scope)
      ? [...scope.parameters]
      : [];
    const variables = compiler.isBlock(scope)
      ? scope.statements
          .filter((each) => compiler.isVariableStatement(each))
          .flatMap(({ declarationList }) => [...declarationList.declarations])
      : [];
    const binds = [...parameters, ...variables].some((each) => {
      const names = compiler.isIdentifier(each.name)
        ? [each.name]
        : each.name.elements.flatMap((part) =>
            compiler.isBindingElement(part) ? [part.name] : [],
          );
      const isOwn = each.initializer !== undefined && within(node, each);
      return !isOwn && names.some((own) => own.getText() === name);
    });
    if (binds) return true;
  }
  return false;
}

function within(node: ts.Node, outer: ts.Node): boolean {
  return node.pos >= outer.pos && node.end <= outer.end;
}

/** The files that a section of the page names. */
function listed(section: string): readonly string[] {
  const page = readFileSync(join(root, "SECURITY.md"), "utf8");
  const [, text = ""] = page.split(`\n### ${section}\n`);
  const [table = ""] = text.split("\n#");
  return [...table.matchAll(/^\| (`[^|]*`) \|/gmu)]
    .flatMap(([, cell = ""]) => cell.split(", "))
    .map((path) => path.replaceAll("`", ""))
    .sort();
}

test("SECURITY.md lists every place that reaches outside the process", () => {
  const page = "platform/console/page";
  const folders = ["apps", "cli", "generator", "runtime", "tools", page];
  const files = [...folders, "platform"]
    .flatMap(readSourceFiles)
    .filter(({ path }) => !/^platform\/test\//u.test(path));
  const found: Record<string, Set<string>> = {};
  for (const file of files) {
    // Only few files name one of these.
    if (!outside.test(file.text)) continue;
    for (const section of new Set(sectionsOf(file))) {
      // The platform reads no file that a document names.
      const isPlatform = /^platform\/(?!console\/page\/)/u.test(file.path);
      if (section === "Files" && isPlatform) continue;
      (found[section] ??= new Set()).add(file.path);
    }
  }
  const sorted = Object.entries(found).map(([section, paths]) => [
    section,
    [...paths].sort(),
  ]);
  const sections = Object.keys(found);
  expect(sections).toHaveLength(3);
  expect(
    Object.fromEntries(sections.map((each) => [each, listed(each)])),
  ).toEqual(Object.fromEntries(sorted));
});
