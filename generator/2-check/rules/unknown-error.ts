import { createSuggester } from "../report/did-you-mean.js";
import { locate, reportError } from "../report/report.js";
import type { Rule } from "./rule.js";

/** Names after `errors` are declared errors. */
export const unknownError: Rule = ({ nodes, scopes }) => {
  const suggest = createSuggester();
  const builtIn = {
    notes: ["built-in errors are always possible and not listed"],
  };
  return nodes.methods.flatMap(({ syntax, document }) => {
    const scope = scopes.get(document.path);
    if (!scope?.isComplete) return [];
    return (syntax.errors ?? [])
      .filter(({ text }) => !scope.errorsByName.has(text))
      .map((name) => {
        const place = locate(document, name);
        return reportError(
          "unknown-error",
          place,
          `error \`${name.text}\` is not declared`,
          name.text.startsWith("Webrpc")
            ? builtIn
            : suggest(name.text, scope.errorsByName.keys(), place),
        );
      });
  });
};
