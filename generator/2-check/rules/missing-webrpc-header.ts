import { isFormPath } from "../../1-parse/form-path.js";
import { reportError } from "../report/report.js";
import type { Rule } from "./rule.js";

/** Every document, imported ones too, begins with `webrpc = v1`. */
export const missingWebrpcHeader: Rule = ({ documents }) =>
  documents.flatMap(({ syntax, isBroken }) => {
    const hasHeader = syntax.items.some(
      (item) => item.kind === "header" && item.key.text === "webrpc",
    );
    if (hasHeader || isBroken) return [];
    const location = { source: syntax.source, span: { start: 0, end: 0 } };
    return reportError(
      "missing-webrpc-header",
      location,
      "the document does not say `webrpc = v1`",
      {
        help: "begin it with `webrpc = v1`",
        ...(!isFormPath(syntax.source.path) && {
          fix: { location, replacement: "webrpc = v1\n" },
        }),
      },
    );
  });
