import type { Document, Item } from "../../../../generator/1-parse/ast.js";
import {
  printLines,
  printType,
} from "../../../../generator/1-parse/print-lines.js";
import { LineIndex } from "../../../../generator/source/line-index.js";
import type { NamedSymbol, NamedSyntax } from "../names/mention.js";
import { ownerOf, type OwnerSyntax } from "../names/owner-of.js";

/** Maximum number of lines of a declaration to print. */
const maxLines = 24;

/** Prints a declaration as RIDL, without its comments. */
export function printDeclaration(symbol: NamedSymbol): string {
  const { syntax, document } = symbol;
  switch (syntax.kind) {
    case "argument":
      return `${syntax.name.text}${syntax.isOptional ? "?" : ""}: ${printType(syntax.type)}`;
    case "enum-member":
    case "field":
    case "method": {
      const owner = ownerOf(symbol);
      if (owner === null || owner.kind === "method") return "";
      return printItem(reduce(owner, syntax), document.syntax).join("\n");
    }
    case "alias":
    case "enum":
    case "error":
    case "service":
    case "struct": {
      const lines = printItem(syntax, document.syntax);
      return lines.length > maxLines
        ? [...lines.slice(0, maxLines), "  …"].join("\n")
        : lines.join("\n");
    }
  }
}

/** Returns a declaration with only one of its members. */
function reduce(owner: OwnerSyntax, member: NamedSyntax): OwnerSyntax {
  const isMember = (each: NamedSyntax): boolean => each === member;
  const annotations: OwnerSyntax["annotations"] = [];
  switch (owner.kind) {
    case "enum":
      return { ...owner, annotations, members: owner.members.filter(isMember) };
    case "service":
      return { ...owner, annotations, methods: owner.methods.filter(isMember) };
    case "struct":
      return { ...owner, annotations, fields: owner.fields.filter(isMember) };
  }
}

function printItem(item: Item, { source }: Document): string[] {
  const part: Document = {
    kind: "document",
    source,
    items: [item],
    comments: [],
  };
  // Without line information, annotations are printed on one line.
  return printLines(part, new LineIndex("")).map(
    ({ depth, text }) => "  ".repeat(depth) + text,
  );
}
