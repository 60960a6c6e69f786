import type { LoadedDocument } from "../../../../generator/1-parse/load/load-documents.js";
import type { Program } from "../../../../generator/2-check/program/program.js";
import { isScalarName } from "../../../../generator/ir/scalars.js";
import type { Span } from "../../../../generator/source/source.js";
import type {
  SemanticToken,
  TokenModifier,
  TokenType,
} from "../model/results.js";
import { mentionsOf } from "../names/collect-mentions.js";
import type { Mention, NamedSyntax } from "../names/mention.js";
import { resolveMention } from "../names/resolve-mention.js";
import { isDeprecated } from "../../../../generator/2-check/notation/deprecation.js";

/**
 * Lists the semantic tokens of a document. Names that do not resolve are
 * omitted.
 */
export function listTokens(
  program: Program,
  document: LoadedDocument,
  within: Span | undefined,
): readonly SemanticToken[] {
  const { start = 0, end = Infinity } = within ?? {};
  let last = 0;
  return mentionsOf(document)
    .filter(({ span }) => span.end >= start && span.start <= end)
    .flatMap((mention) => {
      const token = toToken(program, document, mention);
      // Mentions in broken syntax can overlap.
      if (token === null || mention.span.start < last) return [];
      last = mention.span.end;
      return token;
    });
}

function toToken(
  program: Program,
  document: LoadedDocument,
  mention: Mention,
): SemanticToken | null {
  const { meaning, span, text } = mention;
  const token = (
    type: TokenType,
    ...modifiers: readonly TokenModifier[]
  ): SemanticToken => ({ span, type, modifiers });
  switch (meaning.kind) {
    case "annotation":
      return token("decorator");
    case "header-key":
    case "metadata-key":
      return token("property", "defaultLibrary");
    case "import":
      return null;
    case "body":
    case "credential":
    case "declaration":
    case "error":
    case "import-member":
    case "request-field":
    case "sibling":
    case "type":
    case "value": {
      if (meaning.kind === "type" && isScalarName(text)) {
        return token("type", "defaultLibrary");
      }
      const symbol = resolveMention(program, document, mention);
      if (symbol === null) return null;
      const isDeclared = meaning.kind === "declaration";
      return token(
        tokenType(symbol.syntax),
        ...(isDeclared ? (["declaration"] as const) : []),
        ...(isDeprecated(symbol.syntax) ? (["deprecated"] as const) : []),
      );
    }
  }
}

function tokenType({ kind }: NamedSyntax): TokenType {
  switch (kind) {
    case "alias":
      return "type";
    case "argument":
      return "parameter";
    case "enum":
    case "method":
    case "struct":
      return kind;
    case "enum-member":
      return "enumMember";
    case "error":
      return "event";
    case "field":
      return "property";
    case "service":
      return "class";
  }
}
