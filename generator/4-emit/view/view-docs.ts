import type { Docs } from "../../ir/contract.js";
import { withoutInvisible } from "../emitter/invisible.js";
import type { DeprecatedView, DocsView } from "./type-view.js";

/** Returns a doc comment, or null if it contains no visible text. */
export function docsOf({ lines }: Docs): DocsView | null {
  return lines.every((line) => withoutInvisible(line).trim() === "")
    ? null
    : { lines };
}

/** Returns the text of `@deprecated`, or null if there is no annotation. */
export function deprecatedOf(deprecated: string | null): DeprecatedView | null {
  if (deprecated === null) return null;
  const isEmpty = withoutInvisible(deprecated).trim() === "";
  return { hasReason: !isEmpty, reason: deprecated };
}
