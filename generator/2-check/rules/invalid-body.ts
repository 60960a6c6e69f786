import { findAnnotation } from "../notation/annotations.js";
import { locate, reportError } from "../report/report.js";
import { findRestReads } from "../program/rest-reads.js";
import type { Rule } from "./rule.js";

/** `@body` names the one output of a REST read that is the whole answer. */
export const invalidBody: Rule = (program) =>
  findRestReads(program).flatMap(({ method, document, response }) => {
    const body = findAnnotation(method, "body");
    if (body === undefined) return [];
    const [only, ...others] = response;
    const isOnly = only !== undefined && others.length === 0;
    if (isOnly && only.jsonName === body.value?.text && !only.isOptional) {
      return [];
    }
    return reportError(
      "invalid-body",
      locate(document, body.value ?? body),
      `\`@body\` must name the only output of \`${method.name.text}\``,
      isOnly
        ? only.isOptional
          ? { help: `make \`${only.jsonName}\` required` }
          : { help: `write \`@body:${only.jsonName}\`` }
        : { notes: [`it has ${response.length} outputs`] },
    );
  });
