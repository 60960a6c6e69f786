import type { Item, Method } from "../../../../generator/1-parse/ast.js";
import type { NamedSymbol } from "./mention.js";

/** A declaration that contains fields, members or methods. */
export type OwnerSyntax = Extract<
  Item,
  { kind: "struct" | "enum" | "service" }
>;

/**
 * Returns the declaration that contains another one, or null at the top level.
 */
export function ownerOf({
  syntax,
  document,
}: NamedSymbol): OwnerSyntax | Method | null {
  const { start } = syntax.span;
  const item = document.syntax.items.find(
    ({ span }) => span.start <= start && start < span.end,
  );
  if (item === undefined) return null;
  switch (syntax.kind) {
    case "enum-member":
      return item.kind === "enum" ? item : null;
    case "field":
      return item.kind === "struct" ? item : null;
    case "method":
      return item.kind === "service" ? item : null;
    case "argument":
      if (item.kind !== "service") return null;
      return (
        item.methods.find(
          ({ span }) => span.start <= start && start < span.end,
        ) ?? null
      );
    case "alias":
    case "enum":
    case "error":
    case "service":
    case "struct":
      return null;
  }
}
