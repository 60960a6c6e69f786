import { findAnnotation } from "../notation/annotations.js";
import { parametersOf } from "../notation/path-template.js";
import { type RestRead, findRestReads } from "../program/rest-reads.js";
import { findDuplicates } from "../report/duplicates.js";
import { relate } from "../report/finding.js";
import { findPathFault } from "./rest-path-fault.js";
import type { CheckRules } from "./rule.js";

/** Rules about REST reads. */
export const restRules = {
  "invalid-rest-path": (program) =>
    findRestReads(program).flatMap((read) => {
      const fault = findPathFault(read, program);
      return fault ? { document: read.document, at: read.place, ...fault } : [];
    }),

  "invalid-body": (program) =>
    findRestReads(program).flatMap(({ method, document, response }) => {
      const body = findAnnotation(method, "body");
      if (body === undefined) return [];
      const [only, ...others] = response;
      const isOnly = only !== undefined && others.length === 0;
      if (
        isOnly &&
        only.jsonName === body.value?.text &&
        !only.syntax.isOptional
      ) {
        return [];
      }
      return {
        document,
        at: body.value ?? body,
        message: `\`@body\` must name the only output of \`${method.name.text}\``,
        ...(isOnly
          ? {
              help: only.syntax.isOptional
                ? `make \`${only.jsonName}\` required`
                : `write \`@body:${only.jsonName}\``,
            }
          : { notes: [`it has ${response.length} outputs`] }),
      };
    }),

  // The entire request of a REST read is in its path, so every field is
  // required.
  "unbound-request-field": (program) =>
    findRestReads(program).flatMap((read) => {
      // A misspelled parameter leaves its field unbound.
      if (findPathFault(read, program)) return [];
      const { method, path, request } = read;
      const bound = new Set(parametersOf(path));
      return request.flatMap(({ jsonName, syntax, document }) => {
        const { isOptional, name } = syntax;
        const isBound = bound.has(jsonName);
        if (isBound && !isOptional) return [];
        return {
          document,
          at: name,
          message: isBound
            ? `\`${name.text}\` is in the path of \`${method.name.text}\` and cannot be optional`
            : `\`${name.text}\` is not in the path of \`${method.name.text}\``,
          notes: ["the entire request of a REST read is in its path"],
          help: isBound
            ? "remove the `?`"
            : `add \`/{${jsonName}}\` to the path, or remove the field`,
        };
      });
    }),

  "duplicate-route": (program) => {
    const reads = findRestReads(program);
    return program.hosts.flatMap(({ services }) => {
      const owners = new Set(services.map(({ syntax }) => syntax));
      const own = reads.filter(({ service }) => owners.has(service));
      return findDuplicates(own, shapeOf).map(({ first, again }) => ({
        document: again.document,
        at: again.place,
        message: `\`${again.method.name.text}\` has the same path as \`${first.method.name.text}\``,
        related: [relate(first, first.place, "first used here")],
        help: "change a literal segment of one path",
      }));
    });
  },
} satisfies CheckRules;

function shapeOf({ path }: RestRead): string {
  return path.segments
    .map((segment) => (segment.kind === "literal" ? segment.text : "{}"))
    .join("/");
}
