import { jsonNameOf } from "../../../../generator/2-check/notation/metadata.js";
import type { LoadedDocument } from "../../../../generator/1-parse/load/load-documents.js";
import type { Program } from "../../../../generator/2-check/program/program.js";
import { isScalarName } from "../../../../generator/ir/scalars.js";
import type { Hover } from "../model/results.js";
import { mentionAt } from "../names/collect-mentions.js";
import type { Mention, NamedSymbol } from "../names/mention.js";
import { resolveMention } from "../names/resolve-mention.js";
import { annotationDocs, headerDocs, keyDocs } from "./language-docs.js";
import { describeScalar, describeWire } from "./describe-wire.js";
import { printDeclaration } from "./print-declaration.js";
import { printDocs } from "./print-docs.js";
import { printTypescript, type ValueForms } from "./print-typescript.js";

/**
 * Describes the word at an offset.
 * `forms` is null if the contract has errors, because nothing is generated from
 * it.
 */
export function findHover(
  program: Program,
  document: LoadedDocument,
  offset: number,
  forms: ValueForms | null,
): Hover | null {
  const mention = mentionAt(document, offset);
  if (mention === null) return null;
  const symbol = resolveMention(program, document, mention);
  const markdown = symbol
    ? describeSymbol(program, symbol, forms)
    : describeWord(mention);
  return markdown === null ? null : { span: mention.span, markdown };
}

function describeSymbol(
  program: Program,
  symbol: NamedSymbol,
  forms: ValueForms | null,
): string {
  const { syntax } = symbol;
  const docs = syntax.kind === "argument" ? "" : printDocs(syntax);
  const typescript = forms && printTypescript(program, symbol, forms);
  const alias = syntax.kind === "field" && jsonNameOf(syntax) === null;
  return [
    fence("ridl", printDeclaration(symbol)),
    docs,
    alias ? "Not sent on the wire." : describeWire(program, symbol),
    typescript ? fence("ts", typescript) : "",
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

function describeWord({ meaning, text }: Mention): string | null {
  switch (meaning.kind) {
    case "type":
      return isScalarName(text) ? describeScalar(text) : null;
    case "metadata-key":
      return keyDocs(text);
    case "annotation":
      return annotationDocs(text);
    case "header-key":
      return headerDocs(text);
    case "import":
      return `\`${meaning.target.path}\``;
    case "body":
    case "credential":
    case "declaration":
    case "error":
    case "import-member":
    case "request-field":
    case "sibling":
    case "value":
      return null;
  }
}

function fence(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}
