import type { Target } from "../emitter/target.js";
import { findOwnSet, printSet } from "../templates/template-set.js";

/**
 * Writes `api.md` for each host: its services, methods, types and errors. The
 * pages are in `templates/markdown`.
 */
export const markdownEmitter: Target = {
  name: "markdown",
  summary: "Markdown documentation for each host.",
  guide: "markdown.md",
  emit: (contract, _options, context) =>
    printSet(
      context?.templates?.get("markdown") ?? findOwnSet("markdown"),
      contract,
    ),
};
