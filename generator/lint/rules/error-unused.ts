import { metadataValue } from "../../2-check/notation/metadata.js";
import { locate } from "../../2-check/report/report.js";
import { invalidRequestError } from "../../ir/refusal-errors.js";
import type { LintRule } from "./rule.js";

/**
 * Where every method says which errors it has, each error has a method.
 * A method that says nothing may answer with any.
 */
export const errorUnused: LintRule = {
  code: "error-unused",
  category: "standard",
  find: ({ nodes: { aliases, errors, methods } }) => {
    const isOpen = methods.some(({ syntax }) => syntax.errors === undefined);
    if (methods.length === 0 || isOpen) return [];
    const mayBeInvalid = methods.some(
      ({ syntax: { input } }) =>
        input.succinct !== undefined || input.arguments.length > 0,
    );
    const used = new Set([
      ...(mayBeInvalid ? [invalidRequestError] : []),
      ...methods
        .flatMap(({ syntax }) => syntax.errors ?? [])
        .map(({ text }) => text),
      ...aliases.map(({ syntax }) => metadataValue(syntax, "error")),
    ]);
    return errors
      .filter(({ syntax }) => !used.has(syntax.name.text))
      .map(({ syntax: { name }, document }) => ({
        location: locate(document, name),
        message: `no method has the error \`${name.text}\``,
        help: "remove it, or add it to the `errors` of a method",
      }));
  },
};
