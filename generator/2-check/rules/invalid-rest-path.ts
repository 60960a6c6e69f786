import { locate, reportError } from "../report/report.js";
import { findPathFault } from "./rest-path-fault.js";
import { findRestReads } from "../program/rest-reads.js";
import type { Rule } from "./rule.js";

/** The path of `@get` is well formed, and its parameters are request fields. */
export const invalidRestPath: Rule = (program) =>
  findRestReads(program).flatMap((read) => {
    const fault = findPathFault(read, program);
    if (fault === null) return [];
    const [message, details] = fault;
    const place = locate(read.document, read.place);
    return reportError("invalid-rest-path", place, message, details);
  });
