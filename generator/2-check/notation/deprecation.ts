import type { Annotation, Metadata } from "../../1-parse/ast.js";
import { findAnnotation } from "./annotations.js";
import { metadataValue } from "./metadata.js";

/** A declaration, of which only some kinds can be deprecated. */
export interface MayBeDeprecated {
  readonly kind: string;
  readonly annotations?: readonly Annotation[];
  readonly metadata?: readonly Metadata[];
}

/**
 * Returns the reason in `+ deprecated` or `@deprecated`. It is "" if there is
 * no reason, and null if the declaration is not deprecated.
 */
export function deprecationOf({
  annotations = [],
  metadata = [],
}: MayBeDeprecated): string | null {
  const text = metadataValue({ metadata }, "deprecated");
  // `+ deprecated = true` gives no reason.
  if (text === "true") return "";
  if (text !== undefined && text !== "false") return text;
  const annotation = findAnnotation({ annotations }, "deprecated");
  return annotation ? (annotation.value?.text ?? "") : null;
}

/** Whether a declaration is deprecated, for any reason or none. */
export function isDeprecated(syntax: MayBeDeprecated): boolean {
  return deprecationOf(syntax) !== null;
}
