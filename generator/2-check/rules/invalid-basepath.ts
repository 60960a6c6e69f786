import { findDuplicates } from "../report/duplicates.js";
import { parametersOf, parsePathTemplate } from "../notation/path-template.js";
import { locate, reportError } from "../report/report.js";
import type { Rule } from "./rule.js";

/** `basepath` is a path; `{name}` may take the place of a whole segment. */
export const invalidBasepath: Rule = ({ nodes }) =>
  nodes.headers.flatMap(({ syntax: { key, value }, document }) => {
    if (key.text !== "basepath") return [];
    const fault = findFault(value.text);
    if (fault === null) return [];
    return reportError("invalid-basepath", locate(document, value), fault, {
      help: "write it like `/rpc` or `/{network}/rpc`",
    });
  });

function findFault(path: string): string | null {
  if (/\s/.test(path)) return "`basepath` holds white space";
  if (path.includes("://")) return "`basepath` is a path, not an address";
  if (/[?#]/.test(path)) return "`basepath` holds a query or a fragment";
  if (/%(?![0-9a-fA-F]{2})/.test(path)) {
    return "`basepath` holds a `%` that no two hexadecimal digits follow";
  }
  const template = parsePathTemplate(path);
  for (const segment of template.segments) {
    if (segment.kind === "literal" && /[{}]/.test(segment.text)) {
      return `\`${segment.text}\` is not a parameter: \`{name}\` is a whole segment`;
    }
  }
  const [twice] = findDuplicates(parametersOf(template), (name) => name);
  return twice
    ? `\`basepath\` has the parameter \`${twice.again}\` twice`
    : null;
}
