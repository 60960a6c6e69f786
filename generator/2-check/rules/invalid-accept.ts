import { findMetadata } from "../notation/metadata.js";
import { locate, reportError } from "../report/report.js";
import { resolveType } from "../program/resolve-type.js";
import type { Rule } from "./rule.js";

/** `+ accept = integer` lets a string alias be sent as a JSON integer. */
export const invalidAccept: Rule = (program) =>
  program.nodes.aliases.flatMap(({ syntax, document }) => {
    const accept = findMetadata(syntax, "accept");
    if (accept === undefined) return [];
    if (accept.value.text !== "integer") {
      return reportError(
        "invalid-accept",
        locate(document, accept.value),
        `\`accept\` must be \`integer\`, not \`${accept.value.text}\``,
      );
    }
    const type = resolveType(program, document, syntax.type);
    if (type === null) return [];
    if (type.kind === "scalar" && type.name === "string") return [];
    return reportError(
      "invalid-accept",
      locate(document, accept.key),
      "`accept` belongs on an alias of `string`",
    );
  });
