import { parametersOf } from "../notation/path-template.js";
import { locate, reportError } from "../report/report.js";
import { findPathFault } from "./rest-path-fault.js";
import { findRestReads } from "../program/rest-reads.js";
import type { Rule } from "./rule.js";

/** All that a REST read is told stands in its path, so all of it is required. */
export const unboundRequestField: Rule = (program) =>
  findRestReads(program).flatMap((read) => {
    // A parameter that is misspelt leaves its field unbound.
    if (findPathFault(read, program)) return [];
    const { method, path, request } = read;
    const bound = new Set(parametersOf(path));
    return request.flatMap(({ jsonName, name, isOptional, document }) => {
      if (bound.has(jsonName) && !isOptional) return [];
      return reportError(
        "unbound-request-field",
        locate(document, name),
        bound.has(jsonName)
          ? `\`${name.text}\` is in the path of \`${method.name.text}\` and cannot be optional`
          : `\`${name.text}\` is not in the path of \`${method.name.text}\``,
        {
          notes: ["a REST read gets its whole request from its path"],
          help: bound.has(jsonName)
            ? "remove the `?`"
            : `add \`/{${jsonName}}\` to the path, or remove the field`,
        },
      );
    });
  });
