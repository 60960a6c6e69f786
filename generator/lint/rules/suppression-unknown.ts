import { createSuggester } from "../../2-check/report/did-you-mean.js";
import { locate } from "../../2-check/report/report.js";
import { catalogue } from "../../diagnostics/catalogue.js";
import type { Finding } from "../facts/finding.js";
import type { LintRule } from "./rule.js";
import type { Suppression } from "../facts/suppressions.js";
import { readSuppressions } from "../facts/suppressions.js";

/** A comment that names no code silences nothing. */
export const suppressionUnknown: LintRule = {
  code: "suppression-unknown",
  category: "minimal",
  find: (program) => {
    const didYouMean = createSuggester();
    return readSuppressions(program)
      .filter(({ code }) => !Object.hasOwn(catalogue, code))
      .map((each) => ({
        ...explain(each),
        ...didYouMean(each.code, Object.keys(catalogue)),
      }));
  },
};

function explain({ code, codeSpan, comment, document }: Suppression): Finding {
  const isEmpty = code === "";
  return {
    location: locate(document, isEmpty ? comment : { span: codeSpan }),
    message: isEmpty
      ? "`ridl-ignore` does not say what it silences"
      : `there is no diagnostic \`${code}\``,
    help: "write `#! ridl-ignore <code> <reason>`",
  };
}
