import { locate, reportError } from "../report.js";
import { didYouMean } from "../did-you-mean.js";
import type { Details } from "../report.js";
import type { Rule } from "./rule.js";

/** Names after `errors` are declared errors. */
export const unknownError: Rule = ({ nodes, scopes }) =>
  nodes.methods.flatMap(({ syntax, document }) => {
    const scope = scopes.get(document.path);
    if (!scope?.isComplete) return [];
    return (syntax.errors ?? [])
      .filter(({ text }) => text !== "" && !scope.errorsByName.has(text))
      .map((name) =>
        reportError(
          "unknown-error",
          locate(document, name),
          `error \`${name.text}\` is not declared`,
          explain(name.text, [...scope.errorsByName.keys()]),
        ),
      );
  });

function explain(name: string, declared: readonly string[]): Details {
  if (name.startsWith("Webrpc")) {
    return { notes: ["built-in errors are always possible and not listed"] };
  }
  return didYouMean(name, declared);
}
