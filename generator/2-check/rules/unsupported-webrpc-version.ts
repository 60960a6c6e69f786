import { locate, reportError } from "../report/report.js";
import type { Rule } from "./rule.js";

/** There is one version of the language. */
export const unsupportedWebrpcVersion: Rule = ({ nodes }) =>
  nodes.headers.flatMap(({ syntax: { key, value }, document }) => {
    if (key.text !== "webrpc" || value.text === "v1") return [];
    return reportError(
      "unsupported-webrpc-version",
      locate(document, value),
      `\`webrpc\` must be \`v1\`, not \`${value.text}\``,
    );
  });
