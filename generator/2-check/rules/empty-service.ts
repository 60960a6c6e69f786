import { locate, reportError } from "../report/report.js";
import type { Rule } from "./rule.js";

/** A service has methods. */
export const emptyService: Rule = ({ nodes }) =>
  nodes.services.flatMap(({ syntax, document }) => {
    // Methods that could not be read are reported already.
    if (syntax.methods.length > 0 || document.isBroken) return [];
    return reportError(
      "empty-service",
      locate(document, syntax.name),
      `service \`${syntax.name.text}\` has no methods`,
    );
  });
