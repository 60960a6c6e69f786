import type { Target } from "../emitter/target.js";
import markdownSet from "../templates/own/markdown-set.json" with { type: "json" };
import { printOwnSet } from "../templates/template-set.js";

/**
 * Writes `api.md` for each host: its services, methods, types and errors. The
 * pages are in `templates/markdown`.
 */
export const markdownEmitter: Target = {
  name: "markdown",
  summary: "Markdown documentation for each host.",
  guide: "explorer.md#documentation-in-markdown",
  emit: (contract, { skew }, context) =>
    printOwnSet(markdownSet, contract, context, { skew }),
};
