import type { LoadedDocument } from "../../../../generator/1-parse/load/load-documents.js";
import type { Method, Word } from "../../../../generator/1-parse/ast.js";
import { namesIn } from "../../../../generator/2-check/program/nodes.js";
import type { Program } from "../../../../generator/2-check/program/program.js";
import { findType } from "../../../../generator/2-check/program/reach.js";
import type { Span } from "../../../../generator/source/source.js";
import type { LinkTarget } from "../model/results.js";
import { mentionAt } from "../names/collect-mentions.js";
import type { NamedSymbol } from "../names/mention.js";
import { resolveMention } from "../names/resolve-mention.js";

/** Finds the declaration of the name at an offset, or the imported document. */
export function findDefinition(
  program: Program,
  document: LoadedDocument,
  offset: number,
): readonly LinkTarget[] {
  const mention = mentionAt(document, offset);
  if (mention === null) return [];
  if (mention.meaning.kind === "import") {
    const { path } = mention.meaning.target;
    const span = { start: 0, end: 0 };
    const exists = program.documents.some((each) => each.path === path);
    return exists ? [{ origin: mention.span, path, span, nameSpan: span }] : [];
  }
  const symbol = resolveMention(program, document, mention);
  return symbol ? [toTarget(mention.span, symbol)] : [];
}

/** Finds the declarations of the types of the symbol at an offset. */
export function findTypeDefinition(
  program: Program,
  document: LoadedDocument,
  offset: number,
): readonly LinkTarget[] {
  const mention = mentionAt(document, offset);
  const symbol = mention && resolveMention(program, document, mention);
  if (!symbol) return [];
  return typeNamesOf(symbol).flatMap(({ text }) => {
    const type = findType(program, symbol.document, text);
    return type ? [toTarget(mention.span, type)] : [];
  });
}

function toTarget(origin: Span, { syntax, document }: NamedSymbol): LinkTarget {
  const { span, name } = syntax;
  return { origin, path: document.path, span, nameSpan: name.span };
}

function typeNamesOf({ syntax }: NamedSymbol): readonly Word[] {
  switch (syntax.kind) {
    case "alias":
    case "argument":
    case "field":
      return namesIn(syntax.type);
    case "method":
      return [
        ...namesInMessage(syntax.input),
        ...namesInMessage(syntax.output),
      ];
    case "enum":
    case "enum-member":
    case "error":
    case "service":
    case "struct":
      return [syntax.name];
  }
}

function namesInMessage({
  arguments: list,
  succinct,
}: Method["input"]): readonly Word[] {
  if (succinct) return [succinct];
  return list.flatMap(({ type }) => namesIn(type));
}
