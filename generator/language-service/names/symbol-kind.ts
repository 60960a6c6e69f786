import { findAnnotation } from "../../2-check/notation/annotations.js";
import { findMetadata } from "../../2-check/notation/metadata.js";
import type { SymbolKind } from "../model/results.js";
import type { NamedSyntax } from "./mention.js";

/** Returns the kind of a declaration in results. */
export function symbolKind({ kind }: NamedSyntax): SymbolKind {
  return kind === "enum-member" ? "member" : kind;
}

/** Whether a declaration is deprecated. */
export function isDeprecated(syntax: NamedSyntax): boolean {
  if (syntax.kind === "argument" || syntax.kind === "enum-member") return false;
  if (findAnnotation(syntax, "deprecated")) return true;
  return (
    syntax.kind === "field" && findMetadata(syntax, "deprecated") !== undefined
  );
}
