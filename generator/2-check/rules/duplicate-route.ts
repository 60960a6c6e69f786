import { findDuplicates } from "../report/duplicates.js";
import { locate, relate, reportError } from "../report/report.js";
import { findRestReads, type RestRead } from "../program/rest-reads.js";
import type { Rule } from "./rule.js";

/** The REST reads of a host can be told apart by their paths. */
export const duplicateRoute: Rule = (program) => {
  const reads = findRestReads(program);
  return program.hosts.flatMap(({ services }) => {
    const methods = new Set(services.flatMap(({ syntax }) => syntax.methods));
    const own = reads.filter(({ method }) => methods.has(method));
    return findDuplicates(own, shapeOf).map(({ first, again }) =>
      reportError(
        "duplicate-route",
        locate(again.document, again.place),
        `the path of \`${again.method.name.text}\` cannot be told from that of \`${first.method.name.text}\``,
        {
          related: [relate(first.document, first.place, "first used here")],
          help: "change a segment that is not a parameter",
        },
      ),
    );
  });
};

function shapeOf({ path }: RestRead): string {
  return path.segments
    .map((segment) => (segment.kind === "literal" ? segment.text : "{}"))
    .join("/");
}
