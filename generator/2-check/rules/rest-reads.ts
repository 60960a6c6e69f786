import { findAnnotation } from "../notation/annotations.js";
import { parametersOf } from "../notation/path-template.js";
import { type RestRead, findRestReads } from "../program/rest-reads.js";
import { findDuplicates } from "../report/duplicates.js";
import { errorAt } from "../report/finding.js";
import { locate, relate } from "../report/report.js";
import { findPathFault } from "./rest-path-fault.js";
import type { CheckRules } from "./rule.js";

/** Rules about REST reads. */
export const restRules = {
  "invalid-rest-path": (program) =>
    findRestReads(program).flatMap((read) => {
      const fault = findPathFault(read, program);
      if (fault === null) return [];
      const [message, details] = fault;
      const place = locate(read.document, read.place);
      return errorAt(place, message, details);
    }),

  "invalid-body": (program) =>
    findRestReads(program).flatMap(({ method, document, response }) => {
      const body = findAnnotation(method, "body");
      if (body === undefined) return [];
      const [only, ...others] = response;
      const isOnly = only !== undefined && others.length === 0;
      if (isOnly && only.jsonName === body.value?.text && !only.isOptional) {
        return [];
      }
      return errorAt(
        locate(document, body.value ?? body),
        `\`@body\` must name the only output of \`${method.name.text}\``,
        isOnly
          ? only.isOptional
            ? { help: `make \`${only.jsonName}\` required` }
            : { help: `write \`@body:${only.jsonName}\`` }
          : { notes: [`it has ${response.length} outputs`] },
      );
    }),

  // All that a REST read is told stands in its path, so all of it is required.
  "unbound-request-field": (program) =>
    findRestReads(program).flatMap((read) => {
      // A parameter that is misspelt leaves its field unbound.
      if (findPathFault(read, program)) return [];
      const { method, path, request } = read;
      const bound = new Set(parametersOf(path));
      return request.flatMap(({ jsonName, name, isOptional, document }) => {
        if (bound.has(jsonName) && !isOptional) return [];
        return errorAt(
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
    }),

  "duplicate-route": (program) => {
    const reads = findRestReads(program);
    return program.hosts.flatMap(({ services }) => {
      const methods = new Set(services.flatMap(({ syntax }) => syntax.methods));
      const own = reads.filter(({ method }) => methods.has(method));
      return findDuplicates(own, shapeOf).map(({ first, again }) =>
        errorAt(
          locate(again.document, again.place),
          `the path of \`${again.method.name.text}\` cannot be told from that of \`${first.method.name.text}\``,
          {
            related: [relate(first.document, first.place, "first used here")],
            help: "change a segment that is not a parameter",
          },
        ),
      );
    });
  },
} satisfies CheckRules;

function shapeOf({ path }: RestRead): string {
  return path.segments
    .map((segment) => (segment.kind === "literal" ? segment.text : "{}"))
    .join("/");
}
