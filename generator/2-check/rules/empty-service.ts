import { locate, reportError } from "../report.js";
import type { Rule } from "./rule.js";

/** A service has methods. */
export const emptyService: Rule = ({ nodes }) =>
  nodes.services.flatMap(({ syntax, document }) => {
    if (syntax.methods.length > 0) return [];
    return reportError(
      "empty-service",
      locate(document, syntax.name),
      `service \`${syntax.name.text}\` has no methods`,
    );
  });
