import type { Field, TypeExpression, Word } from "../../1-parse/ast.js";
import { type Edge, walkGraph } from "../program/graph.js";
import { metadataValue } from "../notation/metadata.js";
import type { DeclaredType, Program } from "../program/program.js";
import { reportCycle } from "../report/report-cycle.js";
import { resolveType } from "../program/resolve-type.js";
import type { Rule } from "./rule.js";

/** A struct that requires itself has no finite value. */
export const infiniteStruct: Rule = (program) => {
  const structs = [...program.scopes.values()].flatMap(({ types }) =>
    types.filter(({ syntax }) => syntax.kind === "struct"),
  );
  return walkGraph(new Set(structs), (struct) =>
    edgesOf(struct, program),
  ).cycles.map((edges) =>
    reportCycle("infinite-struct", edges, {
      what: "struct",
      help: "make one of the fields optional, or a list",
    }),
  );
};

function edgesOf(
  struct: DeclaredType,
  program: Program,
): readonly Edge<DeclaredType, Word>[] {
  const { syntax, document } = struct;
  if (syntax.kind !== "struct") return [];
  return syntax.fields.filter(isRequired).flatMap((field) => {
    const via = nameOf(field.type);
    const type = via && resolveType(program, document, field.type);
    if (via === null || type?.kind !== "struct") return [];
    return { from: struct, to: type.declared, via };
  });
}

function isRequired(field: Field): boolean {
  return !field.isOptional && metadataValue(field, "nullable") !== "true";
}

function nameOf(type: TypeExpression): Word | null {
  return type.kind === "name" ? type.name : null;
}
