import {
  printStructure,
  ts,
  VariableDeclarationKind,
  type StatementStructures,
} from "ts-morph";
import {
  render,
  type Doc,
} from "../../generator/4-emit/typescript/text/format.js";
import {
  kinds,
  type Structure,
} from "../../generator/4-emit/typescript/text/structures.js";

/** Returns what ts-morph's own printer prints for a structure. */
export function printByMorph(structure: Structure): string {
  const written = printedStructure(structure);
  const known: StatementStructures =
    written.kind === kinds.variable
      ? { ...written, declarationKind: VariableDeclarationKind.Const }
      : written;
  return printStructure(known);
}

/** Returns the same structure with text instead of layouts. */
function printedStructure(structure: Structure): Structure<string> {
  const code = ["type", "returnType", "initializer", "declaredType"];
  const text = JSON.stringify(structure, (key, value) => {
    if (key === "statements") return value.map((doc: Doc) => render(doc));
    const isBase = key === "extends" && structure.kind === kinds.class;
    return isBase || code.includes(key) ? render(value) : value;
  });
  return JSON.parse(text);
}

/**
 * Returns the syntax of a module without whitespace: the kind of each node, the
 * text of each token, and the words of each doc comment.
 *
 * Errors: text that TypeScript cannot parse.
 */
export function syntaxOf(text: string): unknown {
  const { diagnostics = [] } = ts.transpileModule(text, {
    reportDiagnostics: true,
    compilerOptions: { target: ts.ScriptTarget.ESNext },
  });
  const [fault] = diagnostics;
  if (fault !== undefined) {
    const message = ts.flattenDiagnosticMessageText(fault.messageText, "\n");
    throw new Error(`${message} in\n${text}`);
  }
  const file = ts.createSourceFile("file.ts", text, ts.ScriptTarget.ESNext);
  const syntax = (node: ts.Node): unknown => {
    // Ignore parentheses: the tree already shows what they group, and Prettier
    // adds some when it breaks expressions.
    if (ts.isParenthesizedExpression(node)) return syntax(node.expression);
    const parts: unknown[] = ts.getJSDocCommentsAndTags(node).map(wordsOf);
    ts.forEachChild(node, (child) => void parts.push(syntax(child)));
    return [node.kind, ts.isTokenKind(node.kind) ? node.getText(file) : parts];
  };
  const wordsOf = (comment: ts.Node): string =>
    comment.getFullText(file).replace(/[\s*]+/gu, " ");
  return syntax(file);
}
