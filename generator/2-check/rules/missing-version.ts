import { locate, reportError } from "../report/report.js";
import type { Rule } from "./rule.js";

/** A document with services says which version of them it describes. */
export const missingVersion: Rule = ({ documents }) =>
  documents.flatMap((document) => {
    const { items } = document.syntax;
    const service = items.find((item) => item.kind === "service");
    const hasVersion = items.some(
      (item) => item.kind === "header" && item.key.text === "version",
    );
    if (service === undefined || hasVersion || document.isBroken) return [];
    return reportError(
      "missing-version",
      locate(document, service.name),
      "a document with services needs a `version`",
      { help: "add `version = v0.0.1` to the head of the document" },
    );
  });
