import { findAnnotation } from "../../2-check/notation/annotations.js";
import { findMetadata } from "../../2-check/notation/metadata.js";
import type { NamedSyntax } from "./mention.js";

/** Whether a declaration is deprecated. */
export function isDeprecated(syntax: NamedSyntax): boolean {
  if (syntax.kind === "argument" || syntax.kind === "enum-member") return false;
  if (findAnnotation(syntax, "deprecated")) return true;
  return (
    syntax.kind === "field" && findMetadata(syntax, "deprecated") !== undefined
  );
}
