import { findMetadata } from "../notation/metadata.js";
import { locate, reportError } from "../report/report.js";
import { resolveType } from "../program/resolve-type.js";
import { didYouMean } from "../report/did-you-mean.js";
import type { Rule } from "./rule.js";

/** `+ known` on a string alias names the string enum of its known values. */
export const invalidKnownValues: Rule = (program) =>
  program.nodes.aliases.flatMap(({ syntax, document }) => {
    const known = findMetadata(syntax, "known");
    const scope = program.scopes.get(document.path);
    if (known === undefined || !scope?.isComplete) return [];
    const type = resolveType(program, document, syntax.type);
    if (type !== null && (type.kind !== "scalar" || type.name !== "string")) {
      return reportError(
        "invalid-known-values",
        locate(document, known.key),
        `\`known\` belongs on an alias of \`string\``,
      );
    }
    const declared = scope.typesByName.get(known.value.text)?.syntax;
    if (declared?.kind === "enum" && declared.base.text === "string") return [];
    const place = locate(document, known.value);
    const enums = scope.types.flatMap(({ syntax: type }) =>
      type.kind === "enum" && type.base.text === "string"
        ? [type.name.text]
        : [],
    );
    return reportError(
      "invalid-known-values",
      place,
      `\`${known.value.text}\` is not a string enum`,
      declared === undefined ? didYouMean(known.value.text, enums, place) : {},
    );
  });
